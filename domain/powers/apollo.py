"""Apollo."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Fact, Forced
from domain.board.geometry import NEIGHBOURS, Mask, Square, Worker
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.turn import Turn


class Apollo(Power):
    """Your worker may move onto a neighbouring foe, who is put where yours came from.

    Rule: P-1. The height rule holds for the move, not for the displaced worker (R1).
    """

    key = "apollo"
    name = "Apollo"
    number = 1
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    order_aid = 18

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Add the foes next to the worker that stand no more than one level higher."""
        position = turn.position
        square = position.workers[worker]
        foes = position.squares_of_crew(targetable_foes(position, held.seat))
        within = ~position.levels[position.level(square) + 2]
        return targets | NEIGHBOURS[square] & foes & within

    def displaces(self, turn: Turn, held: Held, mover: Worker, target: Square) -> Iterable[Fact]:
        """Force the other worker to the square the mover leaves."""
        yield Forced(target, turn.position.workers[mover])
