"""Laws that every pair of powers keeps, on random tables (architecture, section 10)."""

from __future__ import annotations

import itertools
import random

import pytest
from msgspec.structs import replace

from domain.board.facts import apply_all
from domain.board.position import Held
from domain.rules.engine import ask as ask_seat
from domain.rules.engine import (
    automatic_steps,
    close_turn,
    legal_steps,
    legal_turns,
    open_turn,
    play,
    record,
    record_pass,
    start_facts,
    start_verdict,
)
from domain.rules.positions import read_position, write_position
from domain.rules.power import REGISTRY
from domain.rules.step import End, Exchange, Pass, text_of
from tests.properties.symmetry import SYMMETRIES, turned, turned_step
from tests.tables import allowed, random_table

KEYS = ["mortal", *sorted(REGISTRY)]
PAIRS = [(a, b) for a, b in itertools.product(KEYS, KEYS) if allowed(a, b)] + [("mortal", "mortal")]
SLICE = random.Random("pairs").sample(PAIRS, min(len(PAIRS), 260))
ONLY_RESTRICTING = [k for k in ("athena", "hypnus", "limus", "hades", "hippolyta") if k in REGISTRY]
PLACED_BY_MEMORY = {"siren", "moerae", "tartarus"}


class Shuffle:
    """A deck order from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def shuffled(self, items):
        return tuple(self.random.sample(list(items), len(items)))


def steady(position):
    """Hold the invariants of a table."""
    standing = [square for square in position.workers if square >= 0]
    assert len(set(standing)) == len(standing)
    union = 0
    for square in standing:
        union |= 1 << square
    assert position.occupied == union
    assert not position.occupied & position.domes
    assert position.levels[3] & ~position.levels[2] == 0
    assert position.levels[2] & ~position.levels[1] == 0
    assert min(position.supply()) >= 0


def played_out(turn, rng):
    """Play random legal steps to the end of the turn, holding every law on the way."""
    for _ in range(200):
        if turn.over:
            return turn
        steps = legal_steps(turn)
        assert steps, "a legal step led to a dead end"
        assert list(steps) == sorted(set(steps), key=text_of)
        step = rng.choice(steps)
        played = play(turn, step)
        after = turn
        for happening in played.happenings:
            after = record(after, happening.fact, not happening.automatic)
        if isinstance(step, Pass) and not turn.asked:
            after = record_pass(after) if not played.happenings else after
        if not played.cancelled and not isinstance(step, Pass) and turn.asked == 0:
            folded = replace(
                after,
                asked=played.turn.asked,
                closed=played.turn.closed,
                outcome=played.turn.outcome,
            )
            assert folded == played.turn, "folding the facts is not the live turn"
        turn = played.turn
        if not played.cancelled:
            steady(turn.position)
    while not turn.over:
        rest = automatic_steps(turn)
        assert rest
        turn = play(turn, rest[0]).turn
    return turn


def hold_laws(keys, rng, count):
    for _ in range(count):
        turn = random_table(rng, keys)
        data = write_position(turn.position, turn.seat)
        assert read_position(data)[0] == turn.position
        if start_verdict(turn) is not None:
            continue
        for _ in range(3):
            if not legal_steps(turn):
                assert not automatic_steps(turn)
                break
            finished = played_out(turn, rng)
            if finished.outcome is not None:
                break
            closing = close_turn(finished, Shuffle(rng.random()))
            position = apply_all(closing.position, start_facts(closing.position, closing.seat))
            steady(position)
            turn = open_turn(position, closing.seat, closing.kind)
            if start_verdict(turn) is not None:
                break


@pytest.mark.parametrize("keys", SLICE, ids="-".join)
def test_pairs_keep_the_laws(keys):
    """No dead ends, ever; facts fold to the live turn; tables stay sound (T-36)."""
    hold_laws(keys, random.Random(f"laws {keys}"), 12)


@pytest.mark.soak
@pytest.mark.parametrize("keys", PAIRS, ids="-".join)
def test_every_pair_keeps_the_laws(keys):
    """The same for every ordered pair, on 200 tables each."""
    hold_laws(keys, random.Random(f"soak {keys}"), 200)


@pytest.mark.parametrize("key", KEYS)
def test_the_clock_completes_every_turn(key):
    """The automatic turn is legal, step by step, and ends the turn (C-36)."""
    rng = random.Random(f"clock {key}")
    foes = [foe for foe in KEYS if allowed(key, foe)]
    for foe in rng.sample(foes, min(8, len(foes))):
        turn = random_table(rng, (key, foe))
        if start_verdict(turn) is not None or not legal_steps(turn):
            continue
        if rng.random() < 0.5:
            turn = play(turn, rng.choice(legal_steps(turn))).turn
        for _ in range(40):
            if turn.over:
                break
            steps = automatic_steps(turn)
            assert steps
            assert steps[0] in legal_steps(turn)
            turn = play(turn, steps[0]).turn
        assert turn.over


@pytest.mark.parametrize("key", KEYS)
def test_turning_the_board_turns_the_answers(key):
    """The eight symmetries carry legal steps to legal steps."""
    if key in PLACED_BY_MEMORY:
        pytest.skip("its memory names places; its rules are turned in its own test")
    rng = random.Random(f"turned {key}")
    foes = [foe for foe in KEYS if allowed(key, foe) and foe not in PLACED_BY_MEMORY]
    for foe in rng.sample(foes, 3):
        turn = random_table(rng, (key, foe))
        steps = legal_steps(turn)
        for turning in SYMMETRIES.values():
            expected = {turned_step(turning, step) for step in steps}
            got = set(legal_steps(turned(turning, turn)))
            if any(isinstance(step, Exchange) for step in steps):
                assert len(expected) == len(got)
                continue
            assert got == expected


@pytest.mark.parametrize("foe", ONLY_RESTRICTING)
@pytest.mark.parametrize("key", KEYS)
def test_a_foe_that_only_forbids_never_adds_a_step(key, foe):
    """*Cannot* only narrows (T-31)."""
    if not allowed(key, foe):
        pytest.skip("a banned pair")
    rng = random.Random(f"narrow {key} {foe}")
    for _ in range(6):
        turn = random_table(rng, (key, foe))
        free = replace(turn.position, held=tuple(h for h in turn.position.held if h.power != foe))
        if turn.seat == 1:
            wide = set(legal_steps(open_turn(free, 1)))
            assert {s for s in legal_steps(turn) if not isinstance(s, End)} <= wide


@pytest.mark.parametrize("key", KEYS)
def test_canonical_turns_are_legal_and_lead_where_they_say(key):
    """Every listed turn can be played step by step (T-63)."""
    rng = random.Random(f"canonical {key}")
    foes = [foe for foe in KEYS if allowed(key, foe)]
    for foe in rng.sample(foes, 2):
        turn = random_table(rng, (key, foe))
        if start_verdict(turn) is not None:
            continue
        turns, _ = legal_turns(turn, 300)
        for listed in rng.sample(turns, min(6, len(turns))):
            here = turn
            for _, step in listed.steps:
                assert step in legal_steps(here)
                here = play(here, step).turn
            assert here.over
            winner = here.outcome.winner if here.outcome else 0
            assert winner == listed.winner


def test_a_mortal_pair_is_a_pair():
    """Holding nothing is a holding too (V-1)."""
    turn = random_table(random.Random(1), ("mortal", "mortal"))
    assert turn.position.held == ()
    assert Held("mortal", 1).note is None
    assert ask_seat(turn, 2).asked == 2
