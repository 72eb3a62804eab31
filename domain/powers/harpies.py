"""Harpies."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Fact, Forced
from domain.board.geometry import BEYOND, DIRECTION, OFF_BOARD
from domain.board.position import Held
from domain.rules.power import Power, Scope
from domain.rules.sight import shut_to
from domain.rules.turn import Arrival, Turn


class Harpies(Power):
    """A foe's worker that moves is blown on in its direction, as far as nothing is higher or shut.

    Rule: P-38. One force a square (R7), on the flat board; what is shut is judged for the seat that
    moves (T-23).
    """

    key = "harpies"
    name = "Harpies"
    number = 38
    group = "golden_fleece"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("opponent_turn",)
    bans = {"hermes": "rule", "triton": "rule", "maenads": "rule"}
    order_aid = 20
    scope = Scope.FOREIGN_WORKERS

    def carries(self, turn: Turn, held: Held, arrival: Arrival) -> Iterable[Fact]:
        """Force the mover from square to square until one stops it."""
        position = turn.position
        square = position.workers[arrival.worker]
        direction = DIRECTION[arrival.origin][arrival.target]
        shut = shut_to(position, turn.seat)
        while square >= 0:
            further = BEYOND[square][direction]
            if further == OFF_BOARD or shut >> further & 1:
                return
            if position.level(further) > position.level(square):
                return
            yield Forced(square, further)
            square = further
