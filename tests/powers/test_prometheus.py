"""Prometheus (P-10): building before moving."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_an_early_build_binds_the_builder(turn):
    """It has to move, not up, and to build again; the other worker is out of it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 1. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A to play   A prometheus
    """
    early = after(turn, "b2^a2")
    assert moves(early) == {"b2>a1", "b2>a3", "b2>b1", "b2>c1", "b2>c2", "b2>c3"}
    moved = after(early, "b2>b1")
    assert moves(moved) == {"b1^a1", "b1^a2", "b1^b2", "b1^c1", "b1^c2"}
    assert after(moved, "b1^b2").closed
    assert after(turn, "b2>b3 b3^b2").closed


@on_board
def test_no_early_build_that_leaves_only_rises(turn):
    """Building on a2 or b2 would wall the corner in.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1. 0. 0. 0.
    1   0a 1. 0. 0. 0A     A to play   A prometheus
    """
    offered = moves(turn)
    assert "a1^a2" not in offered
    assert {"a1^b1", "a1^b2", "a1>b2"} <= offered


@on_board
def test_a_whirlpool_may_take_the_mover_back(turn):
    """It builds where it started: the first build is the build of the turn all the same.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0A 0. 0. 0. 0B     A to play   A prometheus   B charybdis
    whirlpool b2   whirlpool b3
    """
    assert after(turn, "b2>b3 [b3~b2] b2^c3").closed
    assert not after(turn, "b2^c3 b2>b3 [b3~b2]").closed


@on_board
def test_the_clock_builds_early_only_when_it_must_go_on(turn):
    """It never starts with a build, but finishes what was begun.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A prometheus
    """
    assert clock(turn) == "a1>a2 a2^a1"
    assert clock(after(turn, "a1^a2")) == "a1>b1 b1^a1"
