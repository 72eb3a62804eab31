"""Achilles (P-46): a build before the move, once."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_the_early_build_spends_and_binds_its_builder(turn):
    """b2 has to move and to build again; the normal turn keeps the power.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A achilles
    """
    early = after(turn, "b2^b3")
    assert {step[:3] for step in moves(early)} == {"b2>"}
    moved = after(early, "b2>b3")
    assert {step[:3] for step in moves(moved)} == {"b3^"}
    spent = after(moved, "b3^b2")
    assert spent.closed
    assert spent.position.holding("achilles") is None
    assert after(turn, "b2>b3 b3^b2").position.holding("achilles")


@on_board
def test_an_early_build_may_not_shut_the_builder_in(turn):
    """a1's only way out is b1 on level 1; a second block there would be too high (T-36).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 0* 0. 0. 0.
    1   0a 1. 0. 0. 0.     A achilles
    """
    assert moves(turn) == {"a1>b1"}


@on_board
def test_an_interrupt_after_the_early_dome_waives_the_rest(turn):
    """Gaea takes a1's last way out; the turn closes and the power is spent (T-37).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   3. 0* 0. 0. 0.
    1   0a 0. 0. 0. 0.     A achilles   B gaea
    """
    asked = after(turn, "a1^a2*")
    assert asked.asked == 2
    waived = after(asked, "{B: +b1}")
    assert waived.closed
    assert waived.position.holding("achilles") is None


@on_board
def test_the_clock_spends_him_to_win_only(turn):
    """b2 builds the third level of b3 and climbs it.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 2. 0. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A achilles
    """
    assert clock(turn) == "b2^b3 b2>b3"


@on_board
def test_the_clock_keeps_him_otherwise(turn):
    """A normal turn is found first.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A achilles
    """
    assert clock(turn) == "b2>a1 a1^a2"
