"""Legal-step lists with powers, on one core: ordinary pairs, and those that search further."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from bench.measure import QUICK, Figure, at_least, best
from domain.powers import CATALOGUE
from domain.rules.engine import legal_steps, open_turn
from domain.rules.positions import read_position
from domain.rules.turn import Turn

DATA = (
    Path(__file__).resolve().parents[1] / "tests" / "data" / "vectors" / "duel-two-powers.jsonl.gz"
)
MID_GAME = range(8, 40)
"""How many blocks a board of the middle game holds."""

FAR = {"hermes", "triton"}
DEEP = {"persephone"}
SECRET = {"hecate", "adonis", "charybdis"}
BOUNDS = {"ordinary": 10_000, "rest": 10_000, "far": 3_000, "deep": 800, "secret": 800}
NAMES = {
    "ordinary": "pairs of the first thirty, ordinary",
    "rest": "pairs of all, ordinary",
    "far": "pairs with Hermes or Triton",
    "deep": "pairs with Persephone",
    "secret": "pairs with Hecate, Adonis or Charybdis",
}


def kind_of(keys: set[str]) -> str:
    """Return which bound a pair has to keep."""
    for kind, special in (("secret", SECRET), ("deep", DEEP), ("far", FAR)):
        if keys & special:
            return kind
    return "ordinary" if all(CATALOGUE[key].number <= 30 for key in keys) else "rest"


def by_pair(kind: str, found: list[Turn]) -> list[Figure]:
    """Return the rates of the median pair, and of the one that takes longest for a list."""
    pairs: dict[str, list[Turn]] = defaultdict(list)
    for turn in found:
        names = sorted(held.power for held in turn.position.held)
        pairs["-".join([*names, *(pact.name for pact in turn.position.pacts)])].append(turn)
    rates = {
        name: len(those) / best(lambda those=those: [legal_steps(turn) for turn in those])
        for name, those in pairs.items()
    }
    name = min(rates, key=rates.__getitem__)
    return [
        Figure(f"  {kind}: median of {len(rates)} pairs", median(rates.values()), "a second"),
        Figure(f"  {kind}: slowest pair", rates[name], f"a second ({name})"),
    ]


def turns() -> dict[str, list[Turn]]:
    """Return turns of the middle game by kind of pair."""
    found: dict[str, list[Turn]] = defaultdict(list)
    with gzip.open(DATA, "rt") as lines:
        for line in lines:
            vector: dict[str, Any] = json.loads(line)
            position = vector["position"]
            keys = {held["key"] for held in position["powers"]}
            keys |= position.get("pending", {}).keys() & {"adonis"}  # his pact outlives his card
            usable = sum(map(int, position["levels"])) in MID_GAME and not vector["verdict"]
            if usable and keys <= set(CATALOGUE):
                table, seat, turn_kind = read_position(position)
                found[kind_of(keys)].append(open_turn(table, seat, turn_kind))
    return found


def figures() -> list[Figure]:
    """Measure each kind of pair."""
    measured = []
    for kind, found in sorted(turns().items()):
        taken = best(lambda found=found: [legal_steps(turn) for turn in found], 3)
        name = f"legal-step lists, {NAMES[kind]}"
        measured.append(at_least(name, len(found) / taken, "a second", BOUNDS[kind]))
        measured += [] if QUICK else by_pair(kind, found)
    return measured
