"""Terpsichore (P-44): everybody dances."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_nothing_is_built_before_all_have_moved(turn):
    """Then each builds once, in any order, and there is no end before that (T-12).

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A terpsichore
    """
    turn = after(turn, "a1>a2")
    assert {step[:3] for step in moves(turn)} == {"e1>"}
    turn = after(turn, "e1>e2")
    assert {step[:3] for step in moves(turn)} == {"a2^", "e2^"}
    turn = after(turn, "e2^e1")
    assert {step[:3] for step in moves(turn)} == {"a2^"}
    assert after(turn, "a2^a1").closed


@on_board
def test_the_first_mover_has_to_make_room(turn):
    """a1 can go only where b1 stands, so b1 has to go first.

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 0* 0. 0. 0.
    1   0a 0A 0. 0. 0.     A terpsichore
    """
    assert moves(turn) == {"b1>c1", "b1>c2"}
    assert moves(after(turn, "b1>c2")) == {"a1>b1"}


@on_board
def test_one_worker_left_takes_a_normal_turn(turn):
    """And none left is stuck (C-33).

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0a     A terpsichore
    """
    assert after(turn, "e1>e2 e2^e1").closed


@on_board
def test_one_rise_is_enough_for_persephone(turn):
    """Only b1's neighbour is high: e1 may stay low.

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A terpsichore   B persephone
    """
    assert {step for step in moves(turn) if step.startswith("a1")} == {"a1>a2"}
    assert len(moves(turn)) == 1 + 3


@on_board
def test_the_clock_lets_all_move_and_build(turn):
    """Further moves and builds are compulsory, not options it avoids.

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A terpsichore
    """
    assert clock(turn) == "a1>a2 e1>d1 a2^a1 d1^c1"
