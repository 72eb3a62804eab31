"""Morpheus: builds are paid with coins."""

from domain.rules.engine import start_facts
from tests.boards import after, board, clock, moves

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A morpheus={0}
"""


def coins(turn):
    return turn.position.holding("morpheus").note


def test_every_turn_brings_a_coin():
    (fact,) = start_facts(board(BOARD.format(0)).position, 1)
    assert (fact.power, fact.note) == ("morpheus", 1)
    assert start_facts(board(BOARD.format(0)).position, 2) == ()


def test_builds_cost_a_coin_each_and_the_last_coin_ends_the_turn():
    turn = after(board(BOARD.format(2)), "b2>b3 b3^c3")
    assert coins(turn) == 1
    assert not turn.closed
    assert {step[:2] for step in moves(turn)} == {".", "b3"}
    assert after(turn, "b3^c3").closed


def test_saving_is_always_allowed():
    saved = after(board(BOARD.format(3)), "b2>b3 .")
    assert saved.closed
    assert coins(saved) == 3


def test_the_clock_saves_the_coins():
    assert clock(board(BOARD.format(4))) == "b2>a1 ."
    assert clock(after(board(BOARD.format(4)), "b2>b3 b3^c3")) == "."
