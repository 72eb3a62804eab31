"""Triton."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import PERIMETER, Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Turn


class Triton(Power):
    """Whenever your worker's move ends on the perimeter it may move again at once.

    Rule: P-29. There is no limit; what counts is the square moved to, wherever the worker was
    carried from there.
    """

    key = "triton"
    name = "Triton"
    number = 29
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    bans = {"harpies": "rule"}
    order_aid = 52

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the mover go on from the perimeter while nothing has been built."""
        if turn.moves and not turn.builds and PERIMETER >> turn.moves[-1].target & 1:
            return crew | 1 << turn.moves[-1].worker
        return crew

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Keep who moved where last and whether it climbed; forget the way there."""
        last = turn.last and (turn.last.worker, turn.last.target)
        workers, levels, domes, _, _, _, climbed, _, *rest = key
        return (workers, levels, domes, last, climbed, *rest)
