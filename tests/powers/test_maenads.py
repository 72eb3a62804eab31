"""Maenads: flanked foes lose."""

from tests.boards import after, clock, lines, on_board


@on_board
def test_the_clock_takes_the_win(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 2B 0A 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A maenads
    """
    ended = after(turn, "b2>b3 b3^a3")
    assert (ended.outcome.winner, ended.outcome.losers) == (1, (2,))
    assert ended.outcome.reason == "lose_condition"
    assert clock(turn) == "b2>b3 b3^a2"


@on_board
def test_a_sheltered_worker_is_safe(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 1B 0A 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A maenads   B clio=2
    coin c3
    """
    assert after(turn, "b2>b3 b3^a3").outcome is None


@on_board
def test_only_one_of_three_falls_and_the_game_goes_on(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0C
    4   0. 0. 0. 0. 0.
    3   0. 0. 0B 0A 0.
    2   0. 0A 0. 0. 0.
    1   0. 0C 0. 0. 0B   A to play   A maenads   trio
    """
    ended = after(turn, "b2>b3 b3^a3")
    assert (ended.outcome.winner, ended.outcome.losers) == (0, (2,))
    assert "b2>b3 b3^a3##S2" in lines(turn)
