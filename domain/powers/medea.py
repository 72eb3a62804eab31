"""Medea."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import neighbours_of, squares_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import dome_view
from domain.rules.step import RemoveBlocks, Step
from domain.rules.turn import Turn


class Medea(Power):
    """Once, after your build, remove all blocks from under a worker next to one of yours.

    Rule: P-52. Anybody's worker, on at least one block; it is forced down to the ground. Not one
    seen as under a dome (T-22).
    """

    key = "medea"
    name = "Medea"
    number = 52
    group = "hero"
    players = (2,)
    hero = True
    phases = ("end_of_turn",)
    bans = {"circe": "rule", "hecate": "rule"}
    order_aid = 19
    revised = True

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer each raised worker next to an own one."""
        if turn.builds and not turn.other:
            position = turn.position
            around = neighbours_of(position.squares_of_crew(position.crew_of(turn.side)))
            raised = around & position.occupied & position.levels[1]
            if raised:
                raised &= ~dome_view(position, held.seat)
                yield from (RemoveBlocks(square) for square in squares_of(raised))

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether blocks were removed."""
        return bool(turn.other)
