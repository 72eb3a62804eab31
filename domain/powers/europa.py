"""Europa & Talus."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Fact, TokenRemoved
from domain.board.geometry import NEIGHBOURS, Mask, Side, squares_of
from domain.board.position import Held, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import PlaceToken, Step
from domain.rules.turn import Turn

PIECE = "talus"


class Europa(Power):
    """At the end of your turn you may put Talus next to the worker that moved.

    Rule: P-34. Everybody sees the square of Talus as if it held only a dome (T-22, T-47). Going
    from one square to another is one step.
    """

    key = "europa"
    name = "Europa & Talus"
    number = 34
    group = "golden_fleece"
    players = (2, 3, 4)
    phases = ("setup", "end_of_turn", "any_time")
    order_aid = 9
    token_names = ("talus",)

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the squares around the mover after the build."""
        if not (turn.moves and turn.builds) or turn.other:
            return ()
        position = turn.position
        square = position.workers[turn.moves[-1].worker]
        if square < 0:
            return ()
        taken = shut_to(position, held.seat) | position.token_squares()
        return (PlaceToken(PIECE, to) for to in squares_of(NEIGHBOURS[square] & ~taken))

    def after_step(self, turn: Turn, held: Held, step: Step) -> Iterable[Fact]:
        """Take Talus from the square it has left."""
        if isinstance(step, PlaceToken):
            for token in turn.position.tokens:
                if token.name == PIECE and token.square != step.at:
                    yield TokenRemoved(PIECE, token.square)

    def shows_dome(self, position: Position, held: Held, side: Side) -> Mask:
        """Show Talus to everybody."""
        return position.token_squares(PIECE)
