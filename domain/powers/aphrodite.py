"""Aphrodite."""

from __future__ import annotations

from domain.board.geometry import NEIGHBOURS, Mask, Square, neighbours_of
from domain.board.position import Held
from domain.rules.power import Power, Scope
from domain.rules.step import Build, Step
from domain.rules.turn import Turn


class Aphrodite(Power):
    """A foe that starts its turn next to your workers must end its last move next to one of them.

    Rule: P-11. Judged on the finished turn (T-33) by the target of the worker's last move, against
    your workers where they stand then; one removed in this turn counts where it stood.
    """

    key = "aphrodite"
    name = "Aphrodite"
    number = 11
    group = "advanced"
    players = (2, 4)
    phases = ("opponent_turn",)
    bans = {"nemesis": "rule", "urania": "rule"}
    order_aid = 57
    scope = Scope.FOREIGN_WORKERS

    def forbidden_end(self, turn: Turn, held: Held) -> bool:
        """Look for a bound worker that has moved away."""
        position, opening = turn.position, turn.opening
        side = position.table.side(held.seat)
        at_start = opening.squares_of_crew(opening.crew_of(side))
        lawful: Mask = 0
        for move in turn.moves:
            if position.figures[move.worker].side == side or move.worker >= len(opening.workers):
                continue
            if not NEIGHBOURS[opening.workers[move.worker]] & at_start:
                continue
            lawful = lawful or self._lawful(turn, side)
            if not lawful >> move.target & 1:
                return True
        return False

    def hopeful(self, turn: Turn, held: Held, kind: type[Step]) -> bool:
        """After moves nobody moves on once there is a build: what stands then stays."""
        settled = issubclass(kind, Build) and bool(turn.moves)
        return not (settled and self.forbidden_end(turn, held))

    def _lawful(self, turn: Turn, side: int) -> Mask:
        """Return the squares that are, or neighbour, those of the holder's workers."""
        position = turn.position
        own: Mask = position.squares_of_crew(position.crew_of(side))
        fallen: list[Square] = [
            square for worker, square in turn.fallen if position.figures[worker].side == side
        ]
        for square in fallen:
            own |= 1 << square
        return own | neighbours_of(own)
