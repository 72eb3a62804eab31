"""Pegasus: any rise, but no win by a high one."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_a_high_rise_onto_level_three_does_not_win(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 3. 0. 0. 0.
    2   0. 0A 2A 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A pegasus
    """
    flown = after(turn, "b2>b3")
    assert flown.outcome is None
    assert after(flown, "b3^b2").closed
    assert after(turn, "c2>b3").outcome.winner == 1
    assert clock(turn) == "c2>b3"


@on_board
def test_a_ban_on_rising_binds_it(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 3. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A pegasus   B athena=true
    """
    assert "b2>b3" not in moves(turn)


@on_board
def test_the_clock_does_not_fly(turn):
    """The only rise is a high one, which nobody asks for.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   2. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0.   A to play   A pegasus
    """
    assert "a1>a2" in moves(turn)
    assert clock(turn) == "a1>b1 b1^a1"


@on_board
def test_a_rise_can_be_demanded(turn):
    """Its flight is no hero's: it must rise if only that obeys (T-34).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 3. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A pegasus   B persephone
    """
    assert moves(turn) == {"b2>b3"}
