"""When a step meets what its player could not know (P-39, T-53)."""

from __future__ import annotations

from msgspec.structs import replace

from domain.board.geometry import OFF_BOARD, Square
from domain.rules.candidates import candidate_steps
from domain.rules.history import ask
from domain.rules.perception import hidden_crew
from domain.rules.resolve import Progress, advance, finish
from domain.rules.ruleset import Ruleset
from domain.rules.step import Step
from domain.rules.turn import Turn


def attempt(turn: Turn, step: Step, rules: Ruleset) -> tuple[Progress, Square]:
    """Play a step that is legal for what its seat knows on the true table.

    The square is that of the hidden worker on which the step was cancelled, else ``OFF_BOARD``. A
    cancelled step does nothing: the turn closes, or goes on if it was an interrupt's answer.
    """
    square = _conflict(turn, step, rules)
    if square == OFF_BOARD:
        return advance(turn, step, rules), OFF_BOARD
    if turn.asked:
        return (ask(turn, 0), []), square
    return finish(replace(turn, cut=True), rules), square


def _conflict(turn: Turn, step: Step, rules: Ruleset) -> Square:
    """Return the square of the hidden worker in the step's way, or ``OFF_BOARD``.

    There is none if the seat's own powers let it do on the true table what it chose in ignorance.
    """
    hidden = hidden_crew(turn.position, turn.asked or turn.seat)
    if not hidden:
        return OFF_BOARD
    square: Square = getattr(step, "to", getattr(step, "at", OFF_BOARD))
    if square < 0 or not turn.position.squares_of_crew(hidden) >> square & 1:
        return OFF_BOARD
    return OFF_BOARD if step in candidate_steps(turn, rules) else square
