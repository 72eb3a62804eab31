"""Bia."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Fact, WorkerRemoved
from domain.board.geometry import BEYOND, DIRECTION, OFF_BOARD, PERIMETER, Mask
from domain.board.position import Held, Position
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.turn import Arrival, Turn


class Bia(Power):
    """A foe on the square behind the one your worker moves into leaves the game.

    Rule: P-13. At any height, on every move, before the win check (R3). You start, and your workers
    are placed on the perimeter.
    """

    key = "bia"
    name = "Bia"
    number = 13
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("setup", "move")
    bans = {"nemesis": "rule", "tartarus": "rule"}
    order_aid = 0
    must_start = True
    revised = True

    def strikes(self, turn: Turn, held: Held, arrival: Arrival) -> Iterable[Fact]:
        """Remove the foe the move ran into."""
        direction = DIRECTION[arrival.origin][arrival.target]
        behind = BEYOND[arrival.target][direction]
        position = turn.position
        if behind == OFF_BOARD or not position.occupied >> behind & 1:
            return
        if targetable_foes(position, held.seat) >> position.worker_at(behind) & 1:
            yield WorkerRemoved(behind)

    def placements(self, position: Position, held: Held, squares: Mask) -> Mask:
        """Keep to the perimeter."""
        return squares & PERIMETER
