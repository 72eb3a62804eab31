"""Urania (P-45): a board without edges, for her alone."""

from __future__ import annotations

from tests.boards import after, board, clock, moves, on_board


@on_board
def test_every_square_has_eight_neighbours_for_her(turn):
    """From a corner she reaches the three other corners, and builds over the edge.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0B 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0.     A urania
    """
    assert len(moves(turn)) == 8
    assert {"a1>e5", "a1>a5", "a1>e1"} <= moves(turn)
    assert "a5^e1" in moves(after(turn, "a1>a5"))


@on_board
def test_a_wrap_is_diagonal_only_if_the_board_went_on_so(turn):
    """Hippolyta lets her male go from corner to corner, not along the edge (T-24).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0b 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0.     A urania   B hippolyta
    """
    assert moves(turn) == {"a1>b2", "a1>e5", "a1>e2", "a1>b5"}


@on_board
def test_everybody_else_neighbours_on_the_flat_board(turn):
    """Limus on e3 keeps her from d3, not from a3.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0B
    2   0a 0. 0. 0. 0.
    1   0. 0. 0. 0. 0.     A urania   B limus
    """
    builds = moves(after(turn, "a2>b2"))
    assert "b2^a3" in builds
    assert "e1^e2" not in moves(after(turn, "a2>e1"))


SHUT_IN = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   2. 2. 0. 0. 0B
    1   0a {}. 0. 0. 0.     A urania
"""


def test_the_clock_goes_over_the_edge_only_if_it_must():
    assert clock(board(SHUT_IN.format(0))) == "a1>b1 b1^a1"
    assert clock(board(SHUT_IN.format(2))) == "a1>a5 a5^a1"
