"""Tyche: a card at the end of the turn, and a turn for the six."""

import pytest

from domain.powers import CATALOGUE
from domain.powers.tyche import DECK
from domain.rules.engine import close_turn
from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play{0}   A tyche={1}
"""
TURN = "b2>b3 b3^c3"


class Backwards:
    """Dice that turn a deck around."""

    def shuffled(self, items):
        return tuple(reversed(items))


def closing(deck, kind="", line=TURN):
    return close_turn(after(board(BOARD.format(kind, deck)), line), Backwards())


def cards(close):
    return close.position.holding("tyche").note


def test_a_blank_is_gone_and_the_next_seat_plays():
    close = closing("deck:blank+six+blank")
    assert (close.seat, close.kind) == (2, "normal")
    assert cards(close) == ("six", "blank")
    assert close.facts[0].card == "blank"


def test_the_six_brings_a_turn_and_a_whole_new_deck():
    close = closing("deck:six+blank")
    assert (close.seat, close.kind) == (1, "tyche")
    assert cards(close) == tuple(reversed(DECK))


@pytest.mark.parametrize("line", [TURN, "."])
def test_her_extra_turn_draws_nothing(line):
    close = closing("deck:six+blank", " tyche", line)
    assert (close.seat, close.kind) == (2, "normal")
    assert close.facts == ()


@on_board
def test_a_card_set_aside_at_the_close_is_not_drawn_from(turn):
    """The night falls at K1, before the draw of K2 (T-48).

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A tyche=deck:six+blank
    B nyx=time:day;night_power:apollo
    """
    close = close_turn(after(turn, "b2>b3 b3^c3*"), Backwards())
    assert (close.seat, close.kind) == (2, "normal")
    assert close.position.aside[0].note == ("six", "blank")


def test_the_clock_declines_the_extra_turn():
    turn = board(BOARD.format(" tyche", "deck:six+blank"))
    assert clock(turn) == "."
    assert {".", "b2>b3", "d1>e1"} <= moves(turn)


def test_a_deck_has_one_six():
    tyche = CATALOGUE["tyche"]
    for deck in (["blank"], ["six", "six"], [], ["five"]):
        with pytest.raises(ValueError):
            tyche.note_from({"deck": deck})
