"""Castor and Pollux."""

from __future__ import annotations

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.step import End, Step
from domain.rules.turn import Turn


class Castor(Power):
    """Instead of a normal turn, all your workers move and none builds, or all build and none moves.

    Rule: P-58. Once each, in any order. The first move commits to nothing: its mover may build, or
    the next one moves. A build before any move commits to the build turn.
    """

    key = "castor"
    name = "Castor & Pollux"
    number = 58
    group = "promo"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("alternative_turn",)
    order_aid = 13
    build_completes = True

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Until something is built, the workers that have not moved may move."""
        if turn.builds or not turn.moves:
            return crew
        return crew | turn.position.crew_of(turn.side) & ~turn.moved

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Without a move every worker builds once; after a second move nobody does."""
        if not turn.moves:
            return crew | turn.position.crew_of(turn.side) & ~self._built(turn)
        return crew if len(turn.moves) == 1 else 0

    def may_rise(self, turn: Turn, held: Held) -> bool:
        """A build ends all moving."""
        return not turn.builds

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """All have moved, or all have built, or one has done both."""
        if complete or not (turn.moves or turn.builds):
            return complete
        crew = turn.position.crew_of(turn.side)
        done = turn.moved if turn.moves else self._built(turn)
        return bool(crew) and not crew & ~done

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """A lone worker's move without a build is an alternative turn (C-36)."""
        alone = len(turn.moves) == 1 and not turn.builds
        return optional or (isinstance(step, End) and alone)

    @staticmethod
    def _built(turn: Turn) -> Crew:
        crew = 0
        for build in turn.builds:
            crew |= 1 << build.worker
        return crew
