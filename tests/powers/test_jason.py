"""Jason: a third worker from the perimeter, once."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   1. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A jason
"""


def test_the_new_worker_moves_and_builds():
    texts = moves(board(BOARD))
    assert {text for text in texts if text[0] == "+"} == {
        "+a1", "+a2", "+a4", "+b1", "+b5", "+c1", "+c5", "+d5", "+e1", "+e2", "+e3", "+e4",
    }  # fmt: skip
    placed = after(board(BOARD), "+a2")
    assert {text[:2] for text in moves(placed)} == {"a2"}
    ended = after(placed, "a2>a3 a3^a2")
    assert ended.closed
    assert ended.position.held == ()


@on_board
def test_he_saves_a_side_without_workers(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A jason
    """
    assert {text[0] for text in moves(turn)} == {"+"}
    assert clock(turn) == "+a1 a1>a2 a2^a1"


@on_board
def test_he_needs_room_to_move_and_build(turn):
    """
        a  b  c  d  e
    5   0. 0* 0. 0. 0B
    4   0* 0* 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A jason
    """
    assert "+a5" not in moves(turn)
    assert "+a3" in moves(turn)


def test_the_clock_leaves_him_on_the_card():
    assert clock(board(BOARD)) == "b2>a1 a1^a2"
    assert clock(after(board(BOARD), "+a2")) == "a2>a1 a1^a2"
