"""How much the search visits, counted in steps played: a bound that no machine's speed blurs."""

from __future__ import annotations

import itertools
import random

import pytest

from domain.rules import lookahead, secrets
from domain.rules.engine import legal_steps, legal_turns, start_verdict
from domain.rules.power import REGISTRY
from tests.boards import board
from tests.tables import allowed, random_table

FLAT = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0b 0. 0b 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0a 0.
    1   0. 0. 0. 0. 0.     A to play   {}
"""
HARD = [
    ("A hermes", 100),
    ("A hermes   B persephone", 150),
    ("A hermes   B aphrodite", 150),
    ("A hermes   pair d4-b2", 1_000),
    ("A triton", 60),
    ("A triton   B persephone", 500),
    ("A triton   pair d4-b2", 600),
    ("A atalanta", 60),
    ("A atalanta   B aphrodite", 100),
    ("A terpsichore", 150),
    ("A terpsichore   B persephone", 500),
    ("A terpsichore   pair d4-b2", 500),
    ("A polyphemus   B aphrodite", 100),
    ("A heracles   B aphrodite", 60),
    ("A castor   B persephone", 500),
    ("A odysseus   B persephone", 150),
    ("A jason   B persephone", 500),
]
"""Cards that go far, and foes who demand something: none of it can be had on a flat board."""


@pytest.fixture
def visited(monkeypatch):
    """Count the steps that the search and the listing play."""
    count = [0]
    play = lookahead.advance

    def counting(turn, step, rules):
        count[0] += 1
        return play(turn, step, rules)

    monkeypatch.setattr(lookahead, "advance", counting)
    monkeypatch.setattr(secrets, "advance", counting)
    lookahead._CACHE.clear()
    return count


@pytest.mark.parametrize(("cards", "bound"), HARD)
def test_a_list_of_steps_visits_few_turns(visited, cards, bound):
    """The first list of a turn, nothing remembered: equal turns merge, hopeless ones are left."""
    assert legal_steps(board(FLAT.format(cards)))
    assert visited[0] <= bound


@pytest.fixture
def expanded(monkeypatch):
    """Count the partial turns whose steps are listed, those at their end apart."""
    count = [0]
    following = lookahead.Lookahead.next_steps

    def counting(self, turn):
        count[0] += not turn.builds
        return following(self, turn)

    monkeypatch.setattr(lookahead.Lookahead, "next_steps", counting)
    return count


@pytest.mark.parametrize(
    ("cards", "results", "bound"),
    [("A hermes", 2_099, 1_000), ("A triton", 189, 120), ("A atalanta", 269, 120)],
)
def test_whole_turns_are_found_by_states_not_by_sequences(expanded, cards, results, bound):
    """Hermes' two can stand in some 500 ways, each with one worker moved or both (T-36)."""
    listed, truncated = legal_turns(board(FLAT.format(cards)), 10**6)
    assert not truncated
    assert len(listed) == results
    assert expanded[0] <= bound


@pytest.mark.parametrize("key", sorted(REGISTRY))
def test_no_pair_searches_far(visited, key):
    """A mid-game list plays hundreds of steps, not tens of thousands, whoever sits opposite."""
    rng = random.Random(f"visits {key}")
    foes = [foe for foe in ("mortal", *sorted(REGISTRY)) if allowed(key, foe)]
    for foe, _ in itertools.product(rng.sample(foes, 12), range(2)):
        turn = random_table(rng, (key, foe))
        if start_verdict(turn) is None:
            visited[0] = 0
            legal_steps(turn)
            assert visited[0] <= 2_500, (key, foe)
