"""Charybdis."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import EVERYWHERE, NOWHERE, OFF_BOARD, Mask, Square, squares_of
from domain.board.position import Held, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import PlaceToken, Step
from domain.rules.turn import Arrival, Turn

WHIRLPOOL = "whirlpool"


class Charybdis(Power):
    """Your two whirlpools carry a worker that moves onto one of them to the other.

    Rule: P-32. At the end of your turn you may put one of them on any unoccupied square without a
    token. While both lie on the board, the win of a move onto one waits until it is known where the
    worker comes to rest; emerging on level 3 wins by itself. What is unoccupied is judged for the
    seat whose turn it is (T-23).
    """

    key = "charybdis"
    name = "Charybdis"
    number = 32
    group = "golden_fleece"
    players = (2, 3, 4)
    phases = ("setup", "end_of_turn", "any_time")
    bans = {"hecate": "implementation"}
    order_aid = 6
    token_names = (WHIRLPOOL, WHIRLPOOL)
    revised = True

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the squares for one whirlpool after the build."""
        if not (turn.moves and turn.builds) or turn.other:
            return ()
        position = turn.position
        if not in_hand(position):
            return ()
        taken = shut_to(position, held.seat) | position.token_squares()
        return (PlaceToken(WHIRLPOOL, square) for square in squares_of(EVERYWHERE & ~taken))

    def transfers(self, turn: Turn, held: Held, arrival: Arrival) -> Square:
        """Carry a worker from one whirlpool to the other if that is unoccupied (R6)."""
        pair = _live(turn.position)
        if not pair >> arrival.target & 1:
            return OFF_BOARD
        far = pair & ~(1 << arrival.target)
        shut = far & shut_to(turn.position, turn.seat)
        return OFF_BOARD if shut else far.bit_length() - 1

    def defers_win(self, turn: Turn, held: Held, arrival: Arrival) -> bool:
        """Let the win of a move onto a live whirlpool wait."""
        return bool(_live(turn.position) >> arrival.target & 1)

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write how many whirlpools are in hand (T-71)."""
        return str(in_hand(position))


def in_hand(position: Position) -> int:
    """Count the whirlpools on the card."""
    return 2 - sum(token.name == WHIRLPOOL for token in position.tokens)


def _live(position: Position) -> Mask:
    """Return the squares of the whirlpools while both are on the board."""
    pools = position.token_squares(WHIRLPOOL)
    return pools if pools.bit_count() == 2 else NOWHERE
