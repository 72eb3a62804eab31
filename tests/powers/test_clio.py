"""Clio (P-33): coins that foes take for domes."""

from __future__ import annotations

from domain.board.geometry import BY_NAME
from tests.boards import after, moves, on_board


def coins(turn):
    left = turn.position.holding("clio").note
    return sorted(token.square for token in turn.position.tokens), left


@on_board
def test_a_new_block_takes_the_old_coin_and_the_next_one(turn):
    """The coin on c3 is gone for good, the one on the new block is the second.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 1. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0.     A clio=2   coin c3
    """
    assert coins(after(turn, "b2>b3 b3^c3")) == ([BY_NAME["c3"]], 1)


@on_board
def test_a_dome_takes_no_coin(turn):
    """It only buries the one that lay there.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0.     A clio=2   coin c3
    """
    assert coins(after(turn, "b2>b3 b3^c3*")) == ([], 2)


@on_board
def test_a_coin_hides_the_worker_on_it_from_foes(turn):
    """Charon may ferry d4 over, but not c4, who stands under a coin; c3 has one too.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 1a 0. 0.
    3   0. 0. 1. 0b 0A
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0.     B to play   A clio=1   B charon   coin c4   coin c3
    """
    offered = moves(turn)
    assert "d3>c3" not in offered
    assert not any(move.startswith("c4~") for move in offered)
    assert {"d3>c4", "d3>d4"} & offered == {"d3>d4"}


@on_board
def test_both_foes_are_bound(turn):
    """In a game of three the third seat sees the coin as well.

        a  b  c  d  e
    5   0b 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 1. 0c 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0A 0C     C to play   trio   A clio=2   coin c3
    """
    assert "d3>c3" not in moves(turn)
    assert "d2^c3" not in moves(after(turn, "d3>d2"))
