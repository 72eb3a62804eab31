"""Logs move between services: what is exported can be imported, what is broken cannot."""

from __future__ import annotations

import random

import pytest

from domain.game.errors import Refusal
from domain.game.record import record_text
from domain.game.settings import Settings


def bodies(house, game_id):
    return [dict(event.body) for event in house.services.archive.export(game_id)]


@pytest.fixture
def finished(house):
    return house.play_out(house.seated(), random.Random(8))


def test_an_imported_log_is_a_new_flagged_game(house, finished):
    told = bodies(house, finished.game_id)
    imported = house.services.archive.import_events(told)
    assert imported.game_id != finished.game_id and imported.game.imported
    assert imported.game.lines == finished.game.lines
    assert imported.game.result == finished.game.result
    again = bodies(house, imported.game_id)
    assert [e["at"] for e in again] == [e["at"] for e in told]
    assert house.services.reader.verify(imported.game_id).ok


def test_a_running_game_gets_its_time_again(house):
    seats = house.seated(Settings(start_seat=1, turn_seconds=60))
    told = bodies(house, seats[0].snapshot.game_id)
    house.store.clock.advance(1_000_000)
    imported = house.services.archive.import_events(told)
    assert imported.version == len(told) + 1
    assert imported.game.clock.deadline == house.store.now() + 60_000
    assert house.services.reader.verify(imported.game_id).ok


def test_a_record_becomes_a_game(house, finished):
    imported = house.services.archive.import_record(record_text(finished.game, "all"))
    assert imported.game.imported and imported.game.lines == finished.game.lines
    assert house.services.reader.verify(imported.game_id).ok


@pytest.mark.parametrize(
    ("change", "version"),
    [
        (lambda log: log.clear(), 1),
        (lambda log: log.pop(0), 1),
        (lambda log: log.pop(9), 10),
        (lambda log: log[9].update(seat=9), 10),
        (lambda log: log[9].pop("data"), 10),
        (lambda log: log[9].update(version="10"), 10),
        (lambda log: log[0].update(game_id=None), 1),
        (lambda log: log[0].update(data={}), 1),
        (lambda log: log[0].update(data=[]), 1),
        (lambda log: log[3].update(data={"x": 1.5}), 4),
        (lambda log: log[3].update(data={"x": 2**60}), 4),
    ],
)
def test_a_broken_log_is_refused_and_nothing_is_stored(house, finished, change, version):
    told, games = bodies(house, finished.game_id), len(house.store._games)
    change(told)
    with pytest.raises(Refusal) as caught:
        house.services.archive.import_events(told)
    assert caught.value.code == "validation_failed"
    assert caught.value.flaws[0].pointer == f"/{version - 1}"
    assert len(house.store._games) == games


@pytest.mark.parametrize(
    "data",
    [
        {"settings": {}, "imported": False},
        {"settings": {"variant": "chess"}, "imported": False},
        {"settings": None, "imported": False},
    ],
)
def test_a_rehashed_log_with_impossible_settings_is_refused(house, finished, data):
    from app.adapters import chain

    told = bodies(house, finished.game_id)
    told[0]["data"] = data
    bare = [{k: v for k, v in e.items() if not k.endswith("hash")} for e in told]
    with pytest.raises(Refusal) as caught:
        house.services.archive.import_events(chain.link(bare, ""))
    assert caught.value.flaws[0].pointer == "/0"
