"""Limus."""

from __future__ import annotations

from domain.board.geometry import Worker, neighbours_of
from domain.board.position import Held
from domain.rules.power import Power, Scope, Sites
from domain.rules.turn import Turn


class Limus(Power):
    """Workers that are not yours cannot build next to yours, except to complete a tower.

    Rule: P-23. Only a dome on three blocks is excepted (C-6). Every kind of build is bound,
    placements and removals are not.
    """

    key = "limus"
    name = "Limus"
    number = 23
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("opponent_turn",)
    bans = {"terpsichore": "rule"}
    order_aid = 16
    revised = True
    scope = Scope.FOREIGN_WORKERS

    def forbidden_sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Forbid the squares around the holder's workers, domes on full stacks apart."""
        position = turn.position
        crew = position.crew_of(position.table.side(held.seat))
        around = neighbours_of(position.squares_of_crew(crew))
        return around, around & ~position.levels[3]
