"""Pegasus."""

from __future__ import annotations

from domain.board.geometry import NEIGHBOURS, Mask, Side, Square, Worker
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.turn import Arrival, Turn


class Pegasus(Power):
    """Your worker may rise any number of levels, but a rise of more than one cannot win.

    Rule: P-67. After such a rise onto level 3 the turn goes on with the build. The rise of the move
    itself counts, also where a whirlpool carries it on.
    """

    key = "pegasus"
    name = "Pegasus"
    number = 67
    group = "promo"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    order_aid = 54

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Add the free neighbours of any height."""
        position = turn.position
        square = position.workers[worker]
        higher = NEIGHBOURS[square] & position.levels[position.level(square) + 2]
        return targets | higher & ~shut_to(position, held.seat) if higher else targets

    def denies_win(
        self, turn: Turn, held: Held, side: Side, arrival: Arrival | None, square: Square
    ) -> bool:
        """Cancel the holder's own climb by a rise of two or more."""
        return turn.seat == held.seat and arrival is not None and arrival.rise > 1
