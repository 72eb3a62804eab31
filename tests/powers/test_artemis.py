"""Artemis (P-2): a second move, but not back."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_the_same_worker_moves_again_but_not_back(turn):
    """Both moves keep the height rule each.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 2. 0. 0. 0.
    3   0. 1. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0B   A to play   A artemis
    """
    again = moves(after(turn, "b2>b3"))
    assert {"b3>b4", "b3>a3"} <= again
    assert not {"b3>b2", "b3>c3", "d1>d2"} & again
    assert not any(">" in text for text in moves(after(turn, "b2>b3 b3>b4")))


@on_board
def test_either_move_may_win(turn):
    """Two rises of one end on level 3.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 3. 0. 0. 0.
    3   0. 2. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0A 0B   A to play   A artemis
    """
    assert after(turn, "b2>b3 b3>b4").outcome.winner == 1


@on_board
def test_back_is_the_square_the_turn_began_on(turn):
    """The Harpies carry b2 from b3 to b5: b2 and not b3 is barred, c4 is free.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0B   A to play   A artemis   B harpies
    """
    slid = after(turn, "b2>b3 [b3~b4] [b4~b5]")
    assert {"b5>c4", "b5>b4"} <= moves(slid)


@on_board
def test_the_clock_moves_once(turn):
    """The second move is a may (C-36).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0B   A to play   A artemis
    """
    assert clock(turn) == "b2>a1 a1^a2"
