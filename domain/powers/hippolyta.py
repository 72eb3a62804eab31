"""Hippolyta."""

from __future__ import annotations

from domain.board.geometry import DIAGONALS, DIRECTION, NOWHERE, SQUARES, Mask, Worker
from domain.board.position import Held
from domain.rules.power import Power, Scope
from domain.rules.turn import Turn

STRAIGHT: tuple[Mask, ...] = tuple(
    sum(1 << target for target in SQUARES if DIRECTION[origin][target] not in DIAGONALS)
    for origin in SQUARES
)
"""The squares that no diagonal move leads to (T-24, T-25)."""


class Hippolyta(Power):
    """Every worker but your female one can move only diagonally, on every turn.

    Rule: P-63. The first worker placed is the female (C-7). Forces are free. When two seats hold
    her, each female is exempt only from its own side's text (V-8).
    """

    key = "hippolyta"
    name = "Hippolyta"
    number = 63
    group = "promo"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("setup", "any_time")
    order_aid = 47
    scope = Scope.EVERYBODY
    wants_sexes = True

    def forbidden_targets(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Forbid what is not diagonal to all but the holder's female."""
        position = turn.position
        figure = position.figures[worker]
        if figure.sex == "f" and figure.side == position.table.side(held.seat):
            return NOWHERE
        return STRAIGHT[position.workers[worker]]
