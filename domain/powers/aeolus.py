"""Aeolus."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import (
    DIRECTION,
    DIRECTIONS,
    NOWHERE,
    OPPOSITE,
    SQUARES,
    Mask,
    Worker,
)
from domain.board.position import Held, Position
from domain.rules.power import Power, Scope
from domain.rules.step import PlaceToken, Step, TakeToken
from domain.rules.turn import Turn

AGAINST: dict[str, tuple[Mask, ...]] = {
    wind: tuple(
        sum(1 << target for target in SQUARES if DIRECTION[square][target] == OPPOSITE[wind])
        for square in SQUARES
    )
    for wind in DIRECTIONS
}
"""By wind and square: the squares that lie straight into the wind (T-24)."""


class Aeolus(Power):
    """At the end of your turn you may set the wind or take it back; nobody moves against it.

    Rule: P-31. The token ``wind`` lies beside the board in its direction, or on the card. Everybody
    is bound by it (T-47); forces are free.
    """

    key = "aeolus"
    name = "Aeolus"
    number = 31
    group = "golden_fleece"
    players = (2, 3, 4)
    phases = ("setup", "end_of_turn", "any_time")
    order_aid = 56
    token_names = ("wind",)
    revised = True
    scope = Scope.EVERYBODY

    def forbidden_targets(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Forbid the squares straight into the wind."""
        wind = _wind(turn.position)
        return AGAINST[wind][turn.position.workers[worker]] if wind else NOWHERE

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer one change of the wind after the build."""
        if not (turn.moves and turn.builds) or turn.other:
            return ()
        if _wind(turn.position):
            return (TakeToken("wind"),)
        return (PlaceToken("wind", direction=direction) for direction in DIRECTIONS)


def _wind(position: Position) -> str:
    """Return the direction of the wind, or nothing while the token is on its card."""
    for token in position.tokens:
        if token.name == "wind":
            return token.direction
    return ""
