"""Hades (P-37): nobody else walks down."""

from __future__ import annotations

from tests.boards import after, moves, on_board


@on_board
def test_further_moves_may_not_go_down_either(turn):
    """Artemis has no second move from c2: all around is lower, and b2 is where she began.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1b 1. 0. 0.
    1   0B 0. 0. 0. 0a     B to play   A hades   B artemis
    """
    assert "b2>c2" in moves(turn)
    assert not {step for step in moves(after(turn, "b2>c2")) if ">" in step}


@on_board
def test_forces_down_are_free(turn):
    """Charon puts his own ferryman's neighbour down a level.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 1a 0. 0. 0.
    2   0. 0b 0. 0. 0.
    1   0. 0. 0. 0. 0B     B to play   A hades   B charon
    """
    assert "b3~b1" in moves(turn)


@on_board
def test_his_own_workers_are_free_in_foreign_hands(turn):
    """Dionysus may walk them down (T-32).

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 1a 0. 0. 0.
    2   0. 0b 0. 0. 0.
    1   0. 0. 0. 0. 0B     B to play dionysus   A hades   B dionysus
    """
    assert "b3>c3" in moves(turn)
