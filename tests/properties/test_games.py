"""Whole random games: drafts, clocks, resignations, every law held after every command."""

from __future__ import annotations

import pytest

from tests.properties.playing import played

MODES = [
    ("duel", "none"), ("duel", "fixed"), ("duel", "random"), ("duel", "draft"),
    ("duel", "golden_fleece"), ("trio", "random"), ("trio", "draft"), ("team4", "random"),
    ("team4", "draft"), ("solo4", "none"), ("team4_split", "none"), ("trio", "fixed"),
]  # fmt: skip
SOAK = 5_000
CHUNK = 100


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("variant", "mode"), MODES)
def test_a_random_game_keeps_the_laws(variant, mode, seed):
    """No dead end, no error; log, codec, chain and record all tell the same game."""
    played(f"slice {seed}", variant, mode)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, SOAK, CHUNK))
def test_thousands_of_random_games_keep_the_laws(first):
    """The same for games of every kind."""
    for seed in range(first, first + CHUNK):
        played(f"soak {seed}")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("variant", ["trio", "team4"])
def test_full_tables_keep_the_laws(variant, seed):
    """Three sides, and two teams, with random powers that may meet."""
    played(f"full {seed}", variant, "random")
