"""Selene."""

from __future__ import annotations

from domain.board.geometry import NEIGHBOURS, NOWHERE, Crew, Worker
from domain.board.position import Held, Position
from domain.rules.power import Power, Sites
from domain.rules.sight import shut_to
from domain.rules.turn import Turn


class Selene(Power):
    """Instead of the usual build your female worker may put a dome at any height next to her.

    Rule: P-28. It does not matter who moved, nor whether the mover could build. An unmoved female
    builds domes only. There is exactly one build in a turn.
    """

    key = "selene"
    name = "Selene"
    number = 28
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("setup", "build")
    bans = {"gaea": "rule"}
    order_aid = 8
    wants_sexes = True

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Add the female after the move."""
        if turn.moves and not turn.builds:
            return crew | _female(turn.position, held)
        return crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Open every height to the female's dome, and no block unless she is the mover."""
        position = turn.position
        if not _female(position, held) >> worker & 1:
            return sites
        domes = NEIGHBOURS[position.workers[worker]] & ~shut_to(position, held.seat)
        moved = bool(turn.moves) and turn.moves[-1].worker == worker
        return sites[0] if moved else NOWHERE, domes


def _female(position: Position, held: Held) -> Crew:
    """Return the female on the holder's side, as a crew of one or none."""
    side = position.table.side(held.seat)
    crew = 0
    for worker, figure in enumerate(position.figures):
        if figure.sex == "f" and figure.side == side and position.workers[worker] >= 0:
            crew |= 1 << worker
    return crew
