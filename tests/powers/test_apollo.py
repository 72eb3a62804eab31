"""Apollo (P-1): changing places with a foe."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_he_changes_places_with_a_foe_within_his_reach(turn):
    """c3 is one up, b3 two up: only c3 can be swapped with, and never an own worker.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 2B 1B 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0A 0. 0. 0.   A to play   A apollo
    """
    assert "b2>c3" in moves(turn)
    assert not {"b2>b3", "b2>b1"} & moves(turn)
    assert after(turn, "b2>c3 [c3~b2] c3^c4").closed


@on_board
def test_a_swap_onto_level_three_wins_for_him_alone(turn):
    """The displaced worker stands on level 2 and has not moved.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 3B 0. 0.
    2   0. 2A 0. 0. 0.
    1   0A 0. 0. 0. 0B   A to play   A apollo
    """
    assert after(turn, "b2>c3 [c3~b2]").outcome.winner == 1


@on_board
def test_a_swap_after_which_nobody_can_build_is_no_step(turn):
    """a1 has only b2 to build on, and b2 is taken by the swap (T-36).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1* 1A 0. 0. 0.
    1   0B 1* 0. 0. 0B   A to play   A apollo
    """
    assert "b2>a1" not in moves(turn)


@on_board
def test_a_sheltered_foe_is_no_target(turn):
    """A worker on a coin cannot be swapped with (T-22).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 1B 0. 0.
    2   0. 0A 0. 0. 0.
    1   0A 0. 0. 0. 0B   A to play   A apollo   B clio=2   coin c3
    """
    assert "b2>c3" not in moves(turn)


@on_board
def test_the_clock_swaps_with_nobody(turn):
    """A swap is a may (C-36).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0B 0. 0. 0. 0.
    1   0A 0B 0. 0. 0A   A to play   A apollo
    """
    assert clock(turn) == "a1>b2 b2^a1"
