"""Aeolus: nobody moves straight into the wind."""

from tests.boards import after, board, clock, moves

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0B 0A   {0} to play   A aeolus   {1}
"""


def test_one_change_of_the_wind_a_turn():
    turn = after(board(BOARD.format("A", "duel")), "b2>b3 b3^c3")
    assert len(moves(turn)) == 9
    assert after(turn, "@wind:N").closed
    turn = after(board(BOARD.format("A", "wind N")), "b2>b3 b3^c3")
    assert moves(turn) == {".", "@wind:-"}
    assert after(turn, "@wind:-").position.tokens == ()


def test_everybody_is_bound_by_the_opposite_direction_only():
    assert {"b2>b1", "e1>d1"} & moves(board(BOARD.format("A", "wind N"))) == set()
    assert {"b2>a1", "b2>c1", "b2>b3"} <= moves(board(BOARD.format("A", "wind N")))
    foes = moves(board(BOARD.format("B", "wind N")))
    assert "a5>a4" not in foes
    assert "a5>b4" in foes


def test_jumps_and_wraps_have_a_direction():
    drawing = BOARD.format("B", "wind E").replace("5   0B 0.", "5   0B 0A")
    assert "a5>c5" in moves(board(drawing + "   B iris"))
    drawing = BOARD.format("B", "wind W").replace("5   0B 0.", "5   0B 0A")
    assert "a5>c5" not in moves(board(drawing + "   B iris"))
    assert "a5>e5" not in moves(board(BOARD.format("B", "wind E") + "   B urania"))
    assert "a5>e5" in moves(board(BOARD.format("B", "wind W") + "   B urania"))


def test_the_clock_leaves_the_wind_alone():
    assert clock(after(board(BOARD.format("A", "wind N")), "b2>b3")) == "b3^a2 ."
