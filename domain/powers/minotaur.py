"""Minotaur."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Fact, Forced
from domain.board.geometry import BEYOND, DIRECTION, NEIGHBOURS, OFF_BOARD, Mask, Square, Worker
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import shut_to, targetable_foes
from domain.rules.turn import Turn


class Minotaur(Power):
    """Your worker may move onto a neighbouring foe and push it one square on, at any height.

    Rule: P-8. The square behind must exist and be unoccupied for you (T-23); the height rule holds
    for the move, not for the push (R1).
    """

    key = "minotaur"
    name = "Minotaur"
    number = 8
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    order_aid = 59

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Add the foes that can be pushed away."""
        position = turn.position
        square = position.workers[worker]
        near = NEIGHBOURS[square] & position.occupied & ~position.levels[position.level(square) + 2]
        if not near:
            return targets
        near &= position.squares_of_crew(targetable_foes(position, held.seat))
        shut = shut_to(position, held.seat) if near else 0
        while near:
            low = near & -near
            near ^= low
            foe = low.bit_length() - 1
            behind = BEYOND[foe][DIRECTION[square][foe]]
            if behind != OFF_BOARD and not shut >> behind & 1:
                targets |= low
        return targets

    def displaces(self, turn: Turn, held: Held, mover: Worker, target: Square) -> Iterable[Fact]:
        """Force the other worker one square on, if it can go there."""
        position = turn.position
        behind = BEYOND[target][DIRECTION[position.workers[mover]][target]]
        if behind != OFF_BOARD and not shut_to(position, held.seat) >> behind & 1:
            yield Forced(target, behind)
