"""Rulings of docs/rulings.md that no card's own test holds."""

from __future__ import annotations

from domain.rules.engine import close_turn, play, position_key
from tests.boards import after, moves, on_board, step_named


@on_board
def test_an_exchange_is_barred_by_a_worker_it_could_not_take(turn):
    """P-41: Talus hides d2 from being taken, but d2 stands beside d1 all the same.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0B 0.
    1   0. 0A 0. 0A 0.   A to play   A nemesis   B europa   talus d2
    """
    assert not any("~" in text for text in moves(after(turn, "b1>b2 b2^b3")))


@on_board
def test_a_denial_is_for_the_holders_own_moves(turn):
    """P-67: Bellerophon wins by a rise of two against Pegasus.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 3. 0. 0. 0.
    2   0. 1B 0. 0. 0.
    1   0B 0. 0. 0A 0A   B to play   A pegasus   B bellerophon
    """
    assert after(turn, "b2>b3").outcome.winner == 2


@on_board
def test_the_drag_is_declined_aloud_whoever_holds_the_whirlpools(turn):
    """T-10a: Charybdis is in a foe's hands, none of her whirlpools on the board.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0B 0. 0.
    1   0. 0. 0. 0B 0A   A to play   A scylla   B charybdis
    """
    assert moves(after(turn, "b2>b3")) == {"-", "c2~b2"}


@on_board
def test_tokens_of_a_power_set_aside_stay_in_the_key(turn):
    """T-48, T-70: the night takes Charybdis, not her whirlpools.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A nyx=time:day;night_power:apollo   B charybdis
    whirlpool a1   whirlpool e1
    """
    close = close_turn(after(turn, "b2>b3 b3^c3*"))
    parts = position_key(close.position, close.seat).split("|")
    assert parts[5] == "whirlpool@a1,whirlpool@e1"
    assert parts[6] == "aside=S2:charybdis:0"


@on_board
def test_an_extra_turn_whose_first_step_was_cancelled_has_begun(turn):
    """P-39, T-45: the turn is lost, not declined; the target is announced and no card is drawn.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0B 0. 0.
    2   0. 0A 0. 0. 0.
    1   0A 0. 0. 0. 0B   A to play tyche   A tyche   B hecate
    """
    played = play(turn, step_named(turn, "b2>c3"))
    assert played.cancelled == "c3"
    assert played.turn.closed
    assert played.turn.cut
    close = close_turn(played.turn)
    assert (close.seat, close.kind, close.facts) == (2, "normal", ())


@on_board
def test_a_cancelled_step_announces_its_own_target(turn):
    """P-39: Minotaur's push fails on the worker behind, but c3 is the square that is told.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0B 0.
    3   0. 0. 0B 0. 0.
    2   0. 0A 0. 0. 0.
    1   0A 0. 0. 0. 0.   A to play   A minotaur   B hecate
    """
    assert play(turn, step_named(turn, "b2>c3")).cancelled == "c3"


@on_board
def test_the_far_whirlpool_is_looked_at_by_the_active_seat(turn):
    """T-23, P-32: a whirlpool under what A reads as a dome carries nobody.

        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 1. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A charybdis   B clio=2
    whirlpool b3   whirlpool d3   coin d3
    """
    assert "b3^b4" in moves(after(turn, "b2>b3"))
