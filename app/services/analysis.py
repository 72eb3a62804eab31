"""The rules as a service: a position and steps in, what is legal and what follows out.

Stateless, and nothing is secret here (contract, section 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.board.geometry import Seat
from domain.board.position import Position
from domain.game.errors import Flaw, IllegalStep, Refusal
from domain.game.play import require_legal
from domain.game.possible import wrongs
from domain.rules.engine import (
    BadNotation,
    LegalTurn,
    legal_steps,
    legal_turns,
    open_turn,
    parse_line,
    play,
    position_key,
    start_verdict,
)
from domain.rules.parsing import Word
from domain.rules.positions import ImpossiblePosition, read_position, write_position
from domain.rules.step import Step
from domain.rules.turn import Outcome, Turn
from domain.rules.turns import PATIENCE, successor

_UNREADABLE = (KeyError, ValueError, TypeError, AttributeError, IndexError)


class Analysis(Struct, frozen=True):
    """A position and the turn it opens, played as far as asked."""

    key: str
    """Key of the position given (T-70)."""
    turn: Turn
    """The turn after the steps asked for."""
    winners: tuple[Seat, ...]
    """Seats that have won by these steps, or by a verdict S4 or S5 before them."""

    @property
    def seat(self) -> Seat | None:
        """The seat to act, None when the turn is over."""
        return None if self.over else self.turn.asked or self.turn.seat

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.turn.over or bool(self.winners)

    def steps(self) -> tuple[Step, ...]:
        """List the legal next steps, sorted by notation."""
        return () if self.over else legal_steps(self.turn)

    def turns(self, limit: int) -> tuple[list[LegalTurn], bool]:
        """List one canonical completion for every result, and whether the list was cut."""
        return ([], False) if self.over else legal_turns(self.turn, limit, effort=PATIENCE)

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """Return the seats of a side, none for side 0."""
        return self.turn.position.table.seats_of(side) if side else ()

    def result(self) -> dict[str, Any]:
        """Return the position after the steps, in the JSON form it is given in.

        Once the turn has closed it is the position of the turn that follows (T-73).
        """
        turn = self.turn
        if turn.closed and turn.outcome is None:
            return write_position(*successor(turn))
        return write_position(turn.position, turn.seat, turn.kind)


def analyse(data: Mapping[str, Any], after: str = "") -> Analysis:
    """Read a position and play steps from there.

    Raises:
        Refusal: ``validation_failed`` with pointers for an impossible position or for what is no
            notation.
        IllegalStep: a step of ``after`` is not legal.
    """
    position, seat, kind = _read(data)
    turn = open_turn(position, seat, kind)
    key = position_key(position, seat, kind)
    winners = _standing(turn)
    words = _words(after)
    if words and winners:
        told = "The game is over in this position."
        raise IllegalStep("wrong_phase", told).inside("/after", words[0].text)
    for index, word in enumerate(words):
        turn = _played(turn, word, index)
    if turn.outcome is not None:
        winners = _winners(turn, turn.outcome)
    return Analysis(key, turn, winners)


def _played(turn: Turn, word: Word, index: int) -> Turn:
    assert word.step is not None
    try:
        if turn.over:
            raise IllegalStep("wrong_phase", "The turn is over before this step.", index)
        if (word.seat or turn.seat) != (turn.asked or turn.seat):
            who = turn.asked or turn.seat
            raise IllegalStep("wrong_phase", f"Seat {who} is to act before this step.", index)
        require_legal(turn, word.step, index)
    except IllegalStep as refusal:
        raise refusal.inside("/after", word.text) from None
    return play(turn, word.step).turn


def _words(after: str) -> list[Word]:
    try:
        line = parse_line(after)
    except BadNotation as error:
        detail = f"{str(error).capitalize()}."
        flaw = Flaw("/after", "not_notation", detail)
        raise Refusal("validation_failed", detail, [flaw]) from None
    return [word for word in line.words if word.step is not None]


# -- verdicts -----------------------------------------------------------------------------------


def _standing(turn: Turn) -> tuple[Seat, ...]:
    """Return who has won before anything is played: S4, or S5 with two sides left."""
    verdict = start_verdict(turn)
    if verdict is not None:
        return _winners(turn, verdict)
    if turn.kind == "normal" and not legal_steps(turn):
        return _winners(turn, Outcome(losers=(turn.side,)))
    return ()


def _winners(turn: Turn, outcome: Outcome) -> tuple[Seat, ...]:
    table, out = turn.position.table, turn.position.out
    if outcome.winner:
        return table.seats_of(outcome.winner)
    sides = {table.side(seat) for seat in range(1, table.seats + 1) if seat not in out}
    left = sides - set(outcome.losers)
    return table.seats_of(left.pop()) if len(left) == 1 else ()


# -- impossible positions -----------------------------------------------------------------------


def _read(data: Mapping[str, Any]) -> tuple[Position, Seat, str]:
    try:
        position, seat, kind = read_position(data)
    except ImpossiblePosition as error:
        raise _impossible([(error.pointer, f"{error.detail.capitalize()}.")]) from None
    except _UNREADABLE:
        raise _impossible([("", "The position cannot be read.")]) from None
    flaws = wrongs(position, seat, kind)
    if flaws:
        raise _impossible(flaws)
    return position, seat, kind


def _impossible(flaws: Sequence[tuple[str, str]]) -> Refusal:
    return Refusal(
        "validation_failed",
        "This position cannot stand on a table.",
        [Flaw(f"/position{pointer}", "impossible", detail) for pointer, detail in flaws],
    )
