"""Chronus."""

from __future__ import annotations

from domain.board.position import Held, Position
from domain.rules.power import Power

TOWERS_TO_WIN = 5


class Chronus(Power):
    """You win as soon as five Complete Towers stand, whoever built them.

    Rule: P-16. A fact about the table (W3), found at every check and at the start of a turn (S4).
    """

    key = "chronus"
    name = "Chronus"
    number = 16
    group = "advanced"
    players = (2,)
    phases = ("win_condition",)
    bans = {"nyx": "implementation"}
    order_aid = 2

    def stands_won(self, position: Position, held: Held) -> bool:
        """Count the Complete Towers."""
        return position.towers.bit_count() >= TOWERS_TO_WIN
