"""Nyx: an odd number of Complete Towers brings the night."""

from domain.board.facts import PowerLost
from domain.rules.engine import close_turn, position_key
from tests.boards import after, board, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   {0} 0. 0. 0A 0.   A to play   A nyx=time:{1};night_power:apollo   {2}
"""
NEVER = "b2>b3 b3^b4"
TOWER = "b2>b3 b3^c3*"


def closed(drawing, line):
    close = close_turn(after(board(drawing), line))
    words = position_key(close.position, close.seat).split("|")
    return words[4], words[6]


def test_an_odd_tower_takes_the_foes_power_away_and_keeps_its_counters():
    day = BOARD.format("0.", "day", "B morpheus=2")
    assert closed(day, TOWER) == ("apollo:,nyx:night/apollo;", "aside=S2:morpheus:2")
    assert closed(day, NEVER) == ("nyx:day/apollo;morpheus:2", "")


def test_an_even_tower_brings_it_back():
    night = BOARD.format("3*", "night", "A apollo")
    assert closed(night, TOWER) == ("nyx:day/apollo;", "")
    assert closed(night, NEVER) == ("apollo:,nyx:night/apollo;", "")


def test_by_day_the_night_power_is_returned():
    """Contract, section 6: the reasons for which a power is lost are few and fixed."""
    night = board(BOARD.format("3*", "night", "A apollo"))
    lost = [fact for fact in close_turn(after(night, TOWER)).facts if isinstance(fact, PowerLost)]
    assert lost == [PowerLost(1, "apollo", "returned")]


@on_board
def test_what_lay_aside_comes_back_on_the_foes_turn_too(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   3. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   3* 0. 0. 0A 0.   B to play   A nyx=time:night;night_power:apollo   A apollo
    """
    close = close_turn(after(turn, "a5>b5 b5^a4*"))
    assert [held.power for held in close.position.held] == ["nyx"]


def test_a_low_dome_is_no_tower():
    turn = board(BOARD.format("2*", "day", "B artemis"))
    assert close_turn(after(turn, NEVER)).position.holding("artemis")


@on_board
def test_at_night_she_uses_her_night_power(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0B 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   3* 0. 0. 0A 0.   A to play   A nyx=time:night;night_power:apollo   A apollo
    """
    assert "b2>b3" in moves(turn)
    assert after(turn, "b2>b3 [b3~b2] b3^b4").closed
