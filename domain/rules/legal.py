"""Legal steps, the playing of a step, and why a step is not legal."""

from __future__ import annotations

from typing import NamedTuple

from domain.board.geometry import NAME_ORDER, NAMES, NEIGHBOURS, OFF_BOARD
from domain.rules.candidates import candidate_steps, complete, own_crew
from domain.rules.lookahead import Lookahead, lookahead_for
from domain.rules.perception import perceived
from domain.rules.resolve import Happening, finish, untouched
from domain.rules.ruleset import ruleset_for
from domain.rules.secrets import attempt
from domain.rules.step import END, MOVES, Pass, Step, text_of
from domain.rules.turn import Turn


class Played(NamedTuple):
    """The turn after a step, what happened, and the step that met a secret, if it did (P-39)."""

    turn: Turn
    happenings: tuple[Happening, ...]
    cancelled: str = ""
    """The square on which the step was cancelled, by name; empty when it was not."""


def legal_steps(turn: Turn) -> tuple[Step, ...]:
    """List every legal next step of the seat to act, sorted by notation (T-60).

    Judged on what that seat may know (T-38); empty when the turn is over or the seat is stuck.
    """
    if turn.over:
        return ()
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    if rules.plain and not turn.moves:
        return _plain_moves(turn)
    view = perceived(turn, turn.asked or turn.seat)
    if view.asked:
        return tuple(sorted(candidate_steps(view, rules), key=text_of))
    lookahead = lookahead_for(view)
    steps = [step for step, _ in lookahead.next_steps(view)]
    steps.sort(key=text_of)
    if offers_end(lookahead, view, bool(steps)):
        steps.insert(0, END) if steps and text_of(steps[0]) > "." else _insert_end(steps)
    return tuple(steps)


def _insert_end(steps: list[Step]) -> None:
    steps.append(END)
    steps.sort(key=text_of)


def offers_end(lookahead: Lookahead, turn: Turn, optional: bool) -> bool:
    """Say whether ``end`` is a step here: something optional is left (T-11), or an extra turn."""
    return (optional or (turn.kind != "normal" and untouched(turn))) and lookahead.may_end(turn)


def _plain_moves(turn: Turn) -> tuple[Step, ...]:
    """List the first steps of a seat when nobody holds a power: moves that win or can build.

    The flat form of the general search for its commonest case; a test holds the two together.
    """
    position = turn.position
    levels, domes, occupied = position.levels, position.domes, position.occupied
    workers = position.workers
    crew = own_crew(position, turn.seat)
    sites = position.block_sites()
    if position.dome_left():
        sites |= levels[3]
    sites &= ~domes
    free = ~(occupied | domes)
    starts = {}
    while crew:
        low = crew & -crew
        crew ^= low
        worker = low.bit_length() - 1
        starts[workers[worker]] = True
    steps: list[Step] = []
    top = levels[3]
    for square in NAME_ORDER if len(starts) > 1 else starts:
        if square not in starts:
            continue
        level = (levels[1] >> square & 1) + (levels[2] >> square & 1) + (levels[3] >> square & 1)
        targets = NEIGHBOURS[square] & free & ~levels[level + 2]
        row = MOVES[square]
        buildable = sites & (free | 1 << square)
        wins = top if level == 2 else 0
        for target in NAME_ORDERED_NEIGHBOURS[square]:
            bit = 1 << target
            if targets & bit and (wins & bit or NEIGHBOURS[target] & buildable):
                steps.append(row[target])
    return tuple(steps)


NAME_ORDERED_NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(t for t in NAME_ORDER if NEIGHBOURS[s] >> t & 1) for s in range(25)
)


def play(turn: Turn, step: Step) -> Played:
    """Play a legal step and let the turn close by itself when nothing is left to choose (T-11).

    The returned turn is ``closed`` when it has ended and has an ``outcome`` when somebody won or
    lost. Whether the step is legal is the caller's to know (``legal_steps``).
    """
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    answering = bool(turn.asked)
    (after, happenings), met = attempt(turn, step, rules)
    cancelled = "" if met == OFF_BOARD else NAMES[met]
    if after.over or after.asked:
        return Played(after, tuple(happenings), cancelled)
    after, more = settle(after, answering or isinstance(step, Pass))
    return Played(after, (*happenings, *more), cancelled)


def settle(turn: Turn, interrupted: bool) -> tuple[Turn, list[Happening]]:
    """Close the turn if its compulsory part is done and nothing optional is legal (T-11).

    ``interrupted`` says that somebody else has just acted, so that what has become impossible is
    waived (T-37).
    """
    view = perceived(turn, turn.seat)
    lookahead = lookahead_for(view)
    rules = lookahead.rules
    if complete(view, rules):
        if not lookahead.has_next(view):
            return finish(turn, rules)
    elif interrupted and not lookahead.has_next(view):
        return finish(turn, rules)
    return turn, []
