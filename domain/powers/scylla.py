"""Scylla."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import NEIGHBOURS, NOWHERE, Mask, squares_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import shut_to, targetable_foes
from domain.rules.step import Force, Step
from domain.rules.turn import Turn


class Scylla(Power):
    """After its move your worker may drag one foe that neighbours the left square onto that square.

    Rule: P-57. Any height, if the square is free. A winning move wins before it. Where slides or
    whirlpools wait for the answer, declining is an explicit pass (T-10a, R5).
    """

    key = "scylla"
    name = "Scylla"
    number = 57
    group = "promo"
    players = (2, 4)
    golden_fleece = True
    phases = ("move",)
    bans = {"hecate": "rule"}
    order_aid = 36

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer each foe beside the square just left."""
        prey = self._prey(turn, held)
        if prey:
            to = turn.moves[-1].origin
            yield from (Force(square, to) for square in squares_of(prey))

    def awaits(self, turn: Turn, held: Held) -> bool:
        """Say whether there is somebody to drag."""
        return bool(self._prey(turn, held))

    def _prey(self, turn: Turn, held: Held) -> Mask:
        if turn.fresh != "move":
            return NOWHERE
        position, left = turn.position, turn.moves[-1].origin
        near = NEIGHBOURS[left] & position.occupied
        if not near or shut_to(position, held.seat) >> left & 1:
            return NOWHERE
        return near & position.squares_of_crew(targetable_foes(position, held.seat))
