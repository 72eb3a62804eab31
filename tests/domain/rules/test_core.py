"""The core rules that need no power, handle by handle: board, pieces, move, build, win."""

from __future__ import annotations

import pytest

from domain.board.facts import Built, apply
from domain.board.geometry import BY_NAME, CORNERS, EDGES, INTERIOR, NAMES, NEIGHBOURS, PERIMETER
from domain.board.geometry import squares_of as squares
from domain.rules.engine import position_key
from tests.boards import after, board, moves, on_board

FLAT = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play
"""


def around(name):
    return {NAMES[square] for square in squares(NEIGHBOURS[BY_NAME[name]])}


def test_squares_run_from_a1_to_e5():
    """C-1: files left to right, ranks from the bottom; north is one rank up, east one file on."""
    assert NAMES[0] == "a1" and NAMES[24] == "e5" and len(set(NAMES)) == 25
    assert NAMES[BY_NAME["c3"] + 5] == "c4" and NAMES[BY_NAME["c3"] + 1] == "d3"


def test_neighbours_differ_by_one_and_the_board_does_not_wrap():
    """C-2: three in a corner, five on an edge, eight inside; never the square itself."""
    assert around("a1") == {"a2", "b1", "b2"}
    assert around("c1") == {"b1", "b2", "c2", "d1", "d2"}
    assert around("c3") == {"b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"}


def test_perimeter_interior_corners_and_edges():
    """C-3: sixteen squares and nine; a corner lies on two edges."""
    assert (PERIMETER.bit_count(), INTERIOR.bit_count()) == (16, 9)
    assert {NAMES[square] for square in squares(CORNERS)} == {"a1", "a5", "e1", "e5"}
    assert {NAMES[square] for square in squares(EDGES["a"] & EDGES["1"])} == {"a1"}


@on_board
def test_a_dome_finishes_a_square_at_any_height(turn):
    """C-4, C-5, C-8: nobody enters it, nothing is built on it; its blocks stay what they are.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 0* 1* 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play
    """
    assert turn.position.level(BY_NAME["c3"]) == 1
    assert not {"b2>b3", "b2>c3"} & moves(turn)
    assert not {"c2^b3", "c2^c3", "c2^b3*", "c2^c3*"} & moves(after(turn, "b2>c2"))


@on_board
def test_a_complete_tower_is_three_blocks_and_a_dome(turn):
    """C-6: a dome on a lower stack is none.

        a  b  c  d  e
    5   3* 2* 1* 0* 3.
    4   0. 0B 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play
    """
    assert [NAMES[square] for square in squares(turn.position.towers)] == ["a5"]


@on_board
def test_what_is_left_is_what_is_not_on_the_board(turn):
    """C-9: a stack of height h holds one block of each level up to h; domes are counted apart.

        a  b  c  d  e
    5   3* 2. 1. 0* 0.
    4   0. 1B 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play
    """
    assert turn.position.supply() == (22 - 4, 18 - 2, 14 - 1, 18 - 2)
    higher = apply(turn.position, Built(BY_NAME["b4"], BY_NAME["b5"], False))
    assert higher.supply() == (18, 16, 12, 16)


@on_board
def test_a_move_rises_one_level_and_falls_any(turn):
    """C-18: to a free neighbour, at most one higher.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 3. 2. 1. 0.
    2   0. 0B 1A 0A 0.
    1   0. 0. 0. 0. 0B   A to play
    """
    steps = {step for step in moves(turn) if step.startswith("c2>")}
    assert steps == {"c2>c3", "c2>d3", "c2>b1", "c2>c1", "c2>d1"}
    assert {step for step in moves(turn) if step.startswith("d2>")} >= {"d2>d3", "d2>e3"}
    assert "d2>c3" not in moves(turn)


@on_board
def test_a_build_may_be_at_any_height_beside_the_mover_alone(turn):
    """C-17, C-19: the square just left is allowed, those under workers are not.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 2. 0. 0.
    3   0. 0. 0. 0B 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0B   A to play
    """
    moved = after(turn, "b2>c3")
    assert moves(moved) == {"c3^b2", "c3^b3", "c3^b4", "c3^c2", "c3^c4", "c3^d4"}


@on_board
def test_a_dome_goes_on_three_blocks_and_only_there(turn):
    """C-20: and only a dome goes there.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 3. 2. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play
    """
    steps = moves(after(turn, "b2>c2"))
    assert {"c2^b3*", "c2^c3"} <= steps
    assert not {"c2^b3", "c2^c3*"} & steps


@on_board
def test_walking_on_level_three_or_being_lifted_is_no_win(turn):
    """C-22: only going up by one's own move wins (C-21).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 3. 0. 0. 0.
    2   0. 3A 0. 2A 3.
    1   0. 0. 0. 0. 0.   A to play
    """
    assert after(turn, "b2>b3").outcome is None
    assert after(turn, "d2>e2").outcome.winner == 1


@on_board
def test_being_forced_up_is_no_win(turn):
    """C-22: Apollo's swap puts the other worker on level 3, and nobody has won.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0B 0.
    3   0. 2B 0. 0. 0.
    2   0. 3A 0. 0A 0.
    1   0. 0. 0. 0. 0.   A to play   A apollo
    """
    swapped = after(turn, "b2>b3 [b3~b2]")
    assert swapped.position.worker_at(BY_NAME["b2"]) >= 0
    assert swapped.outcome is None


@pytest.mark.parametrize(
    ("variant", "own"),
    [("solo4", {"b2"}), ("team4_split", {"b2"}), ("trio", {"b2", "d2"})],
)
def test_a_seat_moves_its_own_workers_only(variant, own):
    """C-42, C-43, C-45: also the partner's worker is not its own."""
    mate = {"solo4": "C", "team4_split": "C", "trio": "A"}[variant]
    drawing = f"""
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0{mate} 0.
    1   0. 0. 0. 0. 0.   A to play   {variant}
    """
    assert {step[:2] for step in moves(board(drawing))} == own


def test_a_key_tells_nothing_but_the_table():
    """T-72: neither supply nor names nor history; equal tables have equal keys (T-70)."""
    one = after(board(FLAT), "b2>b3 b3^c3").position
    drawing = FLAT.replace("3   0. 0. 0. 0. 0.", "3   0. 0A 1. 0. 0.")
    two = board(drawing.replace("2   0. 0A 0. 0A 0.", "2   0. 0. 0. 0A 0.")).position
    assert position_key(one, 2) == position_key(two, 2)
