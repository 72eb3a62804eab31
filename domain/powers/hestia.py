"""Hestia."""

from __future__ import annotations

from domain.board.geometry import INTERIOR, Crew, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.turn import Turn


class Hestia(Power):
    """After its build the same worker may build once more, but not on the perimeter.

    Rule: P-21. The second build may go on the same square as the first.
    """

    key = "hestia"
    name = "Hestia"
    number = 21
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("build",)
    order_aid = 60

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the builder go on after its first build."""
        return crew | 1 << turn.builds[0].worker if len(turn.builds) == 1 else crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Keep the second build off the perimeter."""
        if not turn.builds:
            return sites
        blocks, domes = sites
        return blocks & INTERIOR, domes & INTERIOR
