"""Bellerophon."""

from __future__ import annotations

from domain.board.geometry import NEIGHBOURS, Mask, Worker
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.turn import Turn


class Bellerophon(Power):
    """Once, your worker may rise two levels in a move.

    Rule: P-49. Spent by that move; never three levels. From level 1 onto level 3 it wins (W1).
    """

    key = "bellerophon"
    name = "Bellerophon"
    number = 49
    group = "hero"
    players = (2,)
    hero = True
    phases = ("move",)
    bans = {"circe": "rule"}
    order_aid = 14

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Add the neighbours exactly two levels higher."""
        position = turn.position
        square = position.workers[worker]
        level = position.level(square)
        if level > 1:
            return targets
        two_up = NEIGHBOURS[square] & position.levels[level + 2] & ~position.levels[level + 3]
        return targets | two_up & ~shut_to(position, held.seat) if two_up else targets

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether a move rose two levels."""
        return any(move.rise == 2 for move in turn.moves)
