"""Atlas."""

from __future__ import annotations

from domain.board.geometry import NEIGHBOURS, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.sight import shut_to
from domain.rules.turn import Turn


class Atlas(Power):
    """Your build may be a dome at any height.

    Rule: P-4. A dome below height 3 makes no Complete Tower; it may be put where the next block has
    run out (C-10).
    """

    key = "atlas"
    name = "Atlas"
    number = 4
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("build",)
    bans = {"gaea": "rule"}
    order_aid = 40

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Allow a dome on every unoccupied neighbour."""
        position = turn.position
        around = NEIGHBOURS[position.workers[worker]] & ~shut_to(position, held.seat)
        return sites[0], sites[1] | around
