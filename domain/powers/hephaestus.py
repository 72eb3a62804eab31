"""Hephaestus."""

from __future__ import annotations

from domain.board.geometry import NOWHERE, Crew, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.turn import Turn


class Hephaestus(Power):
    """The worker that has built a block may put a second block on top of it, never a dome.

    Rule: P-6.
    """

    key = "hephaestus"
    name = "Hephaestus"
    number = 6
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("build",)
    order_aid = 27

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the builder go on after a block that left room for another."""
        if len(turn.builds) == 1 and not turn.builds[0].dome and turn.builds[0].height < 2:
            return crew | 1 << turn.builds[0].worker
        return crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Keep the second build on the square of the first."""
        if not turn.builds:
            return sites
        return sites[0] & 1 << turn.builds[0].at, NOWHERE
