"""Gaea (P-35): workers that rise next to domes, also in a foe's turn (T-50)."""

from __future__ import annotations

from tests.boards import after, board, clock, moves, on_board


@on_board
def test_what_her_worker_makes_impossible_is_waived(turn):
    """a1 could only build on a2; once her worker stands there the turn is over (T-37).

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0b 0. 0.
    3   3. 0. 0. 0. 0.
    2   0B 0* 0. 0. 0.
    1   0. 0* 0. 0. 0a     B to play   A gaea   B terpsichore
    """
    asked = after(turn, "c4>b4 a2>a1 b4^a3*")
    assert asked.asked == 1
    assert moves(asked) == {"-", "+a2", "+a4", "+b3"}
    assert moves(after(asked, "{A: -}")) == {"a1^a2"}
    assert moves(after(asked, "{A: +b3}")) == {"a1^a2"}
    assert after(asked, "{A: +a2}").closed


@on_board
def test_her_own_dome_is_followed_at_once_or_not_at_all(turn):
    """After the dome she may place or end; no interrupt is asked.

        a  b  c  d  e
    5   0B 1. 1. 1. 0B
    4   0. 1. 0. 1. 0.
    3   1. 0. 3. 1. 0.
    2   0. 0a 1. 1. 0.
    1   0. 0. 0. 0. 0A     A gaea=1
    """
    turn = after(turn, "b2>b3 b3^c3*")
    assert moves(turn) == {".", "+b2", "+c4"}
    placed = after(turn, "+c4")
    assert placed.closed
    assert placed.position.holding("gaea").note == 0


GROUND_ONLY_ON_C4 = """
        a  b  c  d  e
    5   0a 1. 1. 1. 0A
    4   0. 1. 0. 1. 0.
    3   1. 1b 3. 1. 0.
    2   0. 1. 1. 1. 0.
    1   0. 0. 0. 0. 0B     B to play   A gaea={}   B europa{}
"""


def test_she_is_not_asked_without_a_worker_or_a_square():
    """The only ground next to c3 is c4; with Talus on it she sees a dome there."""
    asked = after(board(GROUND_ONLY_ON_C4.format(1, "")), "b3>b4 b4^c3*")
    assert moves(asked) == {"-", "+c4"}
    for workers, talus in ((0, ""), (1, "   talus c4")):
        turn = board(GROUND_ONLY_ON_C4.format(workers, talus))
        assert after(turn, "b3>b4 b4^c3*").asked == 0


@on_board
def test_a_placement_on_a_hidden_worker_is_cancelled(turn):
    """Hecate's turn goes on, the worker stays on the card (P-39).

        a  b  c  d  e
    5   0a 0. 0. 0. 0A
    4   0. 0. 0B 0. 0.
    3   0. 0b 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0.     B to play   A gaea   B hecate
    """
    asked = after(turn, "b3>b2 b2^c3*")
    assert "+c4" in moves(asked)
    over = after(asked, "{A: !+c4}")
    assert over.closed
    assert over.position.holding("gaea").note == 2


@on_board
def test_the_clock_declines(turn):
    """An interrupt is answered with a pass (C-40).

        a  b  c  d  e
    5   0a 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0b 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0B     B to play   A gaea
    """
    assert clock(after(turn, "b3>b2 b2^c3*")) == "-"
