"""Europa & Talus (P-34): a dome that walks."""

from __future__ import annotations

from domain.board.geometry import BY_NAME
from tests.boards import after, clock, moves, on_board


@on_board
def test_talus_goes_from_square_to_square(turn):
    """One step takes him from b4 and puts him down elsewhere; whirlpools are in his way.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0.     A europa   B charybdis   talus b4   whirlpool a4
    """
    turn = after(turn, "b2>b3 b3^c3")
    assert moves(turn) == {".", "@talus:a2", "@talus:a3", "@talus:b2", "@talus:c2", "@talus:c3"} | {
        "@talus:c4"
    }
    placed = after(turn, "@talus:c3")
    assert placed.closed
    assert placed.position.token_squares("talus") == 1 << BY_NAME["c3"]


@on_board
def test_he_stands_next_to_where_the_mover_ended(turn):
    """Harpies blow the mover to e1, so Talus goes around e1.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0.     A europa   B harpies
    """
    turn = after(turn, "a1>b1 [b1~c1] [c1~d1] [d1~e1] e1^e2")
    assert moves(turn) == {".", "@talus:d1", "@talus:d2", "@talus:e2"}


@on_board
def test_the_block_under_him_is_safe(turn):
    """Ares may take the block of d2, not the one under Talus.

        a  b  c  d  e
    5   0. 0. 0. 0a 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 1. 1.
    1   0b 0. 0. 0. 0B     B to play   A europa   B ares   talus e2
    """
    assert moves(after(turn, "a1>a2 a2^a3")) == {".", "-d2"}


@on_board
def test_the_clock_leaves_him_on_the_card(turn):
    """Placing him is a may.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A europa
    """
    assert clock(turn) == "a1>a2 a2^a1 ."
