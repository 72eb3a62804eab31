"""Hera."""

from __future__ import annotations

from domain.board.geometry import PERIMETER, Side, Square
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Arrival, Turn


class Hera(Power):
    """Your foes cannot win, on their turns, by a move that ends on the perimeter.

    Rule: P-20. The move stays and the turn goes on. A win without a move is none of her business
    (W3). A worker carried on by its move counts where it came to rest.
    """

    key = "hera"
    name = "Hera"
    number = 20
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("opponent_turn",)
    order_aid = 5

    def denies_win(
        self, turn: Turn, held: Held, side: Side, arrival: Arrival | None, square: Square
    ) -> bool:
        """Cancel a foe's win by a move to the perimeter in a foe's turn (T-32)."""
        if arrival is None or not PERIMETER >> square & 1:
            return False
        own = turn.position.table.side(held.seat)
        return side != own and turn.side != own
