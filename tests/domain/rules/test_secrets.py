"""Secrets: nothing a seat is told may depend on what it cannot see (T-51, T-52)."""

from __future__ import annotations

import random
from functools import cache

import pytest
from msgspec.structs import replace

from domain.board.geometry import EVERYWHERE, squares_of
from domain.board.position import Held
from domain.rules.engine import (
    automatic_steps,
    explain,
    legal_steps,
    legal_turns,
    open_turn,
    play,
    position_key,
)
from domain.rules.perception import believed, perceived
from domain.rules.positions import read_position
from domain.rules.step import BLOCKS, DOMES, MOVES, text_of
from tests.vectors import vectors

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


def other_world(position, key, dice):
    """The same table with another secret."""
    held = position.holding(key)
    if key != "hecate":
        note = dice.choice([s for s in range(20) if s % 5 < 4])
        other = Held(key, held.seat, note)
        return replace(position, held=tuple(other if h is held else h for h in position.held))
    hers = position.crew_of(position.table.side(held.seat))
    shut = position.domes | position.token_squares() | position.occupied
    free = EVERYWHERE & ~(shut & ~position.squares_of_crew(hers))
    places = dice.sample(list(squares_of(free)), hers.bit_count())
    workers = tuple(
        places.pop() if hers >> worker & 1 else square
        for worker, square in enumerate(position.workers)
    )
    occupied = sum(1 << square for square in workers if square >= 0)
    return replace(position, workers=workers, occupied=occupied)


def told(turn):
    """All that the seat to act is told about its turn."""
    view = perceived(turn, turn.seat)
    stepping = (*MOVES[6], *BLOCKS[12], *DOMES[18])
    return {
        "steps": legal_steps(turn),
        "turns": legal_turns(view, 5_000),
        "clock": automatic_steps(turn),
        "key": position_key(turn.position, turn.seat, turn.kind, turn.seat),
        "public": position_key(turn.position, turn.seat, turn.kind, None),
        "table": believed(turn.position, turn.seat),
        "reasons": [explain(turn, step) for step in stepping if step not in legal_steps(turn)],
    }


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
