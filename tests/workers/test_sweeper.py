"""The sweeper on the memory store: what it hands over, what it applies itself, what it repairs."""

from __future__ import annotations

import threading
import time

import pytest

from app.adapters.store import GRACE, SHARDS, StoreUnavailable, shard_of
from domain.game.settings import Settings
from tests.app.services.conftest import House
from workers import sweeper as module
from workers.sweeper import LEASE, LONGEST_SLEEP, SHARDS_PER_JOB, SHORTEST_SLEEP, Sweeper

TURN = 10_000


class Shift:
    """A sweeper on a house of its own, with a queue that only remembers."""

    def __init__(self, owner: str = "ann", house: House | None = None) -> None:
        self.house = house or House()
        self.queue: list[int] = []
        self.sweeper = Sweeper(self.house.services, self.house.store, self.queue.extend, owner)

    def duel(self) -> str:
        seats = self.house.seated(Settings(start_seat=1, turn_seconds=TURN // 1000))
        return seats[0].snapshot.game_id

    def ended(self) -> str:
        game_id = self.house.services.games.create(Settings()).snapshot.game_id
        joined = self.house.services.games.join(game_id)
        self.house.services.games.resign(game_id, joined.token)
        return game_id

    def pass_time(self, millis: int) -> None:
        self.house.store.clock.advance(millis)
        self.house.store.watch(60_000)


@pytest.fixture
def shift() -> Shift:
    shift = Shift()
    shift.house.store.watch(60_000)
    return shift


def test_it_sleeps_to_the_next_deadline_but_not_for_long(shift):
    assert shift.sweeper.sweep() == LONGEST_SLEEP
    shift.duel()
    assert shift.sweeper.sweep() == LONGEST_SLEEP
    shift.pass_time(TURN + GRACE - 60)
    assert shift.sweeper.sweep() == 61
    assert shift.queue == []


def test_it_hands_an_overdue_shard_over_once(shift):
    game_id = shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.sweep()
    shift.sweeper.sweep()
    assert shift.queue == [shard_of(game_id)]


def test_a_burst_is_handed_over_in_few_jobs(shift):
    jobs: list[list[int]] = []
    shift.sweeper.enqueue = jobs.append
    shards = {shard_of(shift.duel()) for _ in range(60)}
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.sweep()
    assert len(jobs) == -(-len(shards) // SHARDS_PER_JOB)
    assert sorted(shard for job in jobs for shard in job) == sorted(shards)


def test_a_lost_job_is_made_again_after_a_second(shift):
    shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.sweep()
    shift.pass_time(LEASE - 1)
    shift.sweeper.sweep()
    assert len(shift.queue) == 1
    shift.pass_time(1)
    shift.sweeper.sweep()
    assert len(shift.queue) == 2


def test_the_next_deadline_of_a_shard_does_not_wait_for_the_last_one(shift):
    game_id = shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.sweep()
    shift.house.services.clocks.run_due(shard_of(game_id))
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.sweep()
    assert len(shift.queue) == 2


def test_two_sweepers_share_the_work(shift):
    other = Shift("bob", shift.house)
    shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.sweep()
    other.sweeper.sweep()
    assert len(shift.queue) == 1 and other.queue == []
    shift.pass_time(1000)
    other.sweeper.sweep()
    assert len(other.queue) == 1


def test_what_no_job_has_applied_is_rescued(shift):
    game_id = shift.duel()
    shift.pass_time(TURN + GRACE + 2_500)
    shift.sweeper.sweep()
    assert shift.house.game(game_id).version == 5
    shift.pass_time(1)
    shift.sweeper.sweep()
    assert shift.house.game(game_id).version > 5
    assert shift.house.services.maintenance.backlog().counts == {"rescued": 1}


def test_while_jobs_are_worked_at_here_nothing_is_rescued(shift, monkeypatch):
    """The sweep comes in the middle of a job, when other shards are very late too."""
    games = [shift.duel() for _ in range(2)]
    while shard_of(games[0]) == shard_of(games[1]):
        games[1] = shift.duel()
    shift.pass_time(TURN + GRACE + 2_501)
    append_many = shift.house.store.append_many

    def slow(changes):
        shift.sweeper.sweep()
        return append_many(changes)

    with monkeypatch.context() as patched:
        patched.setattr(shift.house.store, "append_many", slow)
        shift.house.services.clocks.run_due(shard_of(games[0]))
    assert shift.house.game(games[1]).version == 5
    assert shift.house.services.maintenance.backlog().counts == {}
    assert shard_of(games[1]) in shift.queue and shard_of(games[0]) not in shift.queue
    shift.sweeper.sweep()
    assert shift.house.game(games[1]).version > 5


def test_behind_a_job_that_waits_no_other_is_made(shift):
    shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    shift.sweeper.crowded = lambda: True
    assert shift.sweeper.sweep() == SHORTEST_SLEEP
    assert shift.queue == []
    shift.sweeper.crowded = lambda: False
    shift.sweeper.sweep()
    assert len(shift.queue) == 1


def test_it_looks_again_soon_while_something_is_overdue(shift):
    game_id = shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    assert shift.sweeper.sweep() == SHORTEST_SLEEP
    shift.house.services.clocks.run_due(shard_of(game_id))
    assert shift.sweeper.sweep() == LONGEST_SLEEP


def test_a_broken_game_is_not_looked_at_again_and_again(shift, caplog):
    """It stays overdue for ever; four looks a second are enough."""
    game_id = shift.duel()
    shift.house.store._games[game_id].blobs[-1] = b"\x01\x00\x01" + b"x" * 40
    shift.house.restart()
    shift.sweeper.services = shift.house.services
    shift.pass_time(TURN + GRACE + 2_501)
    for _ in range(3):
        assert shift.sweeper.sweep() == LONGEST_SLEEP
        shift.pass_time(250)
    assert game_id in caplog.text


def test_a_paused_shard_is_left_alone(shift):
    game_id = shift.duel()
    shift.house.services.maintenance.pause()
    shift.pass_time(TURN + 60_000)
    shift.sweeper.sweep()
    assert shift.queue == [] and shift.house.game(game_id).version == 5


def test_its_first_sweep_after_an_outage_gives_the_time_back(shift):
    game_id = shift.duel()
    shift.house.store.clock.advance(3_600_000)
    shift.sweeper.sweep()
    assert shift.house.services.archive.export(game_id)[-1].body["type"] == "clock_restarted"


def test_a_lost_entry_of_the_due_index_comes_back(shift):
    game_id = shift.duel()
    shift.house.store._due.clear()
    shift.sweeper.sweep()
    assert not shift.house.store.due(shard_of(game_id)).games
    shift.sweeper.reconcile_seconds = 0
    for _ in range(SHARDS):
        shift.sweeper.sweep()
    assert shift.house.store.due(shard_of(game_id)).games


def test_it_outlives_a_store_that_is_away(shift, caplog):
    stop, calls = threading.Event(), []

    def away():
        calls.append(1)
        if len(calls) == 3:
            stop.set()
        if len(calls) == 1:
            raise StoreUnavailable("gone")
        raise RuntimeError("a bug")

    shift.house.store.next_due = away
    shift.sweeper.run(stop)
    assert len(calls) == 3 and "gone" in caplog.text and "a bug" in caplog.text


def test_a_job_is_one_call_into_the_clocks(shift):
    from workers import jobs

    game_id = shift.duel()
    shift.pass_time(TURN + GRACE + 1)
    jobs.bind(shift.house.services)
    assert jobs.run_due(shard_of(game_id)) == 1
    assert jobs.run_due(shard_of(game_id)) == 0


def test_games_that_are_over_are_handed_over_shard_by_shard(shift, monkeypatch):
    """Once each; shards without such games make no jobs, and neither do paused ones."""
    jobs: list[list[int]] = []
    shift.sweeper.compact = jobs.append
    ended = {shard_of(shift.ended()) for _ in range(5)}
    shift.pass_time(3_600_000)
    sweeps(shift, monkeypatch, SHARDS)
    assert sorted(jobs) == [[shard] for shard in sorted(ended)]
    other = Shift("bob", shift.house)
    other.sweeper.compact = jobs.append
    sweeps(other, monkeypatch, SHARDS)
    assert len(jobs) == len(ended), "another sweeper has just handed them over"
    shift.pass_time(1_001)
    shift.house.store.pause()
    sweeps(shift, monkeypatch, SHARDS)
    assert len(jobs) == len(ended)
    for shard in ended:
        shift.house.store.resume(shard)
    for job in jobs:
        assert sum(shift.house.services.compactor.run(shard) for shard in job) >= 1
    shift.pass_time(1_001)
    sweeps(shift, monkeypatch, SHARDS)
    assert len(jobs) == len(ended)


def test_a_game_that_has_just_ended_is_not_handed_over(shift, monkeypatch):
    jobs: list[list[int]] = []
    shift.sweeper.compact = jobs.append
    shift.ended()
    shift.pass_time(3_599_000)
    sweeps(shift, monkeypatch, SHARDS)
    assert jobs == []


def sweeps(shift, monkeypatch, count):
    """Sweep so many times, as far apart as the sweeper does."""
    for _ in range(count):
        moment = time.monotonic() + module.COMPACT_SECONDS
        monkeypatch.setattr(module.time, "monotonic", lambda moment=moment: moment)
        shift.sweeper.sweep()
