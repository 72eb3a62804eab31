"""Heracles: any number of domes by all workers, once."""

import pytest

from tests.boards import after, board, clock, moves

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A heracles
"""


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("b2>b3 b3^b4", True),
        ("b2>b3 b3^c3* .", True),
        ("b2>b3 .", False),
        ("b2>b3 b3^b4* .", False),
        ("b2>b3 d1^d2* .", False),
        ("b2>b3 b3^c3* d1^d2* .", False),
        ("b2>b3 b3^b4* b3^c3* .", False),
    ],
)
def test_he_is_spent_unless_he_built_like_a_mortal(line, kept):
    turn = after(board(BOARD), line)
    assert turn.closed
    assert bool(turn.position.held) == kept


def test_after_a_dome_there_are_only_domes():
    texts = moves(after(board(BOARD), "b2>b3 b3^c3*"))
    assert {"b3^b4*", "d1^e1*", "."} <= texts
    assert all(text == "." or text.endswith("*") for text in texts)


def test_a_worker_walled_in_completes_the_turn_without_a_dome():
    turn = board(
        """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 0* 0. 0. 0.
    1   0A 0. 0* 0. 0.   A to play   A heracles   B limus
        """
    )
    assert moves(turn) == {"a1>b1"}
    assert clock(turn) == "a1>b1 b1^a1"


def test_the_clock_builds_as_a_mortal_would():
    assert clock(board(BOARD)) == "b2>a1 a1^a2"
    assert clock(after(board(BOARD), "b2>b3 b3^b4*")) == "."


def test_his_domes_do_not_take_long_to_overlook():
    """A pair that cannot come together obliges to nothing (T-34); the search sees it soon."""
    texts = moves(board(BOARD + "\n    pair e5-b2"))
    assert {"b2>a1", "d1>e1"} <= texts
