"""Graeae."""

from __future__ import annotations

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.step import Build, Step
from domain.rules.turn import Turn


class Graeae(Power):
    """The build is made by a worker of yours that has not moved this turn.

    Rule: P-36. A lone worker can never build (T-33).
    """

    key = "graeae"
    name = "Graeae"
    number = 36
    group = "golden_fleece"
    players = (2, 3)
    phases = ("setup", "build")
    bans = {"circe": "rule", "nemesis": "rule"}
    order_aid = 26
    revised = True
    setup_workers = 3

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let every unmoved worker build instead of the mover."""
        return turn.position.crew_of(turn.side) & ~turn.moved if crew else crew

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """Take the one build for what it is: compulsory (C-36)."""
        return optional and not (isinstance(step, Build) and not turn.builds)
