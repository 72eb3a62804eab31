"""Urania."""

from __future__ import annotations

from domain.board.geometry import WRAPPED_NEIGHBOURS, Mask, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.sight import shut_to
from domain.rules.turn import Turn


class Urania(Power):
    """When your worker moves or builds, opposite edges and corners of the board touch.

    Rule: P-45. For everything else the board is flat; a step over the edge has the direction it
    would have if the board went on (T-24).
    """

    key = "urania"
    name = "Urania"
    number = 45
    group = "golden_fleece"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move", "build")
    bans = {"aphrodite": "rule"}
    order_aid = 49

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Add the squares over the edge that are open and not too high."""
        position = turn.position
        square = position.workers[worker]
        over = WRAPPED_NEIGHBOURS[square] & ~position.levels[position.level(square) + 2]
        return targets | over & ~shut_to(position, held.seat)

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Add the sites over the edge."""
        position = turn.position
        around = WRAPPED_NEIGHBOURS[position.workers[worker]] & ~shut_to(position, held.seat)
        blocks, domes = sites
        return blocks | around & position.block_sites(), domes | around & position.levels[3]
