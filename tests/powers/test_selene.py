"""Selene: the female worker may put a dome instead of the usual build."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0A 0.
    3   0. 0. 0. 0. 0.
    2   0. {0} 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A selene
"""


def test_the_unmoved_female_builds_domes_only():
    turn = after(board(BOARD.format("0a")), "d4>d3")
    female = {step for step in moves(turn) if step.startswith("b2")}
    assert len(female) == 8
    assert all(step.endswith("*") for step in female)
    assert after(turn, "b2^a1*").closed


def test_the_moved_female_has_both():
    turn = after(board(BOARD.format("0a")), "b2>b3")
    assert {"b3^b4", "b3^b4*"} <= moves(turn)
    assert not [step for step in moves(turn) if step.startswith("d4")]


def test_without_the_female_builds_are_normal():
    assert not [step for step in moves(after(board(BOARD.format("0.")), "d4>d3")) if "*" in step]


@on_board
def test_her_dome_completes_a_turn_whose_mover_cannot_build(turn):
    """B's worker guards b4, the only square left next to a5.

        a  b  c  d  e
    5   0. 0* 0B 0. 0b
    4   0* 0A 0. 0. 0.
    3   0* 0* 0* 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0.   A to play   A selene   B limus
    """
    assert moves(after(turn, "b4>a5")) == {"a1^a2*", "a1^b1*", "a1^b2*"}


def test_the_clock_leaves_the_dome():
    assert "*" not in clock(board(BOARD.format("0a")))
