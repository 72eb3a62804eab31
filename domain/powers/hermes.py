"""Hermes."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import Crew, Mask, Worker
from domain.board.position import Held
from domain.rules.candidates import own_crew
from domain.rules.power import Power
from domain.rules.turn import Turn


def _flat(turn: Turn) -> bool:
    """Say whether every move so far, if any, was level and nothing has been built."""
    return not (turn.climbed or turn.descended or turn.builds)


class Hermes(Power):
    """A normal turn; or any number of level moves by any workers of yours, then a build by any.

    Rule: P-7. The first move decides: after a change of level the mover builds; after a level move
    only level moves follow. Without any move the turn is a build alone. Clock: a normal turn.
    """

    key = "hermes"
    name = "Hermes"
    number = 7
    group = "simple"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move", "build")
    bans = {"harpies": "rule"}
    order_aid = 12
    build_completes = True

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let everybody go on while all moves were level."""
        if turn.moves and _flat(turn):
            return own_crew(turn.position, turn.seat)
        return crew

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Keep further moves on the level."""
        if not turn.moves:
            return targets
        levels = turn.position.levels
        level = turn.position.level(turn.position.workers[worker])
        return targets & levels[level] & ~levels[level + 1]

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let everybody build while all moves were level."""
        return own_crew(turn.position, turn.seat) if _flat(turn) else crew

    def may_rise(self, turn: Turn, held: Held) -> bool:
        """A level move, or a build, rules out every rise."""
        return not (turn.moves or turn.builds)

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """The build is all that is compulsory."""
        return bool(turn.builds)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget in which order, and from where, level moves were made.

        What still counts (T-29) is who moved, and whoever was carried on from its target.
        """
        if not turn.moves or not _flat(turn):
            return key
        workers = turn.position.workers
        carried = tuple(
            sorted((m.worker, m.target) for m in turn.moves if workers[m.worker] != m.target)
        )
        return (*key[:3], None, carried, *key[5:])
