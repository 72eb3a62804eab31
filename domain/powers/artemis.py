"""Artemis."""

from __future__ import annotations

from domain.board.geometry import Crew, Mask, Worker
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Turn


class Artemis(Power):
    """After its move the same worker may move once more, but not back to where it began.

    Rule: P-2.
    """

    key = "artemis"
    name = "Artemis"
    number = 2
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    order_aid = 53

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the mover go on while it has made one move and nothing has been built."""
        if turn.first is not None and turn.last == turn.first and not turn.builds:
            return crew | 1 << turn.first.worker
        return crew

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Leave out the square the first move left."""
        return targets if turn.first is None else targets & ~(1 << turn.first.origin)
