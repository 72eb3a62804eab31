"""Moerae (P-40): a win that walks into their squares is theirs."""

from __future__ import annotations

from tests.boards import after, lines, moves, on_board


@on_board
def test_the_square_where_a_whirlpool_sets_the_worker_down_counts(turn):
    """The move onto c5 ends on d1, which is fate.

        a  b  c  d  e
    5   0. 0. 3. 0. 0B
    4   0. 2b 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 3. 0.     B to play   A moerae=fate:c1   B charybdis   whirlpool c5   whirlpool d1
    """
    won = after(turn, "b4>c5 [c5~d1]").outcome
    assert won is not None
    assert won.winner == 1


@on_board
def test_a_cancelled_win_is_not_taken_over(turn):
    """Pegasus does not win by a rise of two, so there is nothing to take.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 1b 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0. 0.     B to play   A moerae=fate:b2   B pegasus
    """
    assert after(turn, "b4>c3").outcome is None


@on_board
def test_a_tower_win_is_not_made_by_moving(turn):
    """Chronus keeps his.

        a  b  c  d  e
    5   3* 3* 3* 3* 0B
    4   0. 0b 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0. 0.     B to play   A moerae=fate:b3   B chronus
    """
    won = after(turn, "b4>b3 b3^c3*").outcome
    assert won is not None
    assert won.winner == 2


@on_board
def test_the_foe_is_offered_the_same_steps_wherever_fate_is(turn):
    """The trap is legal to walk into; the truth is in the line.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 2b 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0. 0.     B to play   A moerae=fate:b2
    """
    assert "b4>c3" in moves(turn)
    assert "b4>c3#S1" in lines(turn)
