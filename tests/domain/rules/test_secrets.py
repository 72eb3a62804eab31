"""Secrets: nothing a seat is told may depend on what it cannot see (T-51, T-52)."""

from __future__ import annotations

import random
from functools import cache

import pytest

from domain.rules.engine import legal_steps, open_turn, play
from domain.rules.positions import read_position
from domain.rules.step import text_of
from tests.vectors import vectors
from tests.worlds import other_world, told

SECRETIVE = ("hecate", "moerae", "tartarus")


@cache
def with_a_secret():
    """Every fourth vector position whose seat to play does not know a secret, with its holder."""
    found = []
    for name in ("duel-one-power", "duel-two-powers", "trio"):
        for vector in vectors(name):
            keys = {entry["key"]: entry["seat"] for entry in vector["position"]["powers"]}
            seat = vector["position"]["to_move"]["seat"]
            found += [(key, vector["position"]) for key in SECRETIVE if keys.get(key, seat) != seat]
    return found[::4]


@pytest.mark.parametrize("key", SECRETIVE)
def test_other_secrets_are_told_alike(key):
    """Steps, turns, keys, reasons and the clock's choice are the same in every possible world."""
    dice = random.Random(key)
    checked = 0
    for owner, data in with_a_secret():
        if owner != key:
            continue
        position, seat, kind = read_position(data)
        here = open_turn(position, seat, kind)
        there = open_turn(other_world(position, key, dice), seat, kind)
        assert told(here) == told(there)
        checked += 1
        for step in dice.sample(legal_steps(here), min(3, len(legal_steps(here)))):
            one, two = play(here, step), play(there, step)
            if one.turn.over or two.turn.over or one.turn.asked:
                continue
            assert legal_steps(one.turn) == legal_steps(two.turn), text_of(step)
    assert checked > 5
