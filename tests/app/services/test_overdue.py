"""Deadlines in batches: what they make of games is what one by one would, whatever happens."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.adapters.connections import connect
from app.adapters.memory_store import ManualClock, MemoryStore
from app.adapters.redis_store import RedisStore
from app.adapters.store import GRACE, SHARDS, StoreUnavailable, shard_of
from app.services import overdue
from app.services.overdue import BATCH, WORK
from domain.game.settings import PowersOption, Settings
from tests.app.services.conftest import House
from tests.servers import redis_server
from tests.simulation.world import entropy_from

EVERY = range(SHARDS)
TURN = 10_000
CLOCK = Settings(start_seat=1, turn_seconds=TURN // 1000)
SETTINGS = (
    CLOCK,
    CLOCK,
    Settings(start_seat=1, turn_seconds=30),
    Settings(start_seat=1, turn_seconds=None),
    Settings(variant="trio", turn_seconds=8),
    Settings(turn_seconds=8, powers=PowersOption(mode="fixed", seats=("hermes", "prometheus"))),
    Settings(turn_seconds=8, powers=PowersOption(mode="draft")),
)


def told(house, game_id):
    """Return what a log tells but for times, and so for hashes."""
    times = {"at", "hash", "prev_hash"}
    return [
        {n: v for n, v in event.body.items() if n not in times}
        | {"data": {n: v for n, v in event.body["data"].items() if n != "deadline"}}
        for event in house.services.archive.export(game_id)
    ]


def played(seed: int, clock: ManualClock) -> list[bytes]:
    """Play some games for a while, let some of them run out of time, and write all down.

    The same seed plays the same games in the same time.
    """
    with entropy_from(random.Random(seed)):
        return _played(seed, clock)


def _played(seed: int, clock: ManualClock) -> list[bytes]:
    dice, house = random.Random(seed), House(MemoryStore(clock))
    house.store.watch(60_000)
    for _ in range(dice.randrange(1, 14)):
        seats = house.seated(dice.choice(SETTINGS))
        for _ in range(dice.choice((0, 0, 3, 6, 20))):
            if house.game(seats[0].snapshot.game_id).game.clock is None:
                break
            house.step(seats, dice)
    for _ in range(dice.randrange(4)):
        clock.advance(TURN + GRACE + 1)
        house.store.watch(60_000)
        house.services.clocks.run_due(*(s for s in EVERY if dice.random() < 0.5))
    clock.advance(dice.choice((0, 5_000, TURN + GRACE + 1)))
    return list(house.services.backup.lines())


def restored(lines: list[bytes], store) -> House:
    house = House(store)
    assert all(house.services.backup.restore(line) for line in lines)
    house.store.watch(60_000)
    return house


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_a_batch_makes_of_games_what_one_by_one_would(seed):
    clock = ManualClock()
    lines = played(seed, clock)
    together, alone = (restored(lines, MemoryStore(clock)) for _ in range(2))
    games = alone.services.backup.games()
    applied = together.services.clocks.run_due(*EVERY)
    expired = [alone.services.clocks.expire(game_id).value for game_id in games]
    assert applied == len(games) - expired.count("nothing")
    for game_id in games:
        assert together.services.archive.export(game_id) == alone.services.archive.export(game_id)
        assert together.store.load(game_id).meta == alone.store.load(game_id).meta
    assert [together.store.due(s) for s in EVERY] == [alone.store.due(s) for s in EVERY]
    assert together.services.clocks.run_due(*EVERY) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with redis_server(tmp_path_factory.mktemp("overdue")) as running:
        yield running


@pytest.fixture
def client(server):
    with connect(server.url, 2.0) as one:
        one.flushall()
        yield one


def on_redis(client, count: int, prefix: str = "t") -> tuple[House, list[str]]:
    """Put games on Redis whose turns have just run out."""
    clock = ManualClock(RedisStore(client).now() - 2 * TURN)
    house = House(MemoryStore(clock))
    for _ in range(count):
        house.seated(CLOCK)
    house = restored(list(house.services.backup.lines()), RedisStore(client, prefix))
    return house, house.services.backup.games()


@pytest.mark.parametrize("seed", range(6))
def test_a_batch_on_redis_makes_of_games_what_one_by_one_would(client, seed):
    trial = ManualClock(0)
    played(seed, trial)
    lines = played(seed, ManualClock(RedisStore(client).now() - trial() - 500))
    together, alone = (restored(lines, RedisStore(client, prefix)) for prefix in "ab")
    games = alone.services.backup.games()
    together.services.clocks.run_due(*EVERY)
    for game_id in games:
        alone.services.clocks.expire(game_id)
        assert told(together, game_id) == told(alone, game_id)
        assert together.services.archive.verify(game_id).ok


def test_more_games_than_a_batch_holds_are_all_applied(house):
    house.store.watch(60_000)
    games = [house.seated(CLOCK)[0].snapshot.game_id for _ in range(2 * BATCH + 9)]
    house.store.clock.advance(TURN + GRACE + 1)
    house.store.watch(60_000)
    assert house.services.clocks.run_due(*EVERY) == len(games)
    assert all(house.game(game_id).version > 5 for game_id in games)
    assert all(house.store.work("next", 1, [shard]) for shard in EVERY), "nobody is at work"


def test_all_games_of_one_shard_are_applied(house, monkeypatch):
    """However many wait in it: a shard that was listed in full is looked at again."""
    monkeypatch.setattr(overdue, "LISTED", 3)
    house.store.watch(60_000)
    games = [house.seated(CLOCK)[0].snapshot.game_id for _ in range(400)]
    house.store.clock.advance(TURN + GRACE + 1)
    house.store.watch(60_000)
    shard = shard_of(games[0])
    mine = [game_id for game_id in games if shard_of(game_id) == shard]
    assert len(mine) > 3
    assert house.services.clocks.run_due(shard) == len(mine)


@pytest.fixture
def late(house):
    """A house with twenty games whose turns have run out."""
    house.store.watch(60_000)
    house.games = [house.seated(CLOCK)[0].snapshot.game_id for _ in range(20)]
    house.store.clock.advance(TURN + GRACE + 1)
    house.store.watch(60_000)
    return house


def meanwhile(house, monkeypatch, happens):
    """Let something happen between the load and the append of the next batch."""
    append_many = house.store.append_many

    def slow(changes):
        monkeypatch.setattr(house.store, "append_many", append_many)
        happens()
        return append_many(changes)

    monkeypatch.setattr(house.store, "append_many", slow)


def test_what_another_process_applied_meanwhile_is_not_applied_again(late, monkeypatch):
    other = House(late.store)
    meanwhile(late, monkeypatch, lambda: [other.services.clocks.expire(g) for g in late.games[:7]])
    assert late.services.clocks.run_due(*EVERY) == 13
    for game_id in late.games:
        kinds = [e.body["type"] for e in late.services.archive.export(game_id)]
        assert kinds.count("timed_out") == 1
        assert late.services.reader.verify(game_id).ok


def test_games_that_moved_on_meanwhile_are_left_alone(late, monkeypatch):
    """Resuming from a pause appends to every game: all decisions of the batch are stale."""
    other = House(late.store)

    def pause_and_resume():
        other.services.maintenance.pause()
        assert other.services.maintenance.resume() == 20

    meanwhile(late, monkeypatch, pause_and_resume)
    assert late.services.clocks.run_due(*EVERY) == 0
    assert late.services.clocks.run_due(*EVERY) == 20
    assert all(late.services.reader.verify(game_id).ok for game_id in late.games)


def test_a_pause_that_begins_meanwhile_stops_the_batch(late, monkeypatch):
    meanwhile(late, monkeypatch, late.services.maintenance.pause)
    assert late.services.clocks.run_due(*EVERY) == 0
    assert {late.game(game_id).version for game_id in late.games} == {5}


def test_a_shard_at_which_somebody_works_is_left_to_him(late):
    busy = [shard_of(game_id) for game_id in late.games[:10]]
    late.store.work("somebody", WORK, busy)
    theirs = [game_id for game_id in late.games if shard_of(game_id) in busy]
    assert late.services.clocks.run_due(*EVERY) == 20 - len(theirs)
    late.store.clock.advance(WORK)
    assert late.services.clocks.run_due(*EVERY) == len(theirs)


def test_a_run_that_fails_leaves_its_shards_to_others(late, monkeypatch):
    def gone():
        raise StoreUnavailable("gone")

    meanwhile(late, monkeypatch, gone)
    with pytest.raises(StoreUnavailable):
        late.services.clocks.run_due(*EVERY)
    assert late.services.clocks.run_due(*EVERY) == 20


def test_a_run_ends_when_its_patience_does(house, monkeypatch):
    house.store.watch(60_000)
    games = [house.seated(CLOCK)[0].snapshot.game_id for _ in range(2 * BATCH)]
    house.store.clock.advance(TURN + GRACE + 1)
    house.store.watch(60_000)
    dues = house.store.dues

    def slow(*args):
        house.store.clock.advance(400)
        return dues(*args)

    monkeypatch.setattr(house.store, "dues", slow)
    run_due = house.services.clocks.run_due
    two_rounds = run_due(*EVERY, patience=400)
    # Ids are drawn: where many games share a shard, the second round does not list all of them.
    assert BATCH < two_rounds <= 2 * BATCH
    assert two_rounds + run_due(*EVERY) == 2 * BATCH
    house.store.clock.advance(TURN + GRACE + 1)
    assert run_due(*EVERY, patience=0) == BATCH
    assert len(games) == 2 * BATCH


def test_a_game_that_cannot_be_appended_to_does_not_hold_up_its_batch(client, caplog):
    house, games = on_redis(client, 20)
    broken = games[7]
    client.set(f"t:{{s{shard_of(broken):02}}}:g:{broken}:cmd", "no hash", keepttl=False)
    assert house.services.clocks.run_due(*EVERY) <= 19
    assert [house.game(g).version > 5 for g in games].count(True) == 19
    assert broken in caplog.text and "one by one" in caplog.text
    caplog.clear()
    assert house.services.clocks.run_due(*EVERY) == 0
    assert broken in caplog.text and "one by one" not in caplog.text
    assert sum(house.services.archive.verify(game_id).ok for game_id in games) == 20
