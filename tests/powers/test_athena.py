"""Athena (P-3): after her climb no foe rises."""

from domain.rules.engine import close_turn, position_key
from tests.boards import after, clock, moves, on_board


def state(turn):
    close = close_turn(turn)
    return position_key(close.position, close.seat).split("|")[4]


@on_board
def test_a_rise_in_any_move_sets_the_ban(turn):
    """A force up does not.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 1. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0B   A to play   A athena
    """
    assert state(after(turn, "b2>b3 b3^b4")) == "athena:u;"
    assert state(after(turn, "b2>a2 a2^a1")) == "athena:;"


@on_board
def test_a_banned_foe_steps_level_or_down(turn):
    """Not even a win is a way up.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 3. 2. 0.
    3   0. 0. 2B 1. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0A 0. 0B   B to play   A athena=true
    """
    assert {"c3>d4", "c3>d3", "c3>b3"} <= moves(turn)
    assert "c3>c4" not in moves(turn)


@on_board
def test_a_foe_with_only_ways_up_is_stuck(turn):
    """The lone worker in the corner has nowhere to go (C-31).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1. 1. 0. 0. 0.
    1   0B 1. 0. 0A 0A   B to play   A athena=true
    """
    assert moves(turn) == set()
    assert clock(turn) == ""


@on_board
def test_the_ban_binds_both_foes_of_a_team(turn):
    """It stands until the holder's own next turn (C-44).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1. 0. 0. 0. 0.
    1   0B 0B 0. 0A 0A   D to play   A athena=true   B pan   C atlas   D apollo   team4
    """
    assert "a1>a2" not in moves(turn)
