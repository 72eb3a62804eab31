"""Hephaestus (P-6): a second block on the first."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_the_second_block_stands_on_the_first(turn):
    """Up to height 3, never a dome; a first build that was a dome ends it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   1. 2. 3. 0. 0A     A to play   A hephaestus
    """
    stay = after(turn, "b2>c2")
    assert moves(after(stay, "c2^d2")) == {"c2^d2", "."}
    assert after(stay, "c2^b1").closed
    assert after(stay, "c2^c1*").closed
    west = after(turn, "b2>a2 a2^a1")
    assert moves(west) == {"a2^a1", "."}
    assert after(west, "a2^a1").position.level(0) == 3


@on_board
def test_no_second_block_when_that_piece_has_run_out(turn):
    """All 18 level-2 blocks are used (C-10).

        a  b  c  d  e
    5   2. 2. 2. 2. 2b
    4   2. 2. 2. 2. 2.
    3   2. 2. 2. 2. 2.
    2   0. 0. 0. 2. 2.
    1   0a 0. 0. 0. 2A     A to play   A hephaestus
    """
    assert after(turn, "a1>b1 b1^a1").closed


@on_board
def test_the_clock_declines_the_second_block(turn):
    """It is optional.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A hephaestus
    """
    assert clock(turn) == "a1>a2 a2^a1 ."
