"""Odysseus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.geometry import CORNERS, NOWHERE, neighbours_of, squares_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import shut_to, targetable_foes
from domain.rules.step import Force, Step
from domain.rules.turn import Turn


class Odysseus(Power):
    """Once, start your turn by forcing foes next to your workers to free corners, each once.

    Rule: P-53. Neighbours and corners are looked at anew for each force; any height. Then a normal
    turn. Facts fixed at the start of the turn (S3) stay as they were. Spent by the first force.
    """

    key = "odysseus"
    name = "Odysseus"
    number = 53
    group = "hero"
    players = (2,)
    hero = True
    phases = ("start_of_turn",)
    bans = {"circe": "rule", "hecate": "implementation"}
    order_aid = 29

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer each foe next to an own worker that was not forced yet, and each free corner."""
        if turn.moves or turn.builds:
            return
        position = turn.position
        corners = CORNERS & ~shut_to(position, held.seat)
        if not corners:
            return
        forced = NOWHERE
        for step in turn.other:
            if isinstance(step, Force):
                forced |= 1 << step.to
        near = neighbours_of(position.squares_of_crew(position.crew_of(turn.side))) & ~forced
        near &= position.squares_of_crew(targetable_foes(position, held.seat))
        for square in squares_of(near):
            yield from (Force(square, corner) for corner in squares_of(corners))

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether anybody was forced."""
        return bool(turn.other)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget the order of the forces."""
        return (*key[:9], frozenset(turn.other), *key[10:])
