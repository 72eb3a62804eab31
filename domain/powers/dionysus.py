"""Dionysus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact
from domain.board.geometry import Crew, Side, Square
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.turn import Arrival, Turn


class _BorrowedTurn(Power):
    """The rules of the extra turn: a foe's worker acts, and nobody wins."""

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Offer the foes' workers instead of the holder's own."""
        if turn.moves or turn.builds:
            return 0
        return targetable_foes(turn.position, held.seat)

    def denies_win(
        self, turn: Turn, held: Held, side: Side, arrival: Arrival | None, square: Square
    ) -> bool:
        """Cancel every win, whosever it would be."""
        return True


class Dionysus(Power):
    """A turn in which you complete a tower earns an extra turn with one of the foes' workers.

    Rule: P-18. At most one extra turn follows a turn; a tower completed in an extra turn earns
    another. What is completed is read off the builds of the turn (C-6), never remembered.
    """

    key = "dionysus"
    name = "Dionysus"
    number = 18
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("build",)
    bans = {"hecate": "rule", "nyx": "implementation"}
    order_aid = 24
    extra_turn = _BorrowedTurn()

    def draws_extra(self, turn: Turn, held: Held, dice: Any) -> tuple[Iterable[Fact], bool]:
        """Grant an extra turn when a dome of this turn went on three blocks (K2)."""
        return (), any(build.dome and build.height == 3 for build in turn.builds)
