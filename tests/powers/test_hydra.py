"""Hydra: heads come and go."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   1. 1. 1. 0. 0.
    3   1. 0. 2. 0. 0.
    2   1. 0A 1. {0} 0.
    1   0. 0. 0. {1} 0.   A to play   A hydra
"""


def test_a_lonely_mover_gains_a_worker_on_the_lowest_ground():
    turn = after(board(BOARD.format("0.", "0A")), "b2>b3 b3^b2")
    assert moves(turn) == {"+a2", "+a3", "+a4", "+b2", "+b4", "+c2", "+c4"}
    grown = after(turn, "+b2")
    assert grown.closed
    assert grown.position.crew_of(1).bit_count() == 3
    assert not grown.moved >> 4 & 1


def test_neighbours_cost_one_of_any_workers():
    turn = after(board(BOARD.format("0A", "0.")), "b2>c1 c1^b1")
    assert moves(turn) == {"xc1", "xd2"}
    assert clock(turn) == "xc1"
    assert after(turn, "xd2").position.crew_of(1).bit_count() == 1


@on_board
def test_a_dome_on_the_last_square_leaves_no_step(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 3* 0* 0. 0.
    1   3A 1. 0* 0. 0A   A to play   A hydra
    """
    assert after(turn, "a1>b1 b1^a1*").closed


@on_board
def test_a_new_worker_avoids_what_looks_like_a_dome(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   2. 2. 2. 0. 0.
    3   2. 0. 2. 0. 0.
    2   2. 0A 2. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A hydra   B clio=2
    coin a2
    """
    assert "+a2" not in moves(after(turn, "b2>b3 b3^b2"))
    assert moves(after(turn, "b2>b3 b3^b2")) == {"+b2"}
