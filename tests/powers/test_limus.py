"""Limus: foes build next to his workers only to complete a tower."""

from tests.boards import after, board, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0. 0B 0. 0. 0B
    4   0. 0. {0} 0. 0.
    3   0. 0. 0A 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   {1} to play   A limus   {2}
"""


def test_only_a_completing_dome_is_allowed_next_to_him():
    assert "c5^c4" not in moves(after(board(BOARD.format("1.", "B", "")), "b5>c5"))
    assert "c5^c4*" in moves(after(board(BOARD.format("3.", "B", "")), "b5>c5"))


def test_a_low_dome_is_not_allowed():
    turn = after(board(BOARD.format("1.", "B", "B atlas")), "b5>c5")
    assert {"c5^b5*", "c5^d5*"} <= moves(turn)
    assert "c5^c4*" not in moves(turn)


def test_his_own_workers_build_where_they_like():
    turn = board(BOARD.format("0.", "A", ""))
    assert "c2^c3" in moves(after(turn, "c3>c2"))


@on_board
def test_a_borrowed_worker_of_his_is_free(turn):
    """
        a  b  c  d  e
    5   0. 0B 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0A 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   B to play dionysus   A limus   B dionysus
    """
    assert "c2^c3" in moves(after(turn, "c3>c2"))
