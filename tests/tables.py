"""Random tables for any powers: mid-game boards, workers, memories and tokens, from one seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import domain.powers  # noqa: F401  (fills the registry)
from domain.board.facts import apply_all
from domain.board.geometry import DIRECTIONS, NAMES
from domain.rules.engine import open_turn, start_facts
from domain.rules.positions import ORDER, ImpossiblePosition, read_position
from domain.rules.power import REGISTRY
from domain.rules.turn import Turn
from tests.vectors import vectors

SIZES = {"duel": 2, "trio": 3, "solo4": 4, "team4": 4, "team4_split": 4}
Json = dict[str, Any]


@cache
def states() -> dict[str, tuple[Json, ...]]:
    """Collect the memories each card has somewhere in the vectors, as JSON objects by key."""
    found: dict[str, list[Json]] = {}
    for name in ("duel-one-power", "duel-two-powers"):
        for vector in vectors(name):
            for entry in vector["position"]["powers"]:
                known = found.setdefault(entry["key"], [])
                state = entry.get("state") or {}
                if state not in known and len(known) < 40:
                    known.append(state)
    return {key: tuple(known) for key, known in found.items()}


def allowed(*keys: str) -> bool:
    """Say whether powers may meet (V-20); a mortal may meet anybody, and another mortal."""
    gods = [key for key in keys if key in REGISTRY]
    return not any(
        one == two or two in REGISTRY[one].bans or one in REGISTRY[two].bans
        for one, two in combinations(gods, 2)
    )


def company(rng: random.Random, variant: str, first: Sequence[str] = ()) -> tuple[str, ...]:
    """Draw powers that may be at one table with the first ones (V-10, V-20), in seat order."""
    seats = SIZES[variant]
    pool = [key for key, power in REGISTRY.items() if seats in power.players]
    while True:
        keys = [*first, *rng.sample(sorted(pool), seats - len(first))]
        if allowed(*keys):
            rng.shuffle(keys)
            return tuple(keys)


def _tokens(rng: random.Random, keys: Sequence[str], taken: set[str]) -> list[Json]:
    tokens: list[Json] = []
    free = [name for name in NAMES if name not in taken]
    rng.shuffle(free)
    names = [name for key in keys if key in REGISTRY for name in REGISTRY[key].token_names]
    for name in names:
        if name == "wind" and rng.random() < 0.5:
            tokens.append({"name": name, "direction": rng.choice(list(DIRECTIONS))})
        elif name in ("talus", "whirlpool", "coin"):
            number = sum(rng.random() < 0.6 for _ in range(1 if name == "talus" else 2))
            tokens.extend({"name": name, "square": free.pop()} for _ in range(number))
    return tokens


def random_table(rng: random.Random, keys: Sequence[str], variant: str = "duel") -> Turn:
    """Make a turn on a random mid-game table; ``keys`` names a power or ``mortal`` a seat."""
    while True:
        try:
            return open_turn(*read_position(_data(rng, keys, variant, "gods")))
        except ImpossiblePosition:
            continue


def fleece_table(rng: random.Random, key: str) -> Turn:
    """Make a Golden Fleece turn: the Ram on the board, its power with whoever is near (V-5)."""
    while True:
        data = _data(rng, ("mortal", "mortal"), "duel", "golden_fleece")
        taken = {worker["square"] for worker in data["workers"]} | set(data["domes"])
        ground = zip(ORDER, data["levels"], strict=True)
        free = [NAMES[s] for s, level in ground if level == "0" and NAMES[s] not in taken]
        if not free:
            continue
        data["ram"] = {"square": rng.choice(free), "power": key}
        if REGISTRY[key].wants_last_moved:
            data["pending"] = {"last_moved": _last_moved(rng, data["workers"])}
        try:
            position, seat, kind = read_position(data)
        except ImpossiblePosition:
            continue
        return open_turn(apply_all(position, start_facts(position, seat)), seat, kind)


def _data(rng: random.Random, keys: Sequence[str], variant: str, mode: str) -> Json:
    steep = rng.choice((0.3, 0.8, 1.2, 1.8))
    levels = [min(3, int(rng.expovariate(1 / steep))) for _ in ORDER]
    domed = {
        NAMES[s] for s, level in zip(ORDER, levels, strict=True) if rng.random() < level * 0.12
    }
    workers = _workers(rng, keys, variant, domed)
    powers = [
        {"seat": seat, "key": key, "state": rng.choice(states().get(key, ({},)))}
        for seat, key in enumerate(keys, 1)
        if key in REGISTRY
    ]
    seat = rng.randint(1, SIZES[variant])
    to_move = {"seat": seat, "kind": "normal"}
    own = keys[seat - 1]
    if own in REGISTRY and REGISTRY[own].extra_turn and rng.random() < 0.15:
        to_move["kind"] = own
    data: Json = {
        "variant": variant,
        "powers_mode": mode if powers or mode == "golden_fleece" else "none",
        "to_move": to_move,
        "levels": "".join(map(str, levels)),
        "domes": sorted(domed),
        "workers": workers,
        "powers": powers,
        "tokens": _tokens(rng, keys, {w["square"] for w in workers} | domed),
        "pending": {},
    }
    for key in keys:
        _LOOSE_ENDS.get(key, _nothing)(rng, data)
    return data


def _workers(rng: random.Random, keys: Sequence[str], variant: str, domed: set[str]) -> list[Json]:
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
    return workers


# -- what some cards leave beside themselves ----------------------------------------------------


def _nothing(rng: random.Random, data: Json) -> None:
    """Leave a table as it is."""


def _entry(data: Json, key: str) -> Json:
    return next(entry for entry in data["powers"] if entry["key"] == key)


def _face_up(rng: random.Random, data: Json) -> None:
    """Let Chaos hold the god turned up, if that god may be at this table."""
    entry = _entry(data, "chaos")
    god = entry["state"].get("face_up")
    others = [other["key"] for other in data["powers"]]
    if god and allowed(god, *others):
        data["powers"].append({"seat": entry["seat"], "key": god})
    else:
        entry["state"] = {"face_up": None, "deck": [], "discards": []}


def _loot(rng: random.Random, data: Json) -> None:
    """Let Circe hold what she has stolen."""
    entry = _entry(data, "circe")
    loot = [other for other in data["powers"] if other is not entry]
    entry["state"] = {"stolen": bool(loot) and rng.random() < 0.5}
    if entry["state"]["stolen"]:
        for other in loot:
            other["seat"] = entry["seat"]


def _night(rng: random.Random, data: Json) -> None:
    """Set the foe's power aside at night, as the towers have it."""
    entry = _entry(data, "nyx")
    others = [other for other in data["powers"] if other is not entry]
    keys = [other["key"] for other in data["powers"]]
    cards = [k for k, p in REGISTRY.items() if p.golden_fleece and allowed(k, *keys)]
    card = rng.choice(sorted(cards))
    full = {NAMES[s] for s, level in zip(ORDER, data["levels"], strict=True) if level == "3"}
    time = "night" if len(full & set(data["domes"])) % 2 else "day"
    entry["state"] = {"time": time, "night_power": card}
    if time == "night":
        data["pending"]["set_aside"] = others
        data["powers"] = [entry, {"seat": entry["seat"], "key": card}]
        data["to_move"]["kind"] = "normal"


def _pair(rng: random.Random, data: Json) -> None:
    """Spend Adonis now and then: a pair is chosen, and the foe is to move."""
    if data["pending"].get("set_aside"):
        return
    entry = _entry(data, "adonis")
    if rng.random() < 0.5:
        own = [w["square"] for w in data["workers"] if w["seat"] == entry["seat"]]
        other = [w["square"] for w in data["workers"] if w["seat"] != entry["seat"]]
        data["pending"]["adonis"] = {"own": rng.choice(own), "other": rng.choice(other)}
        data["powers"].remove(entry)
        data["to_move"] = {"seat": 3 - entry["seat"], "kind": "normal"}


def _last_moved(rng: random.Random, workers: Sequence[Json], sides: int = 2) -> dict[str, str]:
    last = {}
    for side in range(1, sides + 1):
        squares = [w["square"] for w in workers if (w["seat"] - 1) % sides + 1 == side]
        if squares and rng.random() < 0.8:
            last[str(side)] = rng.choice(squares)
    return last


def _quarrel(rng: random.Random, data: Json) -> None:
    """Remember who moved last for Eris."""
    data["pending"]["last_moved"] = _last_moved(rng, data["workers"])


_LOOSE_ENDS = {
    "chaos": _face_up,
    "circe": _loot,
    "nyx": _night,
    "adonis": _pair,
    "eris": _quarrel,
}
