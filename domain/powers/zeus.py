"""Zeus."""

from __future__ import annotations

from domain.board.geometry import Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.sight import dome_view
from domain.rules.turn import Turn


class Zeus(Power):
    """Your worker may build a block under itself and rise with it.

    Rule: P-30. Never a dome. The rise is a force: it neither wins nor counts as moving up. A square
    that reads as a dome to you is closed to this build as well (T-22).
    """

    key = "zeus"
    name = "Zeus"
    number = 30
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("build",)
    order_aid = 31

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Add the builder's own square while it has room for a block."""
        position = turn.position
        own = 1 << position.workers[worker]
        blocks, domes = sites
        return blocks | own & position.block_sites() & ~dome_view(position, held.seat), domes
