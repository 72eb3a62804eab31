"""Polyphemus."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import NOWHERE, Crew, Worker
from domain.board.position import Held
from domain.rules.power import Power, Sites
from domain.rules.sight import open_to
from domain.rules.turn import Turn


class Polyphemus(Power):
    """Once, after your build, put one or two domes on any free squares of the board, at any height.

    Rule: P-54. They are builds of the worker that built, distance apart. Spent by the first.
    """

    key = "polyphemus"
    name = "Polyphemus"
    number = 54
    group = "hero"
    players = (2,)
    hero = True
    phases = ("end_of_turn",)
    bans = {"circe": "rule"}
    order_aid = 61

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the builder go on until it has put two more."""
        if turn.builds and len(turn.builds) < 3:
            return crew | 1 << turn.builds[0].worker
        return crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """After the build only domes, but anywhere."""
        return (NOWHERE, open_to(turn.position, held.seat)) if turn.builds else sites

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether a further dome was put."""
        return len(turn.builds) > 1

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget the order of the far domes."""
        return (*key[:8], frozenset(turn.builds), *key[9:])
