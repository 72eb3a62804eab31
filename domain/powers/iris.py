"""Iris."""

from __future__ import annotations

from domain.board.geometry import (
    BEYOND,
    DIRECTION,
    NEIGHBOURS,
    OFF_BOARD,
    SQUARES,
    Mask,
    Square,
    Worker,
    squares_of,
)
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import dome_view
from domain.rules.turn import Turn

LANDINGS: tuple[dict[Square, Mask], ...] = tuple(
    {
        over: 1 << beyond
        for over in squares_of(NEIGHBOURS[square])
        if (beyond := BEYOND[over][DIRECTION[square][over]]) != OFF_BOARD
    }
    for square in SQUARES
)
"""``LANDINGS[square][neighbour]``: the square directly beyond the neighbour, as a mask."""


class Iris(Power):
    """Your worker may jump over a neighbouring worker onto the free square right behind it.

    Rule: P-65. Any rise; landing on level 3 from below wins. A move of length two in that direction
    (T-24). A square seen as a dome can be neither jumped over nor landed on.
    """

    key = "iris"
    name = "Iris"
    number = 65
    group = "promo"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    bans = {"hecate": "implementation"}
    order_aid = 37

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Add the squares right behind neighbouring workers."""
        position = turn.position
        square = position.workers[worker]
        over = NEIGHBOURS[square] & position.occupied
        if not over:
            return targets
        seen = dome_view(position, held.seat)
        behind, landings = 0, LANDINGS[square]
        for neighbour in squares_of(over & ~seen):
            behind |= landings.get(neighbour, 0)
        return targets | behind & ~(position.occupied | position.domes | seen)
