"""Hydra."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import NEIGHBOURS, Mask, neighbours_of, squares_of
from domain.board.position import Held, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import PlaceWorker, RemoveWorker, Step
from domain.rules.turn import Turn


class Hydra(Power):
    """At the end of your turn gain a worker if no two of yours are neighbours, else lose one.

    Rule: P-64. Compulsory (T-35), judged after the build. The new worker stands on one of the
    lowest free squares around the mover, if there is any; a removed one is your free choice.
    """

    key = "hydra"
    name = "Hydra"
    number = 64
    group = "promo"
    players = (2, 3)
    phases = ("end_of_turn",)
    order_aid = 43
    gains_workers = True
    build_completes = True

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the placements, or the removals."""
        if not turn.moves or not turn.builds or turn.other:
            return
        position = turn.position
        own = position.squares_of_crew(position.crew_of(turn.side))
        if own & neighbours_of(own):
            yield from (RemoveWorker(square) for square in squares_of(own))
        else:
            yield from (PlaceWorker(square) for square in squares_of(self._lowest(turn, held)))

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """Not before the step is done, if there is one."""
        return complete and (bool(turn.other) or not any(True for _ in self.actions(turn, held)))

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """The step is compulsory."""
        return optional and not isinstance(step, PlaceWorker | RemoveWorker)

    def _lowest(self, turn: Turn, held: Held) -> Mask:
        position: Position = turn.position
        free = NEIGHBOURS[position.workers[turn.moves[-1].worker]]
        free &= ~shut_to(position, held.seat)
        for level in (1, 2, 3):
            lower = free & ~position.levels[level]
            if lower:
                return lower
        return free
