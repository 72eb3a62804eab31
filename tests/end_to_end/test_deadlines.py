"""Clocks of one second: the server plays for those who do not, and ends what nobody plays."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest

from tests.end_to_end.instance import Instance
from tests.end_to_end.players import Table, check_log

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("end_to_end")]

LATEST = 4.0
"""Seconds after its deadline by which a turn must be over, on a busy machine."""


def finished(table: Table, seconds: float) -> Any:
    """Wait for the end of a game and return it."""
    limit = time.monotonic() + seconds
    while (game := table.get())["turn"] is not None:
        assert time.monotonic() < limit, game
        time.sleep(0.1)
    return game


def lateness(events: list[Any]) -> list[float]:
    """Return by how many seconds each timeout came after the deadline it answers."""
    late, deadline = [], None
    for event in events:
        if event["type"] == "timed_out":
            at = datetime.fromisoformat(event["at"])
            late.append((at - datetime.fromisoformat(deadline)).total_seconds())
        deadline = event["data"].get("deadline", deadline)
    return late


def test_a_game_nobody_plays_ends_by_itself(service: Instance) -> None:
    """C-37: the third timeout in a row of a seat is its loss; never early, never twice."""
    table = Table(service.url, 1, turn_seconds=1)
    table.fill()
    game = finished(table, 30)
    assert game["result"]["reason"] == "timeouts"
    check_log(table, game)
    events = table.events()
    counts = [(e["seat"], e["data"]["count"]) for e in events if e["type"] == "timed_out"]
    assert len(counts) == 5
    assert counts[-1][1] == 3
    assert all(0 <= late < LATEST for late in lateness(events))


def test_one_side_never_answers(service: Instance) -> None:
    """The side that plays wins, whatever the server does for the other."""
    table = Table(service.url, 2, placement="recommended", start_seat=1, turn_seconds=1)
    game = table.fill()
    limit = time.monotonic() + 40
    while game["turn"] is not None and time.monotonic() < limit:
        game = table.step(game) if game["turn"]["seat"] == 1 else table.get()
        time.sleep(0.02)
    assert game["status"] == "finished"
    check_log(table, game)
    assert all(0 <= late < LATEST for late in lateness(table.events()))
