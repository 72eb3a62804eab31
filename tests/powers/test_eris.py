"""Eris: using a foe's worker."""

from domain.rules.keys import position_key
from tests.boards import after, clock, moves, on_board


@on_board
def test_the_worker_moved_last_is_out_of_bounds(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A eris   last moved e5
    """
    assert {text[:2] for text in moves(turn)} == {"a5", "b2", "d1"}
    assert clock(turn) == "b2>a1 a1^a2"


@on_board
def test_her_own_use_of_it_is_not_remembered(turn):
    """Only moves by its own side count (T-29).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A eris   last moved e5
    """
    ended = after(turn, "a5>a4 a4^a3")
    assert position_key(ended.position, 2).endswith("|eris=2:e5")


@on_board
def test_a_borrowed_climb_wins_for_nobody(turn):
    """
        a  b  c  d  e
    5   2B 0. 0. 0. 0B
    4   3. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A eris
    """
    assert after(turn, "a5>a4").outcome is None


@on_board
def test_a_borrowed_worker_can_win_for_its_owner(turn):
    """Two workers of Eros side by side on level 1.

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   1. 0. 0. 0. 0.
    3   1B 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A eris   B eros
    """
    assert after(turn, "a5>a4").outcome.winner == 2


@on_board
def test_a_borrowed_worker_saves_the_side_that_cannot_move(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 0* 0. 0. 0.
    1   0A 0* 0. 0. 0B   A to play   A eris
    """
    assert {text[:2] for text in moves(turn)} == {"a5", "e1"}
    assert clock(turn) == "a5>a4 a4^a3"
