"""Atalanta."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Turn


class Atalanta(Power):
    """Once a game your worker makes any number of further moves before it builds.

    Rule: P-48. The second move spends the power; any square may be visited again.
    """

    key = "atalanta"
    name = "Atalanta"
    number = 48
    group = "hero"
    players = (2,)
    phases = ("move",)
    bans = {"circe": "rule", "persephone": "implementation"}
    order_aid = 28
    hero = True

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the mover go on until something is built."""
        if turn.first is not None and not turn.builds:
            return crew | 1 << turn.first.worker
        return crew

    def spends(self, turn: Turn, held: Held) -> bool:
        """Spend the power by a second move."""
        return bool(turn.again)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget the way by which the worker came where it is."""
        places = tuple((move.worker, move.target) for move in turn.moves)
        return (*key[:3], None, places, *key[5:7], None, *key[8:])
