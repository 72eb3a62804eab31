"""Ares (P-12): taking a block away."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_only_around_the_unmoved_worker_and_once(turn):
    """c3, built in this turn, is beside d3 too; domed and occupied squares are safe.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   1. 0. 1* 1b 2.
    3   1. 0. 0. 0A 0.
    2   0. 0a 0. 0. 0.
    1   1. 0. 0. 0. 0.     A to play   A ares
    """
    built = after(turn, "b2>b3 b3^c3")
    assert moves(built) == {"-c3", "-e4", "."}
    taken = after(built, "-e4")
    assert taken.closed
    assert taken.position.level(19) == 1


@on_board
def test_a_lone_worker_takes_nothing(turn):
    """The only worker has moved: the turn closes with the build.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   1. 0. 0. 0b 0.
    3   1. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0.     A to play   A ares
    """
    assert after(turn, "b2>b3 b3^c3").closed


@on_board
def test_the_token_on_the_block_goes_home(turn):
    """A whirlpool on the removed block leaves the board (C-11).

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 1. 0.
    3   0. 0. 0. 0A 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0b     A to play   A ares   B charybdis
    whirlpool d4
    """
    assert after(turn, "b2>b3 b3^c4 -d4").position.tokens == ()


@on_board
def test_the_clock_takes_nothing(turn):
    """The removal is optional.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 1. 0.
    3   0. 0. 0. 0A 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0b     A to play   A ares
    """
    assert clock(after(turn, "a1>a2 a2^a1")) == "."
    assert "-" not in clock(turn)
