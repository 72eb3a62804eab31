"""Asteria."""

from __future__ import annotations

from domain.board.geometry import NOWHERE, Crew, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.sight import open_to
from domain.rules.turn import Turn


class Asteria(Power):
    """If a worker of yours moved down, you may end the turn with a dome on any free square.

    Rule: P-62. It is a build of the worker that built, distance apart, at any height. Forces down
    do not count.
    """

    key = "asteria"
    name = "Asteria"
    number = 62
    group = "promo"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("end_of_turn",)
    bans = {"hades": "rule"}
    order_aid = 45

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the builder go on once after a move down."""
        if turn.descended and len(turn.builds) == 1:
            return crew | 1 << turn.builds[0].worker
        return crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """After the build only domes, but anywhere."""
        return (NOWHERE, open_to(turn.position, held.seat)) if turn.builds else sites
