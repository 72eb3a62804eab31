"""Eros."""

from __future__ import annotations

from domain.board.geometry import EDGES, NEIGHBOURS, NOWHERE, OPPOSITE_EDGE, PERIMETER, Mask, Square
from domain.board.position import Held, Position
from domain.rules.power import Power
from domain.rules.turn import Arrival, Turn


class Eros(Power):
    """You also win by moving one of your two workers next to the other, both on level 1.

    Rule: P-19. With three players any common level will do, also after one of them is out. A worker
    carried on by its move is judged where it came to rest. Your workers start on opposite edges.
    """

    key = "eros"
    name = "Eros"
    number = 19
    group = "advanced"
    players = (2, 3, 4)
    phases = ("setup", "win_condition")
    bans = {"circe": "rule"}
    order_aid = 21

    def claims_win(self, turn: Turn, held: Held, arrival: Arrival, square: Square) -> bool:
        """Win when exactly two workers are left and they meet on a proper level (W2)."""
        position = turn.position
        crew = position.crew_of(position.table.side(held.seat))
        other = crew & ~(1 << arrival.worker)
        if crew.bit_count() != 2 or other == crew:
            return False
        place = position.workers[other.bit_length() - 1]
        level = position.level(square)
        return (
            bool(NEIGHBOURS[square] >> place & 1)
            and level == position.level(place)
            and (level == 1 or position.table.variant == "trio")
        )

    def placements(self, position: Position, held: Held, squares: Mask) -> Mask:
        """Start on the perimeter; the second worker opposite to an edge of the first."""
        first = position.squares_of_crew(position.crew_of(position.table.side(held.seat)))
        if not first:
            return squares & PERIMETER
        opposite = NOWHERE
        for edge, mask in EDGES.items():
            if mask & first:
                opposite |= EDGES[OPPOSITE_EDGE[edge]]
        return squares & opposite
