"""Random tables for any powers: mid-game boards, workers, memories and tokens, from one seed."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import domain.powers  # noqa: F401  (fills the registry)
from domain.board.geometry import DIRECTIONS, NAMES
from domain.rules.engine import open_turn
from domain.rules.positions import ORDER, ImpossiblePosition, read_position
from domain.rules.power import REGISTRY
from domain.rules.turn import Turn
from tests.vectors import vectors

SIZES = {"duel": 2, "trio": 3, "solo4": 4, "team4": 4, "team4_split": 4}


@cache
def states() -> dict[str, tuple[str, ...]]:
    """Collect the memories each card has somewhere in the vectors, as JSON objects by key."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in ("duel-one-power", "duel-two-powers"):
        for vector in vectors(name):
            for entry in vector["position"]["powers"]:
                known = found.setdefault(entry["key"], [])
                state = entry.get("state") or {}
                if state not in known and len(known) < 40:
                    known.append(state)
    return {key: tuple(known) for key, known in found.items()}


def allowed(first: str, second: str) -> bool:
    """Say whether two powers may meet (V-20); a mortal may meet anybody."""
    return (
        first != second
        and not (first in REGISTRY and second in REGISTRY[first].bans)
        and not (second in REGISTRY and first in REGISTRY[second].bans)
    )


def _tokens(rng: random.Random, keys: tuple[str, ...], taken: set[str]) -> list[dict[str, str]]:
    tokens: list[dict[str, str]] = []
    free = [name for name in NAMES if name not in taken]
    rng.shuffle(free)
    names = [name for key in keys if key in REGISTRY for name in REGISTRY[key].token_names]
    for name in names:
        if name == "wind" and rng.random() < 0.5:
            tokens.append({"name": name, "direction": rng.choice(list(DIRECTIONS))})
        elif name in ("talus", "whirlpool", "coin"):
            number = sum(rng.random() < 0.6 for _ in range(1 if name == "talus" else 2))
            tokens.extend({"name": name, "square": free.pop()} for _ in range(number))
    unique = {(t["name"], t.get("square", "")): t for t in tokens}
    return list(unique.values())


def random_table(
    rng: random.Random, keys: tuple[str, ...], variant: str = "duel", mode: str = "gods"
) -> Turn:
    """Make a turn on a random mid-game table; ``keys`` names a power or ``mortal`` a seat."""
    while True:
        try:
            return _attempt(rng, keys, variant, mode)
        except ImpossiblePosition:
            continue


def _attempt(rng: random.Random, keys: tuple[str, ...], variant: str, mode: str) -> Turn:
    steep = rng.choice((0.3, 0.8, 1.2, 1.8))
    levels = [min(3, int(rng.expovariate(1 / steep))) for _ in ORDER]
    domed = {
        NAMES[s] for s, level in zip(ORDER, levels, strict=True) if rng.random() < level * 0.12
    }
    squares = [name for name in NAMES if name not in domed]
    rng.shuffle(squares)
    workers = []
    owners = [1, 2] if variant == "team4" else list(range(1, SIZES[variant] + 1))
    for seat in owners:
        count = 1 if variant in ("solo4", "team4_split") else 2
        key = keys[seat - 1]
        if key in REGISTRY and variant != "team4":
            count = REGISTRY[key].setup_workers if rng.random() < 0.8 else rng.choice((1, 2, 3))
        for number in range(count):
            sex = "f" if number == 0 else "m"
            workers.append({"square": squares.pop(), "seat": seat, "sex": sex})
    powers = []
    for seat, key in enumerate(keys, 1):
        if key in REGISTRY:
            state = rng.choice(states().get(key, ({},)))
            powers.append({"seat": seat, "key": key, "state": state})
    taken = {w["square"] for w in workers} | domed
    data = {
        "variant": variant,
        "powers_mode": mode if powers else "none",
        "to_move": {"seat": rng.randint(1, SIZES[variant]), "kind": "normal"},
        "levels": "".join(map(str, levels)),
        "domes": sorted(domed),
        "workers": workers,
        "powers": powers,
        "tokens": _tokens(rng, keys, taken),
    }
    position, seat, kind = read_position(data)
    return open_turn(position, seat, kind)
