"""Scylla: dragging a foe into the square just left."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_she_drags_at_most_one_and_building_declines(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0B 0. 0.
    1   0. 3B 0. 0. 0A   A to play   A scylla
    """
    moved = after(turn, "b2>b3")
    assert {"b1~b2", "c2~b2", "b3^b2"} <= moves(moved)
    assert "-" not in moves(moved)
    assert {text[:3] for text in moves(after(moved, "b1~b2"))} == {"b3^"}
    assert clock(turn) == "b2>a1 a1^a2"


@on_board
def test_a_slide_waits_for_her_answer(turn):
    """With Harpies in play she passes or drags before she is carried on (T-10a).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0B 0. 0.
    1   0. 0. 0. 0B 0A   A to play   A scylla   B harpies
    """
    assert moves(after(turn, "b2>b3")) == {"-", "c2~b2"}
    assert after(turn, "b2>b3 - [b3~b4] [b4~b5]").position.workers[0] == 21
    assert after(turn, "b2>b3 c2~b2 [b3~b4] [b4~b5] b5^b4").closed
    assert after(turn, "e1>e2 d1~e1 [e2~e3] [e3~e4] [e4~e5]")
    assert clock(after(turn, "b2>b3")) == "- b5^a4"


@on_board
def test_a_sheltered_foe_stays(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 1B 0. 0.
    1   0. 0. 0. 0B 0.   A to play   A scylla   B clio=2
    coin c2
    """
    assert not any("~" in text for text in moves(after(turn, "b2>b3")))
