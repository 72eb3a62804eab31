"""Tartarus (P-43): the abyss."""

from __future__ import annotations

from domain.rules.engine import position_key
from tests.boards import after, board, clock, lines, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 2b 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0B     {} to play   A tartarus=abyss:{}
"""


def test_the_foe_sees_a_board_without_it():
    near, far = board(BOARD.format("B", "c3")), board(BOARD.format("B", "a5"))
    assert moves(near) == moves(far)
    assert clock(near) == clock(far) == "b4>c3"
    key = position_key(near.position, 2, viewer=2)
    assert key == position_key(far.position, 2, viewer=None)
    assert "|abyss@?|" in key
    assert "b4>c3##S2" in lines(near)
    assert "b4>c3#" in lines(far)


def test_his_own_clock_walks_around_it():
    assert clock(board(BOARD.format("A", "a2"))) == "a1>b1 b1^a1"
    assert clock(board(BOARD.format("A", "c5"))) == "a1>a2 a2^a1"


@on_board
def test_a_pushed_worker_enters_it_and_the_mover_does_not_win(turn):
    """c3 is pushed into d4: the game is over before the climb is looked at (R1).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 3a 0. 0.
    2   0. 2b 0. 0. 0.
    1   0A 0. 0. 0. 0B     B to play   A tartarus=abyss:d4   B minotaur
    """
    lost = after(turn, "b2>c3 [c3~d4]").outcome
    assert lost is not None
    assert (lost.losers, lost.winner) == ((1,), 2)


@on_board
def test_a_worker_on_its_square_is_safe_while_it_stays(turn):
    """Zeus builds under himself; his square is the abyss, but he does not enter it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0b 0. 0. 0.
    1   0A 0. 0. 0. 0B     B to play   A tartarus=abyss:b1   B zeus
    """
    assert after(turn, "b2>a2 a2^a2").outcome is None
    assert after(turn, "b2>b1").outcome is not None
