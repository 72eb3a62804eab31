"""Sides that leave in the middle of a turn: in interrupts, by a card, off turn (C-34, C-41)."""

from __future__ import annotations

import pytest

from domain.game import outlook
from domain.game.commands import Resign
from domain.game.events import ClockRestarted, Eliminated
from domain.game.evolve import fold
from tests.games import kinds, on_table

ASKED = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0C 0.
    3   0. 3. 0. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0C 0. 0B 0.   A to play   A hestia   B gaea=2   C pan   trio
"""
FLANKED = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0A 0. 0C 0C
    2   0. 0B 0. 0. 0.
    1   0A 0. 0. 0. 0B   A to play   A maenads   B pan   C zeus   trio
"""


def asked():
    """Return a table whose seat 2 is asked in seat 1's turn, which can go on after it."""
    table = on_table(ASKED)
    table.play("b2>c3 c3^b3*")
    assert table.game.clock.kind == "interrupt"
    return table


def test_the_seat_asked_may_resign():
    """T-50, C-41: its interrupt closes with it, and the suspended turn gets its time back."""
    table = asked()
    entries = table.do(Resign(2))
    assert kinds(entries)[:2] == ["Resigned", "Eliminated"]
    assert any(isinstance(entry.data, ClockRestarted) for entry in entries)
    assert (table.game.clock.seat, table.game.clock.kind) == (1, "normal")
    assert outlook.can_end(table.game)


def test_the_seat_whose_turn_is_suspended_may_resign():
    """C-41: its turn ends without its end, the interrupt with it, and the next seat plays."""
    table = asked()
    table.do(Resign(1))
    assert table.game.suspended is None
    assert (table.game.clock.seat, table.game.clock.kind) == (2, "normal")
    assert table.game.position.out == (1,)


def test_a_third_seat_may_resign_while_another_is_asked():
    """C-34: off turn; the question stands."""
    table = asked()
    table.do(Resign(3))
    assert (table.game.clock.seat, table.game.clock.kind) == (2, "interrupt")
    table.play("-", ".")
    assert table.game.clock.seat == 2


def test_a_side_condemned_by_a_card_leaves_and_the_others_go_on():
    """P-61, L2, C-41: at the end of the Maenads' turn, with a third side at the table."""
    table = on_table(FLANKED)
    entries = table.play("a1>b1 b1^a1")
    assert Eliminated((2,), "lose_condition") in [entry.data for entry in entries]
    assert table.game.lines[-1] == "1.S1 a1>b1 b1^a1##S2"
    assert table.game.position.out == (2,)
    assert (table.game.clock.seat, table.game.clock.number) == (3, 2)


@pytest.mark.parametrize("seat", [2, 3])
def test_a_foe_that_leaves_takes_what_it_demands_along(seat):
    """C-41: restrictions end at once, in the middle of somebody's turn too."""
    drawing = ASKED.replace("gaea=2", "persephone").replace("C pan", "C athena=true")
    table = on_table(drawing)
    before = set(outlook.texts(outlook.legal_steps(table.game)))
    table.do(Resign(seat))
    assert table.game.clock.seat == 1
    assert before <= set(outlook.texts(outlook.legal_steps(table.game)))


def test_what_is_told_folds_to_the_same_game():
    table = on_table(FLANKED)
    start = table.game
    entries = table.play("a1>b1 b1^a1")
    assert fold(entries, start) == table.game
