"""What a seat may do next: legal steps and legal turns (contract, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.services.types import Reading
from app.views.sight import Viewer, viewer_for
from app.views.steps import step_body
from domain.board.geometry import Seat
from domain.game import outlook
from domain.game.outlook import Prospect
from domain.game.state import Game
from domain.rules.engine import LegalTurn


def legal_steps_body(reading: Reading, after: str) -> dict[str, Any]:
    """Return every legal next step beyond ``after``, sorted by notation.

    Raises:
        Refusal: ``after`` cannot be played.
    """
    game = reading.snapshot.game
    if _kept_secret(game, viewer_for(reading)):
        prospect = Prospect(outlook.seat_to_act(game))
    else:
        prospect = outlook.prospect(game, after)
    return {
        "version": game.version,
        "seat": prospect.seat,
        "after": after,
        "steps": [step_body(step) for step in prospect.steps],
        "can_end": prospect.can_end,
    }


def _kept_secret(game: Game, viewer: Viewer) -> bool:
    """Say whether the list would tell this viewer a secret of the seat to act (T-51)."""
    return outlook.acts_in_secret(game) and not viewer.sees(outlook.seat_to_act(game))


def legal_turns_body(reading: Reading, after: str, limit: int) -> dict[str, Any]:
    """Return one canonical completion for every result the turn can still have (T-63).

    Raises:
        Refusal: ``after`` cannot be played.
    """
    game = reading.snapshot.game
    seat = outlook.seat_to_act(game)
    turns: list[LegalTurn] = []
    truncated = False
    viewer = viewer_for(reading)
    if not _kept_secret(game, viewer):
        turns, truncated = outlook.legal_turns(game, after, limit, viewer.key)
    active = game.turn.seat if game.turn is not None else seat
    return {
        "version": game.version,
        "seat": seat,
        "after": after,
        "turns": [turn_body(turn, active, outlook.winners_of(game, turn.winner)) for turn in turns],
        "truncated": truncated,
    }


def turn_body(turn: LegalTurn, active: Seat | None, winners: Sequence[Seat]) -> dict[str, Any]:
    """Return one canonical turn; an answer to an interrupt bears the seat that gives it."""
    return {
        "notation": turn.line,
        "steps": [
            step_body(step) if seat == active else step_body(step) | {"seat": seat}
            for seat, step in turn.steps
        ],
        "key": turn.key,
        "winners": list(winners),
    }
