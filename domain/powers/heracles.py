"""Heracles."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import NEIGHBOURS, NOWHERE, Crew, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.sight import shut_to
from domain.rules.step import End, Step
from domain.rules.turn import Turn


class Heracles(Power):
    """Once, all your workers together build any number of domes, also none, instead of one build.

    Rule: P-50. The domes stand next to their builders, at any height. Spent unless the build phase
    is exactly one normal build of the moved worker; no dome at all spends it. A block ends the
    build phase.
    """

    key = "heracles"
    name = "Heracles"
    number = 50
    group = "hero"
    players = (2,)
    hero = True
    phases = ("build",)
    bans = {"circe": "rule"}
    order_aid = 15
    build_completes = True
    revised = True

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let every own worker build until a block is put."""
        if not turn.moves or (turn.builds and not turn.builds[-1].dome):
            return crew
        return crew | turn.position.crew_of(turn.side)

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Allow a dome anywhere around; a block only as the mover's single build."""
        position = turn.position
        around = NEIGHBOURS[position.workers[worker]] & ~shut_to(position, held.seat)
        blocks = NOWHERE if turn.builds or worker != turn.moves[-1].worker else sites[0]
        return blocks, sites[1] | around

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """The move alone completes the turn: no dome is a number of domes."""
        return complete or bool(turn.moves)

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether the build phase was anything but one normal build of the mover."""
        if not turn.builds:
            return turn.outcome is None and not turn.cut
        build = turn.builds[0]
        normal = build.worker == turn.moves[-1].worker and build.dome == (build.height == 3)
        return not normal or len(turn.builds) > 1

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """An end without any build spends the hero, so the clock avoids it."""
        return optional or (isinstance(step, End) and not turn.builds)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget who built which dome once there are several: the board shows the rest."""
        return (*key[:8], len(turn.builds), *key[9:]) if len(turn.builds) > 1 else key
