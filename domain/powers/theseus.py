"""Theseus."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import NEIGHBOURS, NOWHERE, squares_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.step import RemoveWorker, Step
from domain.rules.turn import Turn


class Theseus(Power):
    """Once, after your build, remove a neighbouring foe that stands exactly two levels above yours.

    Rule: P-55. Any of your workers counts, moved or not; levels after the build. Spent by it.
    """

    key = "theseus"
    name = "Theseus"
    number = 55
    group = "hero"
    players = (2,)
    hero = True
    phases = ("end_of_turn",)
    bans = {"circe": "rule", "hecate": "rule", "nemesis": "rule"}
    order_aid = 7

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer each such foe."""
        if not turn.builds or turn.other:
            return
        position = turn.position
        levels, found = position.levels, NOWHERE
        for square in squares_of(position.squares_of_crew(position.crew_of(turn.side))):
            level = position.level(square)
            if level < 2:
                found |= NEIGHBOURS[square] & levels[level + 2] & ~levels[level + 3]
        found &= position.occupied
        if found:
            found &= position.squares_of_crew(targetable_foes(position, held.seat))
            yield from (RemoveWorker(square) for square in squares_of(found))

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether a foe was removed."""
        return bool(turn.other)
