"""Dry runs: what the caller may know, and no more (contract, section 5)."""

from __future__ import annotations

import pytest

from domain.game.commands import PlayNotation
from domain.game.decide import Context, decide, rehearse
from domain.game.errors import IllegalStep
from tests.games import NOON, SeededDice, kinds, with_powers


def tried(table, line):
    seat = table.game.clock.seat
    context = Context(NOON, SeededDice())
    return rehearse(table.game, PlayNotation(seat, line), seat, context)


def test_a_rehearsal_is_the_real_thing_without_secrets():
    """Where nothing is hidden, a dry run tells exactly what would be appended."""
    table = with_powers("apollo", "pan")
    table.play("+b1 +d1", "+b5 +d5")
    entries, after = tried(table, "b1>b2 b2^b3")
    real = decide(table.game, PlayNotation(1, "b1>b2 b2^b3"), Context(NOON, SeededDice()))
    assert entries == real
    assert after.clock.seat == 2


def test_a_rehearsal_refuses_what_the_game_refuses():
    """The same validation."""
    table = with_powers("apollo", "pan")
    table.play("+b1 +d1", "+b5 +d5")
    with pytest.raises(IllegalStep):
        tried(table, "b1>b3")


def test_a_rehearsal_meets_nothing_hidden():
    """P-39: with Hecate's worker in the way the dry run still shows the move as made."""
    shown = []
    for squares in ("+b2 +d5", "+b5 +d5"):
        table = with_powers("mortal", "hecate")
        table.play("+b1 +d1", squares)
        entries, after = tried(table, "b1>b2 b2^b3")
        shown.append(kinds(entries))
        assert after.clock is None
    assert shown[0] == shown[1] == ["Moved", "Built", "TurnEnded"]


def test_a_rehearsal_enters_no_abyss():
    """T-38: the opponent of Tartarus learns nothing by trying."""
    table = with_powers("tartarus", "mortal")
    table.play("+b1 +d1", "+b5 +d5", "@abyss:b4", "b1>b2 b2^b3")
    entries, _ = tried(table, "b5>b4 b4^a4")
    assert kinds(entries) == ["Moved", "Built", "TurnEnded"]


def test_a_rehearsal_draws_no_card():
    """Tyche's deck stays as it is."""
    table = with_powers("tyche", "mortal")
    table.play("+b1 +d1", "+b5 +d5")
    entries, _ = tried(table, "b1>b2 b2^b3")
    assert kinds(entries) == ["Moved", "Built", "TurnEnded"]
