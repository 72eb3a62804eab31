"""Ares."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import neighbours_of, squares_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import RemoveBlock, Step
from domain.rules.turn import Turn


class Ares(Power):
    """At the end of your turn you may take the top block of a square next to an unmoved worker.

    Rule: P-12. The square is unoccupied for you and has no dome; a block of this turn will do.
    """

    key = "ares"
    name = "Ares"
    number = 12
    group = "advanced"
    players = (2, 3, 4)
    phases = ("end_of_turn",)
    order_aid = 62

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the blocks around the unmoved workers, once."""
        if not (turn.moves and turn.builds) or turn.other:
            return
        position = turn.position
        unmoved = position.crew_of(turn.side) & ~turn.moved
        around = neighbours_of(position.squares_of_crew(unmoved)) & position.levels[1]
        if around:
            for square in squares_of(around & ~shut_to(position, held.seat)):
                yield RemoveBlock(square)
