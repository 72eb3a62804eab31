"""Hippolyta: diagonal moves for all but one."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_only_her_female_walks_straight(turn):
    """Her own male and all foes, females too, are bound.

        a  b  c  d  e
    5   0b 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A hippolyta
    """
    assert {text for text in moves(turn) if text[0] == "d"} == {"d1>c2", "d1>e2"}
    assert sum(text[0] == "b" for text in moves(turn)) == 8


@on_board
def test_foes_are_bound_and_so_is_their_clock(turn):
    """
        a  b  c  d  e
    5   0b 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0.   B to play   A hippolyta
    """
    assert moves(turn) == {"a5>b4", "e5>d4"}
    assert clock(turn) == "a5>b4 b4^a3"


@on_board
def test_wrapping_and_jumping_keep_their_direction(turn):
    """Over the edge from e3 to a4 is diagonal, to a3 is not (T-24).

        a  b  c  d  e
    5   0. 0. 0a 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0B
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0A 0.   B to play   A hippolyta   B urania
    """
    assert moves(turn) == {"e3>d4", "e3>d2", "e3>a4", "e3>a2"}


@on_board
def test_two_holders_bind_everybody(turn):
    """Each female is exempt only from her own side's text (V-8).

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0b 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A hippolyta   B hippolyta   ram b3 hippolyta
    """
    assert {text for text in moves(turn) if text[0] == "b"} == {"b2>a1", "b2>a3", "b2>c1"}
    assert after(turn, "b2>a3 a3^a2")
