"""Atalanta (P-48): run as far as you like, once."""

from __future__ import annotations

from tests.boards import after, clock, lines, moves, on_board


@on_board
def test_running_in_a_circle_spends_her(turn):
    """Back to the square of the first move, by the same first move: still a second move.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0B     A atalanta
    """
    once = after(turn, "a1>a2 a2^a3").position
    twice = after(turn, "a1>a2 a2>a1 a1>a2 a2^a3").position
    assert once.holding("atalanta")
    assert twice.holding("atalanta") is None
    assert once.workers == twice.workers


@on_board
def test_every_square_is_in_reach(turn):
    """The list of turns is finite although the run is not (T-63).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   2. 2. 2. 2. 2.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0B     A atalanta
    """
    ends = {line.split()[-1][:2] for line in lines(turn)}
    assert len(ends) == 14


@on_board
def test_each_move_may_win(turn):
    """The clock runs up the stairs, in the fewest steps.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1. 2. 3. 0. 0.
    1   0a 0. 0. 0. 0B     A atalanta
    """
    assert clock(turn) == "a1>a2 a2>b2 b2>c2"
    won = after(turn, "a1>a2 a2>b2 b2>c2").outcome
    assert won is not None
    assert won.winner == 1


@on_board
def test_only_the_last_move_counts_for_aphrodite(turn):
    """a1 starts beside her and may run away only to come back.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0B 0. 0. 0.
    1   0a 0. 0. 0. 0.     A atalanta   B aphrodite
    """
    far = after(turn, "a1>a2 a2>a3 a3>a4")
    assert not any("^" in step for step in moves(far))
    assert any("^" in step for step in moves(after(far, "a4>b3")))
