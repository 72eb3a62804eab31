"""Maenads."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import BEYOND, BITS, OFF_BOARD, SQUARES, Mask, Side
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.turn import Turn

FLANKS: tuple[tuple[Mask, ...], ...] = tuple(
    tuple(
        BITS[BEYOND[square][one]] | BITS[BEYOND[square][other]]
        for one, other in (("N", "S"), ("E", "W"), ("NE", "SW"), ("NW", "SE"))
        if OFF_BOARD not in (BEYOND[square][one], BEYOND[square][other])
    )
    for square in SQUARES
)
"""The pairs of squares on exactly opposite sides of a square."""


class Maenads(Power):
    """At the end of your turn a foe loses whose worker stands straight between two of yours.

    Rule: P-61. Any line, any heights; only at E2 of the holder's own turn. Workers seen as under a
    dome are safe (T-22). In three-player games every flanked foe is out.
    """

    key = "maenads"
    name = "Maenads"
    number = 61
    group = "promo"
    players = (2, 3, 4)
    phases = ("end_of_turn", "lose_condition")
    bans = {"harpies": "rule"}
    order_aid = 41

    def condemns(self, turn: Turn, held: Held) -> Iterable[Side]:
        """Yield the sides of the flanked foes."""
        position = turn.position
        own = position.squares_of_crew(position.crew_of(turn.side))
        foes = targetable_foes(position, held.seat)
        for worker, square in enumerate(position.workers):
            if foes >> worker & 1 and any(own & pair == pair for pair in FLANKS[square]):
                yield position.side_of(worker)
