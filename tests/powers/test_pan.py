"""Pan (P-9): deep falls win."""

from __future__ import annotations

from tests.boards import after, on_board


@on_board
def test_two_falls_of_one_are_no_fall_of_two(turn):
    """Each move is looked at by itself; from 2 to 0 at once it wins.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 1. 0. 0.
    2   0. 0. 2a 0. 0.
    1   0A 0. 0. 0. 0B     A to play   A pan
    """
    assert after(turn, "c2>c3").outcome is None
    fallen = after(turn, "c2>d2")
    assert (fallen.outcome.winner, fallen.outcome.reason) == (1, "power")


@on_board
def test_being_forced_down_is_no_win(turn):
    """Charon ferries Pan's worker from height 3 to the ground.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3b 0. 0.
    2   0. 0. 0a 0. 0.
    1   0A 0. 0. 0. 0.     A to play   A charon   B pan
    """
    assert after(turn, "c3~c1").outcome is None


@on_board
def test_a_fall_that_is_carried_on_counts_for_nothing(turn):
    """b3 and d3 are both whirlpools: the worker emerges on d3.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0A 0. 0. 0. 0b     A to play   A pan   B charybdis
    whirlpool b3   whirlpool d3
    """
    assert after(turn, "b2>b3 [b3~d3]").outcome is None
    assert after(turn, "b2>c3").outcome.winner == 1


@on_board
def test_a_teammates_turn_is_not_pans(turn):
    """Seat 3 moves the team's worker down two: only the holder's own turn counts.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0A 0. 0. 0. 0b     C to play   A pan   team4
    """
    assert after(turn, "b2>b3").outcome is None
