"""Node counts to a depth against the published tables, for mortals and for every power."""

from __future__ import annotations

import json

import pytest

import domain.powers  # noqa: F401  (fills the registry)
from domain.rules.engine import perft, position_key
from domain.rules.positions import read_position
from domain.rules.power import REGISTRY
from tests.vectors import FOLDER

TABLES = json.loads((FOLDER / "perft.json").read_text())


def counts(entry, depth):
    position, seat, kind = read_position(entry["position"])
    assert position_key(position, seat, kind) == entry["key"]
    return perft(position, seat, depth, kind)


@pytest.mark.parametrize("name", TABLES["mortal"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_mortal_counts(name, depth):
    """Without powers every depth of the table is met exactly, wins included."""
    entry = TABLES["mortal"][name]
    assert counts(entry, depth) == (entry[f"depth{depth}"], entry[f"depth{depth}_won"])


CASES = [
    pytest.param(table, key, id=f"{table}-{key}")
    for table in ("god_first", "god_second")
    for key in TABLES[table]
]


@pytest.mark.parametrize(("table", "key"), CASES)
def test_power_counts_at_depth_one(table, key):
    """One turn deep, each power has exactly the published number of distinct results."""
    entry = TABLES[table][key]
    assert key in REGISTRY
    assert counts(entry, 1) == (entry["depth1"], entry["depth1_won"])


@pytest.mark.soak
@pytest.mark.parametrize(("table", "key"), CASES)
def test_power_counts_at_depth_two(table, key):
    """Two turns deep as well."""
    entry = TABLES[table][key]
    if "depth2" in entry:
        assert counts(entry, 2) == (entry["depth2"], entry["depth2_won"])
