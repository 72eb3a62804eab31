"""Candidate steps: what permissions allow minus what restrictions forbid (T-31), seen locally.

This is the inner loop of everything; it is flat on purpose (``make bench`` watches it).
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.board.geometry import (
    NEIGHBOURS,
    NOWHERE,
    Crew,
    Mask,
    Worker,
)
from domain.board.position import Held, Position
from domain.rules.power import Sites
from domain.rules.ruleset import Ruleset, ruleset_for
from domain.rules.step import BLOCKS, DOMES, MOVES, PASS, Step
from domain.rules.turn import Turn


def own_crew(position: Position, seat: int) -> Crew:
    """Return the workers a seat may use on an ordinary turn: its side's, or its own (C-45)."""
    table = position.table
    if not table.split:
        return position.crew_of(table.sides[seat - 1])
    crew = 0
    for worker, figure in enumerate(position.figures):
        if figure.seat == seat and position.workers[worker] >= 0:
            crew |= 1 << worker
    return crew


def seen_domes(position: Position, rules: Ruleset, held: tuple[Held, ...]) -> Mask:
    """Return what the active side reads as a dome without one being there (T-22, V-6)."""
    mask = NOWHERE
    if position.table.mode == "golden_fleece":
        mask = position.rams
    for hook, index in rules.shows_dome:
        mask |= hook(position, held[index], rules.side)
    return mask


def holdings(turn: Turn, rules: Ruleset) -> tuple[Held, ...]:
    """Return the holdings the entries of a ruleset index into."""
    held = turn.position.held
    if len(held) != len(turn.opening.held):
        held = _aligned(turn)
    return held + rules.extra if rules.extra else held


def _aligned(turn: Turn) -> tuple[Held, ...]:
    """Return the opening's holdings, each as it is now or, once lost, as it was."""
    now = {(held.power, held.seat): held for held in turn.position.held}
    return tuple(now.get((held.power, held.seat), held) for held in turn.opening.held)


def mover_crew(turn: Turn, rules: Ruleset, held: tuple[Held, ...]) -> Crew:
    """Return the workers that may move now."""
    crew = 0
    if not turn.moves and not turn.builds:
        crew = own_crew(turn.position, turn.seat)
    for hook, index in rules.movers:
        crew = hook(turn, held[index], crew)
    if crew:
        for hook, index in rules.forbidden_movers:
            crew &= ~hook(turn, held[index])
    return crew


def targets_of(
    turn: Turn, rules: Ruleset, held: tuple[Held, ...], worker: Worker, shut: Mask
) -> Mask:
    """Return the squares a worker may move to; ``shut`` is what is occupied for the seat (C-8)."""
    position = turn.position
    levels = position.levels
    square = position.workers[worker]
    level = (levels[1] >> square & 1) + (levels[2] >> square & 1) + (levels[3] >> square & 1)
    targets = NEIGHBOURS[square] & ~shut & ~levels[level + 2]
    for hook, index in rules.reach:
        targets = hook(turn, held[index], worker, targets)
    if targets and rules.forbidden_targets:
        side = position.figures[worker].side
        for hook, index, exempt in rules.forbidden_targets:
            if side != exempt:
                targets &= ~hook(turn, held[index], worker, targets)
    return targets


def builder_crew(turn: Turn, rules: Ruleset, held: tuple[Held, ...]) -> Crew:
    """Return the workers that may build now."""
    crew = 0
    if turn.moves and not turn.builds:
        crew = 1 << turn.moves[-1].worker
    for hook, index in rules.builders:
        crew = hook(turn, held[index], crew)
    return crew


def sites_of(
    turn: Turn, rules: Ruleset, held: tuple[Held, ...], worker: Worker, shut: Mask
) -> Sites:
    """Return the squares on which a worker may put a block, and a dome (C-19, C-20, C-10)."""
    position = turn.position
    around = NEIGHBOURS[position.workers[worker]] & ~shut
    blocks = around & position.block_sites()
    domes = around & position.levels[3]
    for hook, index in rules.sites:
        blocks, domes = hook(turn, held[index], worker, (blocks, domes))
    if rules.forbidden_sites:
        side = position.figures[worker].side
        for hook, index, exempt in rules.forbidden_sites:
            if side != exempt:
                no_blocks, no_domes = hook(turn, held[index], worker, (blocks, domes))
                blocks &= ~no_blocks
                domes &= ~no_domes
    if domes and not position.dome_left():
        domes = NOWHERE
    return blocks, domes


def may_raise(turn: Turn, worker: Worker, square: int) -> bool:
    """Say whether a block of this worker on a square is in supply and forbidden by nobody.

    For automatic builds: distance, and who still stands there, are the caller's to judge.
    """
    position = turn.position
    block = position.block_sites() & 1 << square
    if not block:
        return False
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    held = holdings(turn, rules)
    side = position.figures[worker].side
    return not any(
        side != exempt and hook(turn, held[index], worker, (block, NOWHERE))[0] & block
        for hook, index, exempt in rules.forbidden_sites
    )


def shut_for(position: Position, rules: Ruleset, held: tuple[Held, ...]) -> Mask:
    """Return the squares that are occupied for the active seat (C-8, T-22)."""
    shut = position.occupied | position.domes
    if rules.shows_dome or position.table.mode == "golden_fleece":
        shut |= seen_domes(position, rules, held)
    return shut


def complete(turn: Turn, rules: Ruleset) -> bool:
    """Say whether the compulsory part of the turn is done (T-11)."""
    done = bool(turn.moves and turn.builds)
    if rules.may_end:
        held = holdings(turn, rules)
        for hook, index in rules.may_end:
            done = hook(turn, held[index], done)
    return done


def awaiting(turn: Turn, rules: Ruleset) -> bool:
    """Say whether effects of the latest move wait for its mover's answer (R5, T-10a)."""
    if turn.fresh != "move" or not (rules.awaits and rules.late_effects):
        return False
    held = holdings(turn, rules)
    return any(hook(turn, held[index]) for hook, index in rules.awaits)


def candidate_steps(turn: Turn, rules: Ruleset) -> list[Step]:
    """List the steps that are locally possible; ``end`` is not among them.

    While an interrupt asks, the asked seat's answers; while a move waits for R5, its answers.
    """
    held = holdings(turn, rules)
    if turn.asked:
        return _answers(turn, rules, held)
    if rules.awaits and awaiting(turn, rules):
        return _responses(turn, rules, held)
    shut = shut_for(turn.position, rules, held)
    steps: list[Step] = [*_moves(turn, rules, held, shut), *_builds(turn, rules, held, shut)]
    for hook, index in rules.actions:
        steps.extend(hook(turn, held[index]))
    return steps


def deepest_steps(turn: Turn, rules: Ruleset) -> Iterator[Step]:
    """Yield the same steps one by one, those first that lead to an ending soonest: builds.

    The search seldom needs more than the first.
    """
    held = holdings(turn, rules)
    if turn.asked or (rules.awaits and awaiting(turn, rules)):
        yield from candidate_steps(turn, rules)
        return
    shut = shut_for(turn.position, rules, held)
    yield from _builds(turn, rules, held, shut)
    for hook, index in rules.actions:
        yield from hook(turn, held[index])
    yield from _moves(turn, rules, held, shut)


def _moves(turn: Turn, rules: Ruleset, held: tuple[Held, ...], shut: Mask) -> Iterator[Step]:
    workers = turn.position.workers
    crew = mover_crew(turn, rules, held)
    while crew:
        low = crew & -crew
        crew ^= low
        worker = low.bit_length() - 1
        targets = targets_of(turn, rules, held, worker, shut)
        row = MOVES[workers[worker]]
        while targets:
            bit = targets & -targets
            targets ^= bit
            yield row[bit.bit_length() - 1]


def _builds(turn: Turn, rules: Ruleset, held: tuple[Held, ...], shut: Mask) -> Iterator[Step]:
    workers = turn.position.workers
    crew = builder_crew(turn, rules, held)
    while crew:
        low = crew & -crew
        crew ^= low
        worker = low.bit_length() - 1
        blocks, domes = sites_of(turn, rules, held, worker, shut)
        row = BLOCKS[workers[worker]]
        while blocks:
            bit = blocks & -blocks
            blocks ^= bit
            yield row[bit.bit_length() - 1]
        row = DOMES[workers[worker]]
        while domes:
            bit = domes & -domes
            domes ^= bit
            yield row[bit.bit_length() - 1]


def _responses(turn: Turn, rules: Ruleset, held: tuple[Held, ...]) -> list[Step]:
    steps: list[Step] = []
    for hook, index in rules.actions:
        steps.extend(hook(turn, held[index]))
    if not rules.answer_compulsory:
        steps.append(PASS)
    return steps


def _answers(turn: Turn, rules: Ruleset, held: tuple[Held, ...]) -> list[Step]:
    steps: list[Step] = [PASS]
    for hook, index in rules.answers:
        if held[index].seat == turn.asked:
            steps.extend(hook(turn, held[index]))
    return steps
