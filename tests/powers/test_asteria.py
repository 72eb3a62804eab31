"""Asteria: a far dome after a descent."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_a_descent_earns_one_dome_anywhere(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A asteria
    """
    built = after(turn, "b2>b3 b3^b4")
    texts = moves(built)
    assert {"b3^e1*", "b3^b4*", "b3^b2*", "."} <= texts
    assert all(text == "." or text.endswith("*") for text in texts)
    assert after(built, "b3^e1*").closed
    assert after(turn, "d1>e1 e1^d1").closed
    assert clock(built) == "."


@on_board
def test_the_dome_is_a_build_of_the_builder(turn):
    """Limus forbids it around his workers, except on a full stack.

        a  b  c  d  e
    5   0B 3. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A asteria   B limus
    """
    texts = moves(after(turn, "b2>b3 b3^c3"))
    assert {"b3^b5*", "b3^e1*"} <= texts
    assert not {"b3^a4*", "b3^e4*"} & texts


@on_board
def test_without_domes_there_is_nothing_to_earn(turn):
    """Eighteen domes are all there are (C-10).

        a  b  c  d  e
    5   0B 0* 0* 0* 0*
    4   0* 0* 0* 0* 0*
    3   0. 0. 0* 0* 0*
    2   0. 1A 0* 0* 0*
    1   0* 0. 0. 0* 0*   A to play   A asteria
    """
    assert after(turn, "b2>b3 b3^b2").closed
