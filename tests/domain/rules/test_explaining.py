"""Why a step is refused: every reason of the contract's section 7, on a board that shows it."""

from __future__ import annotations

import pytest

from domain.rules.engine import explain, parse_step
from tests.boards import after, board, moves

TABLE = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   1* 2. 3. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play
"""
EXHAUSTED = """
        a  b  c  d  e
    5   1. 1. 1. 1. 1.
    4   1. 1. 1. 1. 1.
    3   1. 1. 1. 1. 1.
    2   1A 1A 1. 1. 1.
    1   1B 1B 0. 0. 0.   A to play
"""
MARSH = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0B 0. 0. 0.
    1   0A 0. 0. 0. 0A   A to play   B limus
"""
LIFTED = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 1. 0. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play   B {0}
"""


def reason(drawing, step, line=""):
    turn = after(board(drawing), line)
    assert step not in moves(turn)
    found = explain(turn, parse_step(step))
    assert found.detail.endswith(".")
    return found.code, found.power


@pytest.mark.parametrize(
    ("step", "line", "code"),
    [
        ("b2>b4", "", "not_adjacent"),
        ("b2>a3", "", "domed"),
        ("b2>b3", "", "too_high"),
        ("d2>c2", "b2>c2", "wrong_phase"),
        ("b4>b5", "", "not_this_worker"),
        ("c2>c1", "", "nothing_there"),
        ("b2^c2", "", "wrong_phase"),
        (".", "", "wrong_phase"),
        ("-", "", "wrong_phase"),
        ("+c1", "", "wrong_phase"),
        ("c2^d2", "b2>c2", "occupied"),
        ("c2^c4", "b2>c2", "not_adjacent"),
        ("c2^c3", "b2>c2", "wrong_piece"),
        ("c2^b3*", "b2>c2", "wrong_piece"),
        ("d2^d1", "b2>c2", "not_this_worker"),
        ("a2^a3", "b2>a2", "domed"),
    ],
)
def test_the_first_rule_broken_is_named(step, line, code):
    """C-2, C-5, C-8, C-17 .. C-20, T-11: and what a step is missing."""
    assert reason(TABLE, step, line) == (code, "")


def test_a_piece_that_has_run_out():
    """C-10: all twenty-two level-1 blocks lie on the board."""
    assert reason(EXHAUSTED, "b2^c1", "a2>a3") == ("not_this_worker", "")
    assert reason(EXHAUSTED, "c2^c1", "b2>c2") == ("out_of_pieces", "")


def test_a_step_after_which_the_turn_cannot_be_completed():
    """T-36: from a2 every square to build on neighbours Limus' worker (P-23)."""
    assert reason(MARSH, "a1>a2") == ("dead_end", "")


def test_an_obligation_that_could_not_be_met_any_more():
    """T-34: Persephone wants a worker to rise, and names herself."""
    assert reason(LIFTED.format("persephone"), "b2>b1") == ("obligation_unmet", "persephone")


def test_a_power_that_forbids():
    """T-31: Athena keeps foreign workers down, and names herself."""
    athena = LIFTED.format("athena=true")
    assert reason(athena, "b2>b3") == ("forbidden_by_power", "athena")
