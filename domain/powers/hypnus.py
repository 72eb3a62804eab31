"""Hypnus."""

from __future__ import annotations

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Turn


class Hypnus(Power):
    """In a foe's turn the one worker that began it higher than all its side's others cannot move.

    Rule: P-22. A single worker sleeps wherever it stands. The sleeper is read off the table as the
    turn began (S3); it may still build and be forced. Borrowed workers never sleep.
    """

    key = "hypnus"
    name = "Hypnus"
    number = 22
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("opponent_turn",)
    bans = {"terpsichore": "rule"}
    order_aid = 23

    def forbidden_movers(self, turn: Turn, held: Held) -> Crew:
        """Forbid the sleeper to move."""
        opening = turn.opening
        crew = opening.crew_of(turn.side)
        for level in (3, 2, 1):
            high = crew & _standing(opening.workers, crew, opening.levels[level])
            if high:
                return high if high.bit_count() == 1 else 0
        return crew if crew.bit_count() == 1 else 0


def _standing(workers: tuple[int, ...], crew: Crew, mask: int) -> Crew:
    found = 0
    for worker, square in enumerate(workers):
        if crew >> worker & 1 and mask >> square & 1:
            found |= 1 << worker
    return found
