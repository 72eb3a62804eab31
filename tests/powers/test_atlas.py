"""Atlas (P-4): domes at any height."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_a_dome_fits_where_blocks_have_run_out(turn):
    """All 22 level-1 blocks are on the board (C-10): the ground takes domes only.

        a  b  c  d  e
    5   1. 1. 1. 1. 1b
    4   1. 1. 1. 1. 1.
    3   1. 1. 1. 1. 1.
    2   0. 0. 1. 1. 1.
    1   0a 1. 1. 1. 1B     A to play   A atlas
    """
    offered = moves(after(turn, "a1>b1"))
    assert {"b1^a2*", "b1^b2*"} <= offered
    assert not {"b1^a2", "b1^b2"} & offered


@on_board
def test_a_low_dome_is_no_tower(turn):
    """Four towers stand; the dome on height 2 does not make the fifth.

        a  b  c  d  e
    5   3* 3* 3* 3* 0b
    4   0. 0. 0. 0. 0B
    3   0. 0. 0. 0. 0.
    2   2. 0. 0. 0. 0.
    1   3. 0. 0a 0A 0.     A to play   A atlas   B chronus
    """
    moved = after(turn, "c1>b1")
    assert after(moved, "b1^a2*").outcome is None
    assert after(moved, "b1^a1*").outcome.winner == 2


@on_board
def test_no_low_dome_next_to_limus(turn):
    """Beside him only a dome that completes a tower may be built.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   2. 3. 0. 0. 0.
    2   0. 0. 0a 0. 0.
    1   0. 0b 0. 0. 0A     A to play   A atlas   B limus
    """
    offered = moves(after(turn, "c2>c3"))
    assert {"c3^b3*", "c3^c4*", "c3^d2*"} <= offered
    assert not any(text.startswith(("c3^b2", "c3^c2")) for text in offered)


@on_board
def test_the_clock_puts_no_low_dome(turn):
    """A block is what a mortal would build.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A atlas
    """
    assert clock(turn) == "a1>a2 a2^a1"
