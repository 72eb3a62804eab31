"""Legal steps, the playing of a step, and why a step is not legal."""

from __future__ import annotations

from typing import NamedTuple

from domain.board.geometry import NAMES, OFF_BOARD
from domain.rules.candidates import candidate_steps, complete
from domain.rules.lookahead import Lookahead, lookahead_for
from domain.rules.perception import perceived
from domain.rules.plain import plain_builds, plain_moves
from domain.rules.resolve import Happening, advance, finish, untouched
from domain.rules.ruleset import ruleset_for
from domain.rules.secrets import attempt
from domain.rules.step import END, Build, Move, Pass, Step, text_of
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
    if rules.plain:
        return plain_builds(turn) if turn.moves else plain_moves(turn)
    return searched_steps(turn)


def searched_steps(turn: Turn) -> tuple[Step, ...]:
    """List every legal next step by the general search; see ``legal_steps``."""
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
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


def play(turn: Turn, step: Step) -> Played:
    """Play a legal step and let the turn close by itself when nothing is left to choose (T-11).

    The returned turn is ``closed`` when it has ended and has an ``outcome`` when somebody won or
    lost. Whether the step is legal is the caller's to know (``legal_steps``).
    """
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    if rules.plain and (type(step) is Move or type(step) is Build):
        # A move leaves the build to choose; after a build nothing is left.
        after, happenings = advance(turn, step, rules)
        return Played(finish(after, rules)[0] if after.builds else after, tuple(happenings))
    return searched_play(turn, step)


def searched_play(turn: Turn, step: Step) -> Played:
    """Play any legal step and search for what is left to choose; see ``play``."""
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
