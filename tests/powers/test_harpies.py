"""Harpies (P-38): foes are blown on."""

from __future__ import annotations

from tests.boards import after, moves, on_board


@on_board
def test_a_step_over_the_edge_is_blown_on_over_the_board(turn):
    """Urania's direction is E, the slide itself does not wrap: it ends on the square she left.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0b
    2   0. 0. 0. 0. 0.
    1   0B 0. 0. 0. 0a     B to play   A harpies   B urania
    """
    turn = after(turn, "e3>a3 [a3~b3] [b3~c3] [c3~d3] [d3~e3]")
    assert "e3^a3" in moves(turn)


@on_board
def test_what_the_mover_sees_as_a_dome_stops_it(turn):
    """Talus on d1 keeps the mover on c1.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0b 0. 0. 0. 0B     B to play   A harpies   B europa   talus d1
    """
    after(turn, "a1>b1 [b1~c1] c1^c2")


@on_board
def test_every_square_passed_is_entered(turn):
    """Tartarus' own worker is blown into his abyss (T-40).

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0b 0. 0. 0. 0B     B to play   A harpies   B tartarus=abyss:c1
    """
    lost = after(turn, "a1>b1 [b1~c1]")
    assert lost.outcome is not None
    assert lost.outcome.losers == (2,)


@on_board
def test_a_further_move_starts_where_the_slide_ended(turn):
    """Artemis goes on from a5, and may slide back down.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0b 0. 0. 0. 0B     B to play   A harpies   B artemis
    """
    turn = after(turn, "a1>a2 [a2~a3] [a3~a4] [a4~a5] a5>b4 [b4~c3] [c3~d2]")
    assert "d2^e2" in moves(turn)


@on_board
def test_their_own_workers_are_not_blown_about(turn):
    """Dionysus moves one of them a single square.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0b 0. 0. 0. 0B     B to play dionysus   A harpies   B dionysus
    """
    after(turn, "e5>e4 e4^e5")
