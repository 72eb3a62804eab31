"""Polyphemus: one or two far domes, once."""

from tests.boards import after, board, clock, moves

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   2. 0. 0. 0A 0.   A to play   A polyphemus
"""


def test_the_first_far_dome_spends_him():
    built = after(board(BOARD), "b2>b3 b3^c3")
    assert after(built, ".").position.held != ()
    one = after(built, "b3^e1*")
    assert not one.closed
    assert after(one, ".").position.held == ()
    assert after(one, "b3^a1*").closed


def test_the_domes_are_builds_of_the_builder():
    """Limus keeps the squares around his workers free, far domes included (P-54)."""
    built = after(board(BOARD + "   B limus"), "b2>b3 b3^c3")
    texts = moves(built)
    assert not {"b3^b5*", "b3^d4*"} & texts
    assert {"b3^b4*", "b3^e1*"} & texts == {"b3^e1*"}


def test_a_far_dome_may_call_up_a_worker():
    """Gaea is asked after every dome (B5)."""
    turn = after(board(BOARD + "   B gaea=1"), "b2>b3 b3^c3 b3^e1*")
    assert turn.asked == 2
    assert after(turn, "{B: +e2}").asked == 0


def test_the_clock_saves_him():
    assert clock(after(board(BOARD), "b2>b3 b3^c3")) == "."
    assert clock(after(board(BOARD), "b2>b3 b3^c3 b3^e1*")) == "."
