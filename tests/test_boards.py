"""The drawings of the tests say what they show."""

from __future__ import annotations

import pytest

from tests.boards import after, board, moves, on_board, show

DRAWING = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 2A 1. 0. 0.
    3   0. 0a 1B 2. 0.
    2   0. 3* 0. 0. 0.
    1   0. 0. 0. 0. 0b     B to play   A athena=true   B apollo
"""


def test_a_drawing_is_read_and_drawn_alike():
    turn = board(DRAWING)
    assert turn.seat == 2
    assert [(held.power, held.seat, held.note) for held in turn.position.held] == [
        ("athena", 1, True),
        ("apollo", 2, None),
    ]
    assert show(turn.position).split() == DRAWING.split("B to play")[0].split()


@on_board
def test_the_docstring_is_the_board(turn):
    """A legend may follow below.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0b 0. 0c
    C to play  trio
    """
    assert moves(turn) == {"e1>d1", "e1>d2", "e1>e2"}
    assert after(turn, "e1>e2 e2^e1").closed


def test_an_unknown_legend_is_an_error():
    with pytest.raises(ValueError, match="no such legend"):
        board(DRAWING + "\n    A to win")
