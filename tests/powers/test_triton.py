"""Triton: moves go on from the perimeter."""

from tests.boards import after, board, clock, lines, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0A 0.
    3   {0} 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0B 0B   A to play   A triton
"""


def test_the_same_worker_may_go_on_and_come_back():
    turn = after(board(BOARD.format("0.")), "b2>a2 a2>a3 a3>a2")
    assert {"a2>b2", "a2>a3", "a2^a3"} <= moves(turn)
    assert not [step for step in moves(turn) if step.startswith("d4")]


def test_an_interior_square_ends_the_run():
    turn = after(board(BOARD.format("0.")), "b2>a2 a2>b3")
    assert not [step for step in moves(turn) if ">" in step]


def test_endless_ways_make_a_finite_list():
    listed = lines(board(BOARD.format("0.")))
    assert "b2>a1 a1^a2" in listed
    assert "b2>a3 a3>a4 a4^a5" in listed
    assert "b2>a2 a2>a3 a3>a4 a4^a5" not in listed


def test_a_win_ends_the_run():
    turn = board(BOARD.format("1.").replace("5   0. 0.", "5   0. 3.").replace("4   0.", "4   2."))
    assert after(turn, "b2>a3 a3>a4 a4>b5").outcome.winner == 1


@on_board
def test_a_carried_worker_goes_on_from_where_it_emerged(turn):
    """The square moved to is the first whirlpool.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0A 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0B 0B   A to play   A triton   B charybdis   whirlpool a3   whirlpool c4
    """
    turn = after(turn, "b2>a3 [a3~c4]")
    assert {"c4>c5", "c4^c5"} <= moves(turn)


def test_the_clock_moves_once():
    assert clock(board(BOARD.format("0."))) == "b2>a1 a1^a2"
