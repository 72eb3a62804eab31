"""Demeter."""

from __future__ import annotations

from domain.board.geometry import Crew, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.turn import Turn


class Demeter(Power):
    """The worker that has built may build once more, on another square.

    Rule: P-5.
    """

    key = "demeter"
    name = "Demeter"
    number = 5
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("build",)
    order_aid = 55

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the builder go on after its first build."""
        if len(turn.builds) == 1:
            return crew | 1 << turn.builds[0].worker
        return crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Leave out the square of the first build."""
        if not turn.builds:
            return sites
        other = ~(1 << turn.builds[0].at)
        return sites[0] & other, sites[1] & other
