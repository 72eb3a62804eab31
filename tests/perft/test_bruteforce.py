"""The engine against the slow counter, on random tables of every power (T-33 .. T-36, T-63)."""

from __future__ import annotations

import random

import pytest

from domain.rules.engine import legal_turns, start_verdict
from domain.rules.perception import perceived
from domain.rules.power import REGISTRY
from domain.rules.step import PASS
from tests.perft.bruteforce import TooMany, results
from tests.tables import allowed, random_table

KEYS = ["mortal", *sorted(REGISTRY)]


def compare(rng, keys, wanted):
    compared = 0
    for _ in range(wanted * 4):
        turn = random_table(rng, keys)
        turn = perceived(turn, turn.seat)
        if start_verdict(turn) is not None:
            continue
        try:
            slow = results(turn)
        except TooMany:
            continue
        quick, _ = legal_turns(turn, 10**9)
        # Legality never counts on an interrupt, so the slow counter knows none (T-50).
        alone = [t for t in quick if all(s == turn.seat or step == PASS for s, step in t.steps)]
        assert {(t.key, t.winner) for t in alone} == slow, turn
        compared += 1
        if compared == wanted:
            break
    return compared


@pytest.mark.parametrize("key", KEYS)
def test_engine_counts_like_the_slow_counter(key):
    """For each power against a few others, results are the same set."""
    rng = random.Random(f"slow {key}")
    foes = [foe for foe in KEYS if allowed(key, foe)]
    compared = 0
    for foe in rng.sample(foes, 4):
        compared += compare(rng, (key, foe), 2)
    assert compared or key == "heracles"


@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_engine_counts_like_the_slow_counter_with_everybody(key):
    """For each power against every other one."""
    rng = random.Random(f"slow soak {key}")
    for foe in KEYS:
        if allowed(key, foe):
            compare(rng, (key, foe), 3)
