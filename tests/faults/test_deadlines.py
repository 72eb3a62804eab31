"""Deadlines against the real Redis: moves that race them, pauses, a damaged index, an outage."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest
import redis

from app.adapters import times
from app.adapters.store import GRACE, SHARDS, shard_of
from app.config import Config
from app.services import Seated, Services
from app.wiring import build_services, build_store
from domain.game.errors import Refusal
from domain.game.outlook import legal_steps
from domain.game.settings import Settings
from tests.app.services.conftest import House
from tests.faults.verdict import Verdict
from tests.servers import redis_server
from workers import sweeper as sweeper_module
from workers.sweeper import Sweeper

AROUND = 10
"""Milliseconds before or after the end of the grace at which moves arrive."""

BATCH, APART = 30, 0.045
"""Games whose deadlines are as many seconds apart, so that each race is run at its time."""


class Hall:
    """Services on a Redis of the test's own, and games with clocks of a second."""

    def __init__(self, server: Any) -> None:
        self.url = server.url
        config = Config(redis_url=server.url)
        self.store = build_store(config)
        self.services: Services = build_services(config, self.store)
        self.store.watch(60_000)

    def duel(self, seconds: int = 1) -> list[Seated]:
        one = self.services.games.create(
            Settings(start_seat=1, turn_seconds=seconds, placement="recommended")
        )
        return [one, self.services.games.join(one.snapshot.game_id)]

    def events(self, game_id: str) -> list[Any]:
        return [event.body for event in self.services.archive.export(game_id)]


@pytest.fixture
def hall(tmp_path):
    with redis_server(tmp_path) as server:
        yield Hall(server)


class Race:
    """One move sent as its deadline ends, while a worker looks too."""

    def __init__(self, hall: Hall, seats: list[Seated], dice: random.Random) -> None:
        self.hall, self.seats = hall, seats
        self.game_id = seats[0].snapshot.game_id
        snapshot = hall.services.reader.read(self.game_id).snapshot
        assert snapshot.game.clock is not None and snapshot.game.clock.deadline is not None
        self.version = snapshot.version
        self.step = dice.choice(legal_steps(snapshot.game))
        self.token = seats[snapshot.game.clock.seat - 1].token
        self.end = snapshot.game.clock.deadline + GRACE
        self.at = self.end + dice.uniform(-AROUND, AROUND)
        self.answer: str = ""

    def run(self) -> None:
        worker = threading.Thread(target=self._expire)
        worker.start()
        _sleep_until(self.at)
        try:
            self.hall.services.games.play(self.game_id, self.token, steps=(self.step,))
            self.answer = "moved"
        except Refusal as refusal:
            self.answer = refusal.code
        worker.join()

    def _expire(self) -> None:
        _sleep_until(self.end - 2)
        for _ in range(6):
            self.hall.services.clocks.run_due(shard_of(self.game_id))
            time.sleep(0.002)

    def check(self) -> str:
        """Move or timeout, never both, and the answer says which."""
        first = self.hall.events(self.game_id)[self.version]
        if self.answer == "moved":
            assert first["type"] == "moved" and times.read(first["at"]) <= self.end
        else:
            assert self.answer in ("turn_expired", "not_your_turn", "illegal_step"), self.answer
            assert first["type"] == "timed_out" and times.read(first["at"]) > self.end
        return str(first["type"])


def _sleep_until(millis: float) -> None:
    time.sleep(max(0.0, millis / 1000 - time.time()))


def race(hall: Hall, moves: int) -> None:
    dice, outcomes, verdict = random.Random(5), [], Verdict()
    while len(outcomes) < moves:
        races = []
        for _ in range(min(BATCH, moves - len(outcomes))):
            races.append(Race(hall, hall.duel(seconds=2), dice))
            time.sleep(APART)
        for one in races:
            one.run()
        outcomes += [one.check() for one in races]
        for one in races:
            verdict.judge_clocks(one.game_id, hall.events(one.game_id))
            assert hall.services.archive.verify(one.game_id).ok
    assert not verdict.early
    assert min(outcomes.count("moved"), outcomes.count("timed_out")) > moves / 10


def test_moves_that_race_their_deadline(hall):
    """Sixty moves within 10 ms of the end: each turn has one outcome."""
    race(hall, 60)


@pytest.mark.faults
def test_six_hundred_moves_that_race_their_deadline(hall):
    race(hall, 600)


def test_a_pause_gives_every_clock_its_time_back(hall):
    """On the real store: no timeout during the pause, each deadline moved once."""
    games = [hall.duel()[0].snapshot.game_id for _ in range(12)]
    before = [hall.services.reader.read(g).snapshot.game.clock.deadline for g in games]
    hall.services.maintenance.pause()
    began = hall.store.paused_since(0)
    time.sleep(1.6)
    assert sum(hall.services.clocks.run_due(shard) for shard in range(SHARDS)) == 0
    assert hall.services.maintenance.resume() == len(games)
    assert hall.services.maintenance.resume() == 0
    for game_id, old in zip(games, before, strict=True):
        shifted = hall.services.reader.read(game_id).snapshot.game.clock.deadline - old
        assert 1600 <= shifted <= hall.store.now() - began
        assert hall.events(game_id)[-1]["data"]["reason"] == "resumed"


def test_entries_deleted_from_the_due_index_come_back(hall, monkeypatch):
    """Somebody deletes the whole due index by hand; the games still end by their clocks."""
    monkeypatch.setattr(sweeper_module, "LONGEST_SLEEP", 20)
    games = [hall.duel()[0].snapshot.game_id for _ in range(8)]
    with redis.Redis.from_url(hall.url) as client:
        keys = list(client.scan_iter("*:due"))
        assert keys
        client.delete(*keys)
    assert hall.store.next_due()[1] == [None] * SHARDS
    sweeper = Sweeper(
        hall.services, hall.store, lambda shards: None, "s", rescue=0, reconcile_seconds=0.2
    )
    stop = threading.Event()
    thread = threading.Thread(target=sweeper.run, args=(stop,))
    thread.start()
    try:
        end = time.monotonic() + 30
        while any(hall.services.reader.read(g).snapshot.game.clock for g in games):
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        stop.set()
        thread.join()
    assert hall.store.counts()["repaired"] >= len(games)


def test_an_hour_without_workers_costs_nobody_a_game():
    """By a clock that is turned: at most one timeout each, and no loss by the outage."""
    house = House()
    house.store.watch(60_000)
    games = []
    for minutes in range(1, 121):
        seats = house.seated(Settings(start_seat=1, turn_seconds=minutes * 30))
        games.append(seats[0].snapshot.game_id)
    house.store.clock.advance(3_600_000)
    sweeper = Sweeper(house.services, house.store, lambda shards: None, "s", rescue=0)
    for _ in range(3):
        sweeper.sweep()
        house.store.clock.advance(250)
    told = [[e.body["type"] for e in house.services.archive.export(g)][5:] for g in games]
    assert all(types.count("timed_out") <= 1 for types in told)
    assert all("finished" not in types for types in told)
    assert sum("clock_restarted" in types for types in told) > 100
    assert sum("timed_out" in types for types in told) == 3  # those of the last minute count
