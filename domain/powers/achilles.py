"""Achilles."""

from __future__ import annotations

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.step import Build, Step
from domain.rules.turn import Turn


class Achilles(Power):
    """Once a game your worker builds both before and after its move.

    Rule: P-46. The early build spends the power, and its builder has to move.
    """

    key = "achilles"
    name = "Achilles"
    number = 46
    group = "hero"
    players = (2,)
    phases = ("move", "build")
    bans = {"circe": "rule"}
    order_aid = 10
    build_completes = True
    hero = True

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """After an early build let its builder move."""
        if turn.builds and not turn.moves:
            return crew | 1 << turn.builds[0].worker
        return crew

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let anybody build before the move, and the mover after it."""
        if not turn.moves and not turn.builds:
            return crew | turn.position.crew_of(turn.side)
        if turn.builds and turn.fresh == "move":
            return crew | 1 << turn.moves[-1].worker
        return crew

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """Ask for the second build after an early one."""
        return complete and turn.fresh != "move"

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """Take the build after the move for compulsory (C-36)."""
        return optional and not (isinstance(step, Build) and turn.moves)

    def spends(self, turn: Turn, held: Held) -> bool:
        """Spend the power by an early build."""
        early = not turn.moves or turn.fresh == "move"
        return len(turn.builds) > 1 or (bool(turn.builds) and early)
