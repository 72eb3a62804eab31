"""Persephone."""

from __future__ import annotations

from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import may_still_rise
from domain.rules.step import Build, Step
from domain.rules.turn import Turn


class Persephone(Power):
    """In a foe's turn at least one worker must move up, if any complete turn allows it.

    Rule: P-26. A soft obligation (T-34): one rise by any worker in any of its moves is enough, and
    heroes need not be spent for it.
    """

    key = "persephone"
    name = "Persephone"
    number = 26
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("opponent_turn",)
    bans = {"atalanta": "implementation", "eris": "rule"}
    order_aid = 4

    def demands(self, turn: Turn, held: Held) -> bool:
        """Ask for a rise somewhere in the turn."""
        return turn.climbed

    def hopeful(self, turn: Turn, held: Held, kind: type[Step]) -> bool:
        """Give up on a turn whose card leaves no rise, or that builds after its moves."""
        if turn.climbed:
            return True
        return not (turn.moves and issubclass(kind, Build)) and may_still_rise(turn)
