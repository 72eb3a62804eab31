"""Poseidon: the unmoved worker on the ground builds up to three times."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. {0} 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A poseidon
"""


def test_three_builds_at_most_and_squares_may_repeat():
    turn = after(board(BOARD.format("0A")), "b2>b3 b3^c3 d4^d5 d4^d5")
    assert {step[:2] for step in moves(turn)} == {".", "d4"}
    assert after(turn, "d4^d5").closed


def test_only_from_the_ground_and_only_with_two_workers():
    assert after(board(BOARD.format("1A")), "b2>b3 b3^c3").closed
    assert after(board(BOARD.format("0.")), "b2>b3 b3^c3").closed


@on_board
def test_the_level_of_the_unmoved_worker_counts(turn):
    """Where the mover stands, or came from, does not matter.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play   A poseidon
    """
    assert after(turn, "d2>d1 d1^e1").closed
    assert not after(turn, "b2>b1 b1^a1").closed


def test_the_clock_builds_once():
    assert clock(board(BOARD.format("0A"))).count("^") == 1
    assert clock(after(board(BOARD.format("0A")), "b2>b3 b3^c3 d4^d5")) == "."
