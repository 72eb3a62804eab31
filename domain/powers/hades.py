"""Hades."""

from __future__ import annotations

from domain.board.geometry import Mask, Worker
from domain.board.position import Held
from domain.rules.power import Power, Scope
from domain.rules.sight import below
from domain.rules.turn import Turn


class Hades(Power):
    """Workers that are not yours cannot move down.

    Rule: P-37. Forces down are free.
    """

    key = "hades"
    name = "Hades"
    number = 37
    group = "golden_fleece"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("opponent_turn",)
    bans = {"pan": "rule", "asteria": "rule"}
    order_aid = 3
    scope = Scope.FOREIGN_WORKERS

    def forbidden_targets(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Forbid every lower square."""
        return below(turn.position, worker)
