"""Minotaur (P-8): pushing foes."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_the_square_behind_must_be_free_of_everybody(turn):
    """c3 can be pushed north by c2; d2 cannot, the third side stands behind it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 3. 0. 0.
    3   0. 0. 0b 0. 0.
    2   0. 0. 0a 0B 0c
    1   0A 0. 0. 0. 0C     A to play   A minotaur   trio
    """
    assert "c2>d2" not in moves(turn)
    pushed = after(turn, "c2>c3 [c3~c4]")
    assert pushed.outcome is None


@on_board
def test_a_climb_over_a_pushed_foe_wins(turn):
    """The mover goes up by its own move.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 3b 0. 0.
    2   0. 0. 2a 0. 0.
    1   0A 0. 0. 0. 0B     A to play   A minotaur
    """
    assert after(turn, "c2>c3 [c3~c4]").outcome.winner == 1


@on_board
def test_coins_cover_workers_and_squares(turn):
    """A worker on a coin cannot be pushed, and nobody is pushed onto one.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 1. 0.
    3   0. 0b 1B 0. 0.
    2   0. 0. 0a 0. 0.
    1   0A 0. 0. 0. 0.     A to play   A minotaur   B clio=0
    coin c3   coin a4
    """
    assert not {"c2>c3", "c2>b3"} & moves(turn)


@on_board
def test_no_slide_into_the_pushed_worker(turn):
    """Harpies carry the mover on only where the way is free.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0b 0. 0.
    2   0. 0. 0a 0. 0.
    1   0A 0. 0. 0. 0B     A to play   A minotaur   B harpies
    """
    assert after(turn, "c2>c3 [c3~c4]").position.worker_at(12) == 0


@on_board
def test_the_clock_pushes_nobody(turn):
    """A push is optional, even where its line would come first.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0b 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A minotaur
    """
    assert "a1>a2" in moves(turn)
    assert clock(turn) == "a1>b1 b1^a1"
