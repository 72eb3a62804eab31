"""Pan."""

from __future__ import annotations

from domain.board.geometry import Square
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Arrival, Turn


class Pan(Power):
    """You also win when one move takes a worker of yours down two or more levels.

    Rule: P-9. A fall onto a whirlpool that carries the worker on counts for nothing (P-32).
    """

    key = "pan"
    name = "Pan"
    number = 9
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("win_condition",)
    bans = {"hades": "rule"}
    order_aid = 38

    def claims_win(self, turn: Turn, held: Held, arrival: Arrival, square: Square) -> bool:
        """Claim a deep fall that ends where the move went."""
        return arrival.rise <= -2 and square == arrival.target
