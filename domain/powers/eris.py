"""Eris."""

from __future__ import annotations

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.turn import Turn


class Eris(Power):
    """You may move and build with a foe's worker that its side did not move most recently.

    Rule: P-60. Whose the worker is decides what binds it (T-32) and whose power can win by its
    move; a climb by it wins for nobody (W1). Who moved last stands in the position (T-29).
    """

    key = "eris"
    name = "Eris"
    number = 60
    group = "promo"
    players = (2, 4)
    golden_fleece = True
    phases = ("alternative_turn",)
    bans = {"persephone": "rule", "hecate": "rule", "tartarus": "rule"}
    order_aid = 50
    revised = True
    wants_last_moved = True

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Add the foes that were not moved last, while nothing has been played."""
        if turn.moves or turn.builds:
            return crew
        position = turn.position
        foes = targetable_foes(position, held.seat)
        for worker in position.last_moved:
            if worker >= 0:
                foes &= ~(1 << worker)
        return crew | foes
