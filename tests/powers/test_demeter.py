"""Demeter (P-5): a second build elsewhere."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_the_builder_builds_on_another_square(turn):
    """Only the same worker, and never the square of its first build; a dome counts as well.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 3. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A to play   A demeter
    """
    offered = moves(after(turn, "b2>b1 b1^a1"))
    assert offered == {"b1^a2", "b1^b2", "b1^c1", "b1^c2", "."}
    assert "a2^b3*" in moves(after(turn, "b2>a2 a2^a1"))


@on_board
def test_the_turn_closes_when_nothing_is_left_to_build_on(turn):
    """The only other square around a1 is the one just built on.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 0* 0. 0. 0.
    1   0. 0a 0. 0. 0A     A to play   A demeter
    """
    assert after(turn, "b1>a1 a1^b1").closed


@on_board
def test_the_clock_declines_the_second_build(turn):
    """The first build is compulsory, the second is not.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A demeter
    """
    assert clock(turn) == "a1>a2 a2^a1 ."
    assert clock(after(turn, "e1>d1 d1^c1")) == "."
