"""Charon."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import BEYOND, DIRECTION, NEIGHBOURS, OFF_BOARD, Crew
from domain.board.position import Held
from domain.rules.candidates import own_crew
from domain.rules.power import Power
from domain.rules.sight import shut_to, targetable_foes
from domain.rules.step import Force, Step
from domain.rules.turn import Turn


class Charon(Power):
    """Before it moves, your worker may ferry a neighbouring foe to the square straight across it.

    Rule: P-15. At any height, once a turn; then the ferryman moves.
    """

    key = "charon"
    name = "Charon"
    number = 15
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("move",)
    bans = {"hecate": "rule"}
    order_aid = 11

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer every foe with a free square across one of your workers."""
        if turn.moves or turn.builds or turn.other:
            return
        position = turn.position
        workers = position.workers
        foes = position.squares_of_crew(targetable_foes(position, held.seat))
        shut = shut_to(position, held.seat)
        crew = own_crew(position, turn.seat)
        while crew:
            low = crew & -crew
            crew ^= low
            ferry = workers[low.bit_length() - 1]
            near = NEIGHBOURS[ferry] & foes
            while near:
                bit = near & -near
                near ^= bit
                foe = bit.bit_length() - 1
                across = BEYOND[ferry][DIRECTION[foe][ferry]]
                if across != OFF_BOARD and not shut >> across & 1:
                    yield Force(foe, across)

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """After the force only the worker half-way between its squares moves."""
        if turn.other and not turn.moves and isinstance(turn.other[0], Force):
            ferried = turn.other[0]
            ferryman = turn.position.worker_at((ferried.origin + ferried.to) // 2)
            return crew & 1 << ferryman
        return crew
