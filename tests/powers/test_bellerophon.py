"""Bellerophon: one rise of two levels in a game."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_a_rise_of_two_spends_the_hero(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 2. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A bellerophon
    """
    assert "b2>c3" not in moves(turn)
    assert after(turn, "b2>b3 b3^b4").position.held == ()
    assert after(turn, "b2>b1 b1^a1").position.held != ()


@on_board
def test_from_level_one_he_wins_at_once(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 3. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A bellerophon
    """
    assert after(turn, "b2>b3").outcome.winner == 1
    assert clock(turn) == "b2>b3"


@on_board
def test_a_ban_on_rising_binds_him_too(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 2. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A bellerophon   B athena=true
    """
    assert "b2>b3" not in moves(turn)


@on_board
def test_nobody_makes_him_rise(turn):
    """Only the hero could obey, and a hero is never forced to spend his power (T-34).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 2. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A bellerophon   B persephone
    """
    assert {"b2>b3", "b2>c3", "d1>e1"} <= moves(turn)
    assert clock(turn) == "b2>a1 a1^a2"
