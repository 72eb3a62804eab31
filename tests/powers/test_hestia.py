"""Hestia: a second build, off the perimeter."""

from tests.boards import after, board, clock, moves

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A hestia
"""


def test_the_second_build_stays_off_the_perimeter():
    built = after(board(BOARD), "b2>b3 b3^a3")
    assert moves(built) == {".", "b3^b2", "b3^b4", "b3^c2", "b3^c3", "b3^c4"}
    assert after(built, "b3^c3").closed


def test_it_may_go_on_the_same_square():
    assert after(board(BOARD), "b2>b3 b3^c3 b3^c3").position.level(12) == 2


def test_without_a_site_the_turn_closes_by_itself():
    drawing = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0* 0. 0. 0.
    1   0. 0A 0. 0. 0A   A to play   A hestia
    """
    assert after(board(drawing), "b1>a1 a1^a2").closed


def test_the_clock_builds_once():
    assert clock(board(BOARD)) == "b2>a1 a1^a2 ."
    assert clock(after(board(BOARD), "b2>b3")) == "b3^a2 ."
