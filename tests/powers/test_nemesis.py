"""Nemesis (P-41): two for two."""

from __future__ import annotations

from tests.boards import after, board, clock, lines, moves, on_board


@on_board
def test_four_assignments_lead_to_one_position(turn):
    """All are offered; the canonical turn is the smallest.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0b 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0A 0. 0.     A nemesis
    """
    offered = moves(after(turn, "a1>a2 a2^a1"))
    assert len(offered) == 5
    mine = [line for line in lines(turn) if line.startswith("a1>a2 a2^a1 (")]
    assert mine == ["a1>a2 a2^a1 (a2~d4,c1~e5,d4~a2,e5~c1)"]


@on_board
def test_three_foes_give_three_pairs(turn):
    """Any two of the three workers may be taken.

        a  b  c  d  e
    5   0. 0. 0B 0. 0B
    4   0. 0. 0. 0b 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0A 0. 0.     A nemesis   B proteus
    """
    assert len(moves(after(turn, "a1>a2 a2^a1"))) == 1 + 3 * 4


@on_board
def test_each_foe_of_three_players_is_looked_at_alone(turn):
    """Seat 2 stands too near, seat 3 does not.

        a  b  c  d  e
    5   0. 0. 0. 0. 0C
    4   0. 0. 0. 0. 0c
    3   0. 0. 0B 0. 0.
    2   0. 0b 0. 0. 0.
    1   0a 0. 0A 0. 0.     trio   A nemesis
    """
    offered = moves(after(turn, "a1>a2 a2^a1"))
    assert offered == {
        ".",
        "(a2~e4,c1~e5,e4~a2,e5~c1)",
        "(a2~e4,c1~e5,e4~c1,e5~a2)",
        "(a2~e5,c1~e4,e4~a2,e5~c1)",
        "(a2~e5,c1~e4,e4~c1,e5~a2)",
    }


ABYSS = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0b
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0A 0. 0.     A nemesis   B tartarus=abyss:{}
"""


def test_an_exchange_enters_squares():
    """Whoever lands on the abyss loses (T-40); a worker cannot start there."""
    turn = after(board(ABYSS.format("a1")), "a1>a2 a2^a3")
    assert after(turn, "(a2~e4,c1~e5,e4~a2,e5~c1)").outcome is None
    turn = after(board(ABYSS.format("c1")), "a1>a2 a2^a3")
    lost = after(turn, "(a2~e4,c1~e5,e4~a2,e5~c1)").outcome
    assert lost is not None
    assert lost.losers == (2,)


@on_board
def test_the_clock_exchanges_nobody(turn):
    """It is a may.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0b 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0A 0. 0.     A nemesis
    """
    assert clock(turn) == "a1>a2 a2^a1 ."
