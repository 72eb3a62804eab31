"""Castor and Pollux: all move, or all build."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A castor
"""


def test_the_first_move_leaves_both_ways_open():
    texts = moves(after(board(BOARD), "b2>b3"))
    assert {"b3^b2", "d1>d2"} <= texts
    assert not {"d1^d2", "."} & texts
    assert after(board(BOARD), "b2>b3 d1>d2").closed
    assert after(board(BOARD), "b2>b3 b3^b2").closed


def test_a_first_build_commits_everybody_to_build():
    texts = moves(after(board(BOARD), "b2^b3"))
    assert {text[:3] for text in texts} == {"d1^"}
    assert after(board(BOARD), "b2^b3 d1^d2").closed


@on_board
def test_one_worker_alone_moves_or_builds(turn):
    """The clock plays the normal turn: the others are alternatives (C-36).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A castor
    """
    assert after(turn, "b2^b3").closed
    assert {".", "b3^b2"} <= moves(after(turn, "b2>b3"))
    assert clock(turn) == "b2>a1 a1^a2"
    assert clock(after(turn, "b2>b3")) == "b3^a2"


@on_board
def test_who_cannot_move_bars_the_turn_of_two_moves(turn):
    """The sleeper cannot move, so not all can; all may still build.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A castor   B hypnus
    """
    texts = moves(turn)
    assert not any(text.startswith("b2>") for text in texts)
    assert "b2^b3" in texts
    assert {text[:3] for text in moves(after(turn, "d1>d2"))} == {"d2^"}


@on_board
def test_a_possible_rise_forbids_to_stay(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 1. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A castor   B persephone
    """
    assert not any("^" in text for text in moves(turn))
    assert {text for text in moves(after(turn, "d1>d2")) if ">" in text} == {"b2>b3"}
