"""Two powers made up for this test: one widens, one forbids; the engine needs no change."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.board.geometry import NEIGHBOURS, PERIMETER, squares_of
from domain.board.position import Held
from domain.rules import ruleset
from domain.rules.engine import legal_steps, open_turn
from domain.rules.power import REGISTRY, Power, Scope
from domain.rules.ruleset import ruleset_for
from domain.rules.step import text_of
from tests.boards import board

GROUND = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 1. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0b     A to play
"""


@pytest.fixture
def made_up(monkeypatch):
    """Two cards, known for the length of one test."""

    class Strider(Power):
        """Its workers may also move two squares on the ground, straight or diagonally."""

        def reach(self, turn, held, worker, targets):
            square = turn.position.workers[worker]
            around = NEIGHBOURS[square]
            far = 0
            for near in squares_of(around & ~turn.position.occupied):
                far |= NEIGHBOURS[near]
            flat = ~turn.position.levels[1]
            return targets | far & flat & ~around & ~turn.position.occupied & ~(1 << square)

    class Warden(Power):
        """Nobody else's worker may step onto the perimeter."""

        scope = Scope.FOREIGN_WORKERS

        def forbidden_targets(self, turn, held, worker, targets):
            return PERIMETER

    monkeypatch.setitem(REGISTRY, "strider", Strider())
    monkeypatch.setitem(REGISTRY, "warden", Warden())
    ruleset._CACHE.clear()
    yield
    ruleset._CACHE.clear()


def steps(*held):
    position = replace(board(GROUND).position, held=held)
    return {text_of(step) for step in legal_steps(open_turn(position, 1))}


def test_a_permission_adds_steps_and_takes_none(made_up):
    """*May* widens: everything a mortal could do stays possible (T-31)."""
    mortal = steps()
    wide = steps(Held("strider", 1))
    assert mortal < wide
    assert "b2>b4" in wide - mortal


def test_a_restriction_takes_steps_and_adds_none(made_up):
    """*Cannot* narrows, and binds only workers that are not the holder's (T-32)."""
    mortal = steps()
    bound = steps(Held("warden", 2))
    assert bound < mortal
    assert "b2>b1" in mortal - bound
    assert steps(Held("warden", 1)) == mortal


def test_a_restriction_cuts_what_a_permission_added(made_up):
    """*Cannot* beats everything, in whatever order the cards lie (T-31)."""
    both = steps(Held("strider", 1), Held("warden", 2))
    assert both == steps(Held("warden", 2), Held("strider", 1))
    assert "b2>b4" in both
    assert not any(text.endswith(("1", "5")) for text in both)


def test_a_seat_without_powers_pays_nothing():
    """With no card on the table no hook is compiled at all."""
    rules = ruleset_for(board(GROUND).position, 1, "normal")
    assert rules.plain
    assert not rules.reach and not rules.forbidden_targets and not rules.judged
