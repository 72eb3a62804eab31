"""Terpsichore."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.step import Build, Move, Step
from domain.rules.turn import Turn


class Terpsichore(Power):
    """All your workers move, one after the other, and then all of them build.

    Rule: P-44. The order is free both times (T-33); the turn stops at a move that wins.
    """

    key = "terpsichore"
    name = "Terpsichore"
    number = 44
    group = "golden_fleece"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move", "build")
    bans = {"hypnus": "rule", "limus": "rule", "nemesis": "rule", "tartarus": "rule"}
    order_aid = 33

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let every worker move that has not."""
        return 0 if turn.builds else turn.position.crew_of(turn.side) & ~turn.moved

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let every worker build that has not, once all have moved."""
        own = turn.position.crew_of(turn.side)
        return 0 if own & ~turn.moved else own & ~_built(turn)

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """Ask for a build of every worker."""
        return complete and not turn.position.crew_of(turn.side) & ~_built(turn)

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """Take all moves and builds for what they are: compulsory (C-36)."""
        return optional and not isinstance(step, Move | Build)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget in which order the workers moved and built."""
        moves = tuple(sorted(turn.moves, key=lambda move: move.worker))
        return (*key[:3], None, moves, *key[5:8], _built(turn), *key[9:])


def _built(turn: Turn) -> Crew:
    """Return the workers that have built this turn."""
    crew = 0
    for build in turn.builds:
        crew |= 1 << build.worker
    return crew
