"""Athena."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import NOWHERE, Mask, Worker
from domain.board.position import Held, Note, Position
from domain.rules.power import Power, Scope
from domain.rules.sight import above
from domain.rules.turn import Turn


class Athena(Power):
    """While your last turn took a worker up, workers that are not yours cannot move up.

    Rule: P-3. Note: True while the ban is on; it starts empty in new hands (T-49).
    """

    key = "athena"
    name = "Athena"
    number = 3
    group = "simple"
    players = (2, 3, 4)
    phases = ("opponent_turn",)
    order_aid = 63
    scope = Scope.FOREIGN_WORKERS
    note_travels = False

    def initial_note(self) -> Note:
        """No ban yet."""
        return False

    def starts_turn(self, position: Position, held: Held) -> Iterable[Fact]:
        """Lift the ban when the holder's own turn comes (S2)."""
        if held.note:
            yield PowerChanged(held.seat, self.key, False)

    def ends_turn(self, turn: Turn, held: Held) -> Iterable[Fact]:
        """Set the ban from the moves of this turn (E2)."""
        if turn.climbed:
            yield PowerChanged(held.seat, self.key, True)

    def forbidden_targets(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Forbid every higher square while the ban is on."""
        return above(turn.position, worker) if held.note else NOWHERE

    def state(self, note: Note) -> dict[str, Any]:
        """``ban``: whether foes cannot move up now."""
        return {"ban": bool(note)}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``ban``."""
        return bool(state.get("ban", False))

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write ``u`` while the ban is on (T-71)."""
        return "u" if held.note else ""
