"""Chronus (P-16): five Complete Towers."""

from __future__ import annotations

from domain.rules.engine import close_turn, open_turn, start_verdict
from tests.boards import after, on_board


@on_board
def test_five_towers_win_at_the_start_of_any_turn(turn):
    """The power may have come to a table that already stands won (S4); low domes do not count.

        a  b  c  d  e
    5   3* 3* 3* 3* 3*
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0b 0B     B to play   A chronus
    """
    assert start_verdict(turn).winner == 1


@on_board
def test_a_climb_comes_before_the_fifth_tower(turn):
    """The foe wins by the move, before it could build.

        a  b  c  d  e
    5   3* 3* 3* 3* 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   3. 3. 0. 0. 0.
    1   0A 2b 0. 0a 0B     B to play   A chronus
    """
    assert start_verdict(turn) is None
    assert after(turn, "b1>b2").outcome.winner == 2
    assert after(turn, "b1>c1 c1^b2*").outcome.winner == 1


@on_board
def test_in_an_extra_turn_of_dionysus_nobody_wins(turn):
    """The fifth tower is found when the next turn starts.

        a  b  c  d  e
    5   3* 3* 3* 3* 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   3. 0. 0. 0. 0.
    1   0A 0. 0. 0a 0B     B to play dionysus   A chronus   B dionysus
    """
    tower = after(turn, "a1>b1 b1^a2*")
    assert tower.outcome is None
    closing = close_turn(tower)
    assert start_verdict(open_turn(closing.position, 1)).winner == 1
