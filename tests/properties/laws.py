"""The laws that every table keeps, whoever holds what (architecture, section 10)."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec.structs import replace

from domain.board.facts import apply_all
from domain.rules.engine import (
    automatic_steps,
    close_turn,
    legal_steps,
    open_turn,
    play,
    record,
    record_pass,
    start_facts,
    start_verdict,
)
from domain.rules.positions import read_position, write_position
from domain.rules.power import REGISTRY, overrides
from domain.rules.step import End, Pass, Step, text_of
from domain.rules.turn import Turn
from tests.properties.playing import steady
from tests.properties.symmetry import SYMMETRIES, turned, turned_step
from tests.worlds import other_turn, secrets_from, shown, told, viewers

ONLY_FORBIDDING = ("aeolus", "aphrodite", "athena", "hades", "hippolyta", "hypnus", "limus")
"""Powers whose only effect on a foe's turn is that something cannot be done (T-31)."""


class Shuffle:
    """A deck order from a seed."""

    def __init__(self, seed: float) -> None:
        self.random = random.Random(seed)

    def shuffled(self, items):
        return tuple(self.random.sample(list(items), len(items)))


def hold_laws(rng: random.Random, make: Callable[[random.Random], Turn], count: int) -> None:
    """Hold every law in at least so many positions: on random tables, and in play from there."""
    checked = 0
    for _ in range(count * 4):
        turn = make(rng)
        assert (
            read_position(write_position(turn.position, turn.seat, turn.kind))[0] == turn.position
        )
        checked += _hold_from(turn, rng)
        if checked >= count:
            return
    raise AssertionError("too few tables on which anybody can act")


def _hold_from(turn: Turn, rng: random.Random, turns: int = 3) -> int:
    """Hold the laws in up to so many turns that follow each other; return their number."""
    for number in range(turns):
        if start_verdict(turn) is not None:
            return number
        steps = legal_steps(turn)
        turning = rng.choice(list(SYMMETRIES.values()))
        turned_alike(turn, steps, turning, rng)
        if not steps:
            assert not automatic_steps(turn)
            return number + 1
        only_narrowed(turn, steps)
        told_alike(turn, rng)
        finished = played_out(turn, rng)
        if finished.outcome is not None:
            return number + 1
        closing = close_turn(finished, Shuffle(rng.random()))
        position = apply_all(closing.position, start_facts(closing.position, closing.seat))
        steady(position)
        turn = open_turn(position, closing.seat, closing.kind)
    return turns


def turned_alike(turn: Turn, steps: tuple[Step, ...], turning, rng: random.Random) -> None:
    """Turning or mirroring the board turns or mirrors the answers, here and one step on."""
    there = turned(turning, turn)
    assert {turned_step(turning, step) for step in steps} == set(legal_steps(there))
    if steps and rng.random() < 0.3:
        step = rng.choice(steps)
        here, mirrored = play(turn, step).turn, play(there, turned_step(turning, step)).turn
        assert {turned_step(turning, s) for s in legal_steps(here)} == set(legal_steps(mirrored))
        assert (here.closed, here.outcome) == (mirrored.closed, mirrored.outcome)


def only_narrowed(turn: Turn, steps: tuple[Step, ...]) -> None:
    """A power that only forbids never adds a step, no obligation being in force (T-31)."""
    position = turn.position
    if position.pacts or any(overrides(REGISTRY[held.power], "demands") for held in position.held):
        return
    side = position.table.side(turn.seat)
    kept = tuple(
        held
        for held in position.held
        if held.power not in ONLY_FORBIDDING or position.table.side(held.seat) == side
    )
    if len(kept) < len(position.held):
        wide = legal_steps(open_turn(replace(position, held=kept), turn.seat, turn.kind))
        assert {step for step in steps if not isinstance(step, End)} <= set(wide)


def told_alike(turn: Turn, rng: random.Random) -> None:
    """Changing what somebody cannot see changes nothing that is told or shown (T-52)."""
    for viewer in viewers(turn):
        for key in secrets_from(turn, viewer):
            other = other_turn(turn, key, rng)
            assert shown(turn, viewer) == shown(other, viewer)
            if viewer == turn.seat:
                assert told(turn, 60) == told(other, 60)


def played_out(turn: Turn, rng: random.Random) -> Turn:
    """Play random legal steps to the end of the turn, or let the clock finish it."""
    patience = 2 if rng.random() < 0.15 else 200
    for _ in range(patience):
        if turn.over:
            return turn
        steps = legal_steps(turn)
        assert steps, "a legal step led to a dead end"
        assert list(steps) == sorted(set(steps), key=text_of)
        turn = _played(turn, rng.choice(steps))
    while not turn.over:
        rest = automatic_steps(turn)
        assert rest
        assert rest[0] in legal_steps(turn)
        turn = _played(turn, rest[0])
    return turn


def _played(turn: Turn, step: Step) -> Turn:
    """Play a step; folding its facts must lead to the live turn."""
    played = play(turn, step)
    if played.cancelled:
        return played.turn
    after = turn
    for happening in played.happenings:
        after = record(after, happening.fact, not happening.automatic)
    if isinstance(step, Pass) and not turn.asked and not played.happenings:
        after = record_pass(after)
    if not isinstance(step, Pass) and turn.asked == 0:
        live = played.turn
        after = replace(after, asked=live.asked, closed=live.closed, outcome=live.outcome)
        assert after == live, "folding the facts is not the live turn"
    steady(played.turn.position)
    return played.turn
