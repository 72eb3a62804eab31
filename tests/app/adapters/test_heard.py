"""Clocks as last heard: they lag, they never lead, and they are not believed for ever."""

from __future__ import annotations

import pytest

from app.adapters import heard
from app.adapters.heard import FRESH, Heard


@pytest.fixture
def ours(monkeypatch):
    """Return what sets our own clock, in milliseconds."""
    clock = [5_000.0]
    monkeypatch.setattr(heard, "monotonic", lambda: clock[0] / 1000)

    def turn(millis):
        clock[0] = millis

    return turn


def test_nothing_is_known_of_a_shard_that_never_answered(ours):
    clocks = Heard()
    clocks.note(1, 1_000_000)
    assert clocks.now(2) is None
    assert clocks.now(1) == 1_000_000


def test_the_clock_goes_on_and_is_forgotten(ours):
    clocks = Heard()
    clocks.note(1, 1_000_000)
    ours(5_250.0)
    assert clocks.now(1) == 1_000_250
    ours(5_000.0 + FRESH)
    assert clocks.now(1) is None


def test_a_slow_answer_does_not_set_the_clock_back(ours):
    clocks = Heard()
    clocks.note(1, 1_000_000)
    ours(6_000.0)
    clocks.note(1, 1_000_700)  # read 300 ms after it was written
    assert 1_000_998 <= clocks.now(1) <= 1_001_000


def test_a_quicker_answer_sets_it_right(ours):
    clocks = Heard()
    clocks.note(1, 1_000_000)
    ours(6_000.0)
    clocks.note(1, 1_001_040)
    assert clocks.now(1) == 1_001_040


def test_a_clock_that_was_set_back_is_believed(ours):
    clocks = Heard()
    clocks.note(1, 1_000_000)
    ours(6_000.0)
    clocks.note(1, 990_000)
    assert clocks.now(1) == 990_000
