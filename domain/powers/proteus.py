"""Proteus."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import NOWHERE, Crew, Mask, squares_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import dome_view, shut_to
from domain.rules.step import Force, Step
from domain.rules.turn import Turn


class Proteus(Power):
    """After its move another of your three workers is forced onto the square it left.

    Rule: P-59. Compulsory when it can be done (T-35), your choice which; any height. It comes after
    the win check and before whirlpools and slides (R5); the forced worker never wins.
    """

    key = "proteus"
    name = "Proteus"
    number = 59
    group = "promo"
    players = (2, 3)
    phases = ("setup", "move")
    bans = {"circe": "rule", "hecate": "implementation"}
    order_aid = 30
    setup_workers = 3
    revised = True
    answer_compulsory = True

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer each other own worker."""
        crowd = self._followers(turn, held)
        if crowd:
            to = turn.moves[-1].origin
            yield from (Force(square, to) for square in squares_of(crowd))

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Nobody builds before somebody has followed."""
        return 0 if crew and self._followers(turn, held) else crew

    def awaits(self, turn: Turn, held: Held) -> bool:
        """Say whether somebody can follow."""
        return bool(self._followers(turn, held))

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """The force is compulsory."""
        return optional and not isinstance(step, Force)

    def _followers(self, turn: Turn, held: Held) -> Mask:
        if turn.fresh != "move":
            return NOWHERE
        position, last = turn.position, turn.moves[-1]
        others = position.squares_of_crew(position.crew_of(turn.side) & ~(1 << last.worker))
        if not others or shut_to(position, held.seat) >> last.origin & 1:
            return NOWHERE
        return others & ~dome_view(position, held.seat)
