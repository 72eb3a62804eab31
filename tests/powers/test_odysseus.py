"""Odysseus: foes banished to corners, once."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0A 0.
    3   0. 0B 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   3. 0. 0. 0B 0.   A to play   A odysseus
"""


def test_only_neighbours_go_and_only_to_free_corners():
    forces = {text for text in moves(board(BOARD)) if "~" in text}
    assert forces == {"b3~a1", "b3~a5", "b3~e1", "b3~e5"}


def test_each_foe_goes_once_though_it_stands_beside_a_worker_again():
    texts = moves(after(board(BOARD), "b3~a1"))
    assert not any("~" in text for text in texts)
    assert "." not in texts
    ended = after(board(BOARD), "b3~a1 b2>b3 b3^c3")
    assert ended.closed
    assert ended.position.held == ()


@on_board
def test_corners_are_looked_at_anew(turn):
    """A corner is full once somebody was sent there.

        a  b  c  d  e
    5   0. 0. 0B 0. 0.
    4   0. 0. 0. 0A 0.
    3   0. 0B 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A odysseus
    """
    assert "c5~a1" in moves(turn)
    assert "c5~a5" in moves(after(turn, "b3~a1"))
    assert "c5~a1" not in moves(after(turn, "b3~a1"))


@on_board
def test_who_slept_at_the_start_sleeps_on(turn):
    """The levels that fix Hypnus' sleeper were looked at before (S3).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 1A 0.
    3   0. 0B 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0B   A to play   A odysseus   B hypnus
    """
    assert not any(text.startswith("d4>") for text in moves(after(turn, "b3~a1")))


def test_the_clock_banishes_nobody():
    assert clock(board(BOARD)) == "b2>a2 a2^a1*"
