"""Hera: her foes' wins by moving to the perimeter do not count."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_only_the_perimeter_is_barred(turn):
    """
        a  b  c  d  e
    5   0A 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   3. 2B 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0B   B to play   A hera
    """
    assert after(turn, "b3>c3").outcome.winner == 2
    assert after(turn, "b3>a3").outcome is None
    assert clock(turn) == "b3>c3"


@on_board
def test_a_barred_win_must_be_completed_to_be_legal(turn):
    """
        a  b  c  d  e
    5   0A 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   2* 2B 0. 0. 0.
    1   3. 2* 0. 0. 0B   B to play   A hera
    """
    assert moves(after(turn, "b2>a1")) == {"a1^b2"}


@on_board
def test_her_own_wins_count_everywhere(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   3. 2A 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A hera
    """
    assert after(turn, "b3>a3").outcome.winner == 1


@on_board
def test_power_wins_are_barred_alike(turn):
    """
        a  b  c  d  e
    5   0A 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 2B 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0B   B to play   A hera   B pan
    """
    assert after(turn, "b3>a3").outcome is None
    assert after(turn, "b3>c3").outcome.winner == 2
