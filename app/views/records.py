"""A game as text: the board, and the record in notation (T-62)."""

from __future__ import annotations

from app.services.types import Snapshot
from app.views.sight import Viewer, seen
from domain.board.notation import text_board
from domain.game.record import record_text


def board_text(snapshot: Snapshot, viewer: Viewer) -> str:
    """Draw the board in characters, rank 5 on top."""
    position = snapshot.game.position
    assert position is not None
    return text_board(seen(position, viewer))


def record(snapshot: Snapshot, viewer: Viewer) -> str:
    """Write the whole game in notation; secrets are ``?`` until the end."""
    return record_text(snapshot.game, viewer.key)
