"""The capacity table in the docs is what the formula gives, and the formula makes sense."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from bench.capacity import GAMES, PACES, Costs, need, primaries, table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"


def test_the_page_shows_the_table():
    assert table() in PAGE.read_text(), "run `python -m bench.capacity` and copy its table"


@pytest.mark.parametrize(("load", "many"), [(0.1, 1), (1, 1), (1.1, 2), (4, 4), (20, 22), (64, 64)])
def test_a_primary_keeps_whole_shards(load, many):
    assert primaries(load) == many


def test_more_games_and_faster_ones_never_need_less():
    for pace, _ in PACES:
        grown = [need(games, pace) for games in GAMES]
        for one, two in pairwise(grown):
            assert two.web >= one.web and two.primaries >= one.primaries
            assert two.memory > one.memory and two.workers >= one.workers


def test_a_dearer_turn_needs_more_of_the_web_alone():
    cheap, dear = need(100_000, 20), need(100_000, 20, Costs(turn=20))
    assert dear.web > cheap.web and dear.primaries == cheap.primaries
