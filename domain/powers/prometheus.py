"""Prometheus."""

from __future__ import annotations

from domain.board.geometry import Crew, Mask, Worker
from domain.board.position import Held
from domain.rules.candidates import own_crew
from domain.rules.power import Power
from domain.rules.step import Step
from domain.rules.turn import Turn


def _owes_build(turn: Turn) -> bool:
    """Say whether the mover built before its move and has not built since."""
    return len(turn.builds) == 1 and bool(turn.moves) and turn.fresh == "move"


class Prometheus(Power):
    """A worker may build once before moving; then that worker moves, not up, and builds again.

    Rule: P-10. What follows the early build is compulsory, so the clock does not avoid it.
    """

    key = "prometheus"
    name = "Prometheus"
    number = 10
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move", "build")
    order_aid = 46
    build_completes = True

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let everybody build before the move, and the early builder again after it."""
        if not turn.moves:
            return crew if turn.builds else own_crew(turn.position, turn.seat)
        return 1 << turn.moves[-1].worker if _owes_build(turn) else crew

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """After an early build only the builder moves."""
        return 1 << turn.builds[0].worker if turn.builds and not turn.moves else crew

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """After an early build there is no way up."""
        if not turn.builds:
            return targets
        position = turn.position
        return targets & ~position.levels[position.level(position.workers[worker]) + 1]

    def may_rise(self, turn: Turn, held: Held) -> bool:
        """An early build rules out every rise."""
        return not turn.builds

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """An early build does not count as the build of the turn."""
        return complete and not _owes_build(turn)

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """Only the early build itself is optional."""
        return optional and not turn.builds
