"""What may happen next in a game: pure questions that change nothing (contract, sections 4, 5)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from domain.board.geometry import Seat
from domain.game import draft, setup
from domain.game.events import Finished
from domain.game.state import TURN_KINDS, Game
from domain.rules import engine
from domain.rules.engine import LegalTurn, legal_steps
from domain.rules.resolve import untouched
from domain.rules.step import (
    END,
    Build,
    Choose,
    End,
    Move,
    Pass,
    PlaceToken,
    Step,
)
from domain.rules.turn import Turn

DEFAULT_LIMIT = 500


class Prospect(Struct, frozen=True):
    """Who is to act after some looked-ahead steps, and what is then legal."""

    seat: Seat | None
    steps: tuple[Step, ...]
    can_end: bool


def seat_to_act(game: Game) -> Seat | None:
    """Return the seat that is to act, or None when nobody is."""
    return None if game.clock is None else game.clock.seat


def legal_next(game: Game) -> tuple[Step, ...]:
    """List the legal next steps of the seat to act, sorted by notation; empty when nobody is."""
    if game.clock is None:
        return ()
    if game.clock.kind == "draft":
        return draft.steps(game)
    if game.clock.kind in ("setup", "placement"):
        return setup.steps(game)
    return () if game.turn is None else legal_steps(game.turn)


def can_end(game: Game) -> bool:
    """Say whether ``end`` is among the legal steps."""
    return END in legal_next(game)


def phase(game: Game) -> str:
    """Name the phase of what is running (contract, section 4), empty when nothing is."""
    clock = game.clock
    if clock is None:
        return ""
    if clock.kind == "draft":
        decision = draft.pending(game)
        return decision.name if decision else ""
    if clock.kind == "setup":
        return _setup_phase(legal_next(game))
    if clock.kind == "placement":
        return "place"
    if clock.kind == "interrupt":
        return "place_worker"
    return "" if game.turn is None else _turn_phase(game.turn)


_SETUP_PHASES = {"arrow": "direction"}


def _setup_phase(steps: tuple[Step, ...]) -> str:
    match steps[0] if steps else None:
        case Choose(name, _):
            return name
        case PlaceToken(token, _, _):
            return _SETUP_PHASES.get(token, token)
    return "ram"


def _turn_phase(turn: Turn) -> str:
    """Return the first of start, move, build, end in which a step is still legal."""
    steps = legal_steps(turn)
    kinds = {type(step) for step in steps}
    if Move in kinds:
        rising = not (turn.moves or turn.builds)
        early = any(_before_moves(turn, step) for step in steps) if rising else False
        return "start" if early else "move"
    if Build in kinds:
        return "build"
    if kinds - {End, Pass} or not turn.builds:
        return "end" if turn.builds else "move"
    return "end"


def _before_moves(turn: Turn, step: Step) -> bool:
    """Say whether a step belongs to the start of the turn rather than to the move phase."""
    return False


def legal_turns(game: Game, limit: int = DEFAULT_LIMIT) -> tuple[list[LegalTurn], bool]:
    """List one canonical completion for every result (T-63), and whether the list was cut."""
    if game.turn is None or game.clock is None or game.clock.kind not in TURN_KINDS:
        return [], False
    return engine.legal_turns(game.turn, limit)


def losers_by_seat(result: Finished) -> Iterator[tuple[Seat, str]]:
    """Yield each losing seat with its reason."""
    return ((loser.seat, loser.reason) for loser in result.losers)


__all__ = ["untouched"]
