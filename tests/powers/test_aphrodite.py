"""Aphrodite (P-11): those who start beside her stay beside her."""

from __future__ import annotations

from tests.boards import after, moves, on_board


@on_board
def test_a_swap_with_her_worker_ends_beside_it(turn):
    """Her worker counts where the swap put it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0b 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0. 0. 0. 0.
    1   0B 0. 0. 0. 0A     B to play   A aphrodite   B apollo
    """
    offered = moves(turn)
    assert "c4>c3" in offered
    assert "c4>c5" not in offered
    assert "a1>a2" in offered


@on_board
def test_a_worker_removed_in_the_turn_counts_where_it_stood(turn):
    """Bia's c2 is bound by d1; it ends beside the worker it has just killed on c4.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0A 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0b 0. 0.
    1   0B 0. 0. 0a 0.     B to play   A aphrodite   B bia
    """
    assert "c2>c3" in moves(turn)
    assert moves(after(turn, "c2>c3 [xc4]"))


@on_board
def test_a_drag_may_become_compulsory(turn):
    """Scylla may leave only if she takes Aphrodite's worker along.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0b 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0. 0. 0. 0.
    1   0B 0. 0. 0. 0A     B to play   A aphrodite   B scylla
    """
    assert moves(after(turn, "c4>c5")) == {"c3~c4"}


@on_board
def test_a_bound_worker_without_a_lawful_square_is_stuck(turn):
    """b1's only ways lead away from a1, so the lone foe has no legal turn (C-31).

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 2. 0. 0. 0.
    1   0a 0b 0. 0. 0.     B to play   A aphrodite
    """
    assert moves(turn) == set()


@on_board
def test_her_own_workers_are_free_in_foreign_hands(turn):
    """Dionysus uses her c3 in his extra turn: the text binds workers that are not hers (T-32).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0A 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0. 0. 0. 0.
    1   0B 0. 0. 0. 0b     B to play dionysus   A aphrodite   B dionysus
    """
    assert "c3>c2" in moves(turn)
