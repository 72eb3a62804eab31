"""Compaction: proven first, swapped at once, and nobody notices."""

from __future__ import annotations

import random
import threading

import pytest
from msgspec.structs import replace

from app.adapters import compaction
from app.adapters.memory_store import MemoryStore
from app.adapters.store import DAY, StoreUnavailable, shard_of
from app.config import Config
from app.services import GameQuery, Submission
from app.services.compactor import COMPACTED, LEFT, Outcome
from app.views.games import game_body
from app.views.sight import Viewer
from app.wiring import build_store
from domain.game.errors import Refusal
from domain.game.settings import PowersOption, Settings
from tests.app.services.conftest import House
from tests.servers import redis_cluster, redis_server

KEY = "k" * 16
NOW = Config(compact_seconds=0)


@pytest.fixture(params=["memory", "single", "cluster"])
def house(request, tmp_path):
    if request.param == "memory":
        yield House(config=NOW)
        return
    make = redis_server if request.param == "single" else redis_cluster
    with make(tmp_path) as server:
        yield House(build_store(Config(redis_url=server.url)), NOW)


def finished(house: House, visibility: str = "public"):
    """Play a game with a secret to its end; return its seats and one repeatable command."""
    powers = PowersOption("fixed", seats=("hecate", "pan"))
    chosen = Settings(powers=powers, visibility=visibility)
    one = house.services.games.create(chosen)
    two = house.services.games.join(one.snapshot.game_id, invite=one.invite)
    seats, dice = [one, two], random.Random(5)
    for _ in range(9):
        house.step(seats, dice)
    sent = Submission("/resignation", KEY, b"{}")
    first = house.services.games.resign(one.snapshot.game_id, one.token, sent)
    return seats, sent, first


def whole(house: House, game_id: str, token: str) -> list[object]:
    """Ask everything that a reader may."""
    reader, games = house.services.reader, []
    for version in (None, 1, 5, 12):
        reading = reader.read(game_id, token, version)
        games.append(game_body(reading.snapshot, Viewer()))
    pages = (
        reader.events(game_id, token).events,
        reader.events(game_id, token, 3, 4).events,
        reader.event(game_id, 7, token).events,
    )
    events = [[event.body for event in page] for page in pages]
    return [games, events, reader.verify(game_id, token), house.services.archive.verify(game_id)]


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_nobody_notices_that_a_game_was_compacted(house, visibility):
    seats, sent, first = finished(house, visibility)
    game_id, token = seats[0].snapshot.game_id, seats[0].token
    before = whole(house, game_id, token)
    lines = list(house.services.backup.lines())
    listed = house.services.reader.list(GameQuery(status="finished")).games
    assert house.services.compactor.compact(game_id) is Outcome.COMPACTED
    house.restart()
    assert house.store.load(game_id).compacted
    assert whole(house, game_id, token) == before
    assert list(house.services.backup.lines()) == lines
    assert house.services.reader.list(GameQuery(status="finished")).games == listed
    again = house.services.games.resign(game_id, token, sent)
    assert again.replayed and again.events == first.events
    with pytest.raises(Refusal) as caught:
        house.services.games.resign(game_id, token, replace(sent, body=b"other"))
    assert caught.value.code == "idempotency_key_reused"
    with pytest.raises(Refusal) as caught:
        house.services.games.resign(game_id, token)
    assert caught.value.code == "game_over"
    with pytest.raises(Refusal) as caught:
        house.services.reader.read(game_id, "x" * 43)
    assert caught.value.code == ("not_found" if visibility == "private" else "token_unknown")
    assert house.store.load(game_id).compacted, "a question lays nothing out"


def test_a_rematch_of_a_compacted_game_is_linked_and_compacted_with_it(house):
    seats, _, _ = finished(house)
    game_id = seats[0].snapshot.game_id
    assert house.services.compactor.compact(game_id) is Outcome.COMPACTED
    rematch = house.services.games.rematch(game_id, seats[0].token)
    assert house.services.games.rematch(game_id, seats[1].token).snapshot.game_id == (
        rematch.snapshot.game_id
    )
    assert house.game(game_id).game.next_game == rematch.snapshot.game_id
    assert house.services.compactor.run(shard_of(game_id)) == 1
    house.restart()
    assert house.store.load(game_id).events[-1]["type"] == "rematch_created"
    assert house.services.reader.verify(game_id).ok and house.store.load(game_id).compacted
    third = house.services.games.rematch(game_id, seats[1].token)
    assert third.snapshot.game_id == rematch.snapshot.game_id


def test_a_token_is_renewed_in_a_compacted_game(house):
    seats, _, _ = finished(house)
    game_id = seats[0].snapshot.game_id
    assert house.services.compactor.compact(game_id) is Outcome.COMPACTED
    fresh = house.services.games.renew_token(game_id, 2, seats[1].token)
    assert house.services.compactor.compact(game_id) is Outcome.COMPACTED
    assert house.services.reader.authenticate(game_id, fresh.token).seat == 2
    with pytest.raises(Refusal):
        house.services.reader.authenticate(game_id, seats[1].token)


def test_only_games_that_are_over_are_compacted_and_only_once(house):
    seats = house.seated()
    running = seats[0].snapshot.game_id
    assert house.services.compactor.compact(running) is Outcome.NOTHING
    assert house.services.compactor.compact("nobody") is Outcome.NOTHING
    called_off = house.services.games.create(Settings())
    game_id = called_off.snapshot.game_id
    house.services.games.cancel(game_id, called_off.token)
    assert house.services.compactor.run(shard_of(game_id)) == 1
    assert house.services.compactor.run(shard_of(game_id)) == 0
    assert house.services.compactor.compact(game_id) is Outcome.NOTHING
    assert house.store.counts() == {"compacted": 1}
    assert house.game(game_id).game.status == "cancelled"


def test_a_game_is_left_alone_until_it_has_been_over_for_a_while():
    house = House(config=Config(compact_seconds=3600))
    seats, _, _ = finished(house)
    game_id = seats[0].snapshot.game_id
    house.store.clock.advance(3_599_999)
    assert not house.services.compactor.waiting(shard_of(game_id))
    assert house.services.compactor.run(shard_of(game_id)) == 0
    house.store.clock.advance(1)
    assert house.services.compactor.waiting(shard_of(game_id))
    assert house.services.compactor.run(shard_of(game_id)) == 1


def test_a_log_that_does_not_verify_is_left_alone_counted_and_named(caplog):
    """Once: it is not tried again and again, and the others are compacted."""
    house = House(config=NOW)
    games = [finished(house)[0][0].snapshot.game_id for _ in range(2)]
    blob = house.store._games[games[0]].blobs[3]
    house.store._games[games[0]].blobs[3] = blob[:-1] + bytes([blob[-1] ^ 1])
    found = sum(house.services.compactor.run(shard) for shard in range(64))
    assert found == 1 and house.store.load(games[1]).compacted
    assert games[0] in house.store._games and games[0] in caplog.text
    assert house.store.counts() == {"compacted": 1, "left_alone": 1}
    assert not any(house.services.compactor.waiting(shard) for shard in range(64))


def test_a_game_that_cannot_be_compacted_holds_up_nobody(monkeypatch, caplog):
    """A bug is counted and logged like a log that does not verify, and ends no run."""
    house = House(config=NOW)
    games = [finished(house)[0][0].snapshot.game_id for _ in range(2)]
    ordinary = compaction.compact

    def buggy(copy, meta):
        if copy.game_id == games[0]:
            raise ZeroDivisionError("a bug")
        return ordinary(copy, meta)

    monkeypatch.setattr(compaction, "compact", buggy)
    compact = house.services.compactor.compact
    assert [compact(game_id) for game_id in games] == [Outcome.LEFT, Outcome.COMPACTED]
    assert house.store.counts() == {LEFT: 1, COMPACTED: 1}
    assert games[0] in caplog.text and "a bug" in caplog.text
    monkeypatch.undo()
    assert compact(games[0]) is Outcome.COMPACTED


def test_a_published_state_that_is_wrong_is_not_made_the_truth():
    house = House(config=NOW)
    game_id = finished(house)[0][0].snapshot.game_id
    log = house.store._games[game_id]
    log.meta = replace(log.meta, status="cancelled")
    assert house.services.compactor.compact(game_id) is Outcome.LEFT
    assert game_id in house.store._games


def test_a_damaged_value_is_named_and_not_crashed_on():
    house = House(config=NOW)
    seats, _, _ = finished(house)
    game_id = seats[0].snapshot.game_id
    assert house.services.compactor.compact(game_id) is Outcome.COMPACTED
    value = house.store._whole[game_id]
    for at in (0, 3, 9, len(value) // 2, len(value) - 1):
        house.store._whole[game_id] = value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
        house.restart()
        for verdict in (
            house.services.archive.verify(game_id),
            house.services.reader.verify(game_id),
        ):
            assert not verdict.ok and verdict.first_bad_version == 1
            assert "stored in" in str(verdict.problem)
        damaged: list[str] = []
        assert list(house.services.backup.lines(damaged)) == [] and game_id in damaged[0]
        assert house.services.compactor.compact(game_id) is Outcome.LEFT
    house.store._whole[game_id] = value
    assert house.services.archive.verify(game_id).ok


class Dying(MemoryStore):
    """Fails at a call of one name, before or after it was done."""

    name, late = "", False

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name != super().__getattribute__("name"):
            return found

        def call(*args, **more):
            if self.late:
                found(*args, **more)
            raise StoreUnavailable("killed")

        return call


@pytest.mark.parametrize("name", ["load", "dump", "compact", "count"])
@pytest.mark.parametrize("late", [False, True])
def test_whoever_is_killed_at_any_call_leaves_one_whole_form(name, late):
    """And whoever comes next finishes it."""
    store = Dying()
    house = House(store, NOW)
    seats, _, _ = finished(house)
    game_id = seats[0].snapshot.game_id
    events = store.load(game_id).events
    store.name, store.late = name, late
    with pytest.raises(StoreUnavailable):
        house.services.compactor.run(shard_of(game_id))
    store.name = ""
    house.restart()
    assert (game_id in store._games) != (game_id in store._whole)
    assert store.load(game_id).events == events and house.services.reader.verify(game_id).ok
    house.services.compactor.run(shard_of(game_id))
    assert store.load(game_id).compacted and store.load(game_id).events == events


def test_it_survives_the_death_of_redis_at_any_moment(tmp_path):
    """Killed while games are compacted and laid out again, it has each in one form, whole."""
    with redis_server(tmp_path) as server:
        config = Config(redis_url=server.url, compact_seconds=0, redis_timeout=0.3)
        house = House(build_store(config), config)
        games = [finished(house)[0][0].snapshot.game_id for _ in range(4)]
        logs = {game_id: house.store.load(game_id).events for game_id in games}
        for number in range(3):
            killer = threading.Timer(0.05 + 0.1 * number, server.kill)
            killer.start()
            with pytest.raises(StoreUnavailable):
                to_and_fro(house, games)
            killer.join()
            server.start()
            house.restart()
            for game_id, events in logs.items():
                assert house.store.load(game_id).events == events
                assert house.services.reader.verify(game_id).ok
                assert parts(house, game_id) in ({"whole"}, {"", "cmd", "log", "seats"})


def to_and_fro(house: House, games: list[str]) -> None:
    """Compact games and lay them out again, for ever."""
    while True:
        for game_id in games:
            house.services.compactor.compact(game_id)
            house.store.lay_out(game_id)


def parts(house: House, game_id: str) -> set[str]:
    """Return the ends of the keys of a game."""
    shard = shard_of(game_id)
    keys = house.store._calls.at(shard, lambda client: list(client.scan_iter(f"*:g:{game_id}*")))
    return {key.decode().partition(game_id)[2].lstrip(":") for key in keys}


def test_a_day_later_a_repeated_join_of_a_compacted_game_is_known(house):
    """The record outlives the sealed answer, compacted or not."""
    created = house.services.games.create(Settings())
    game_id, sent = created.snapshot.game_id, Submission("/seats", KEY, b"{}")
    joined = house.services.games.join(game_id, submission=sent)
    house.services.games.resign(game_id, joined.token)
    assert house.services.compactor.compact(game_id) is Outcome.COMPACTED
    assert house.services.games.join(game_id, submission=sent).token == joined.token
    if isinstance(house.store, MemoryStore):
        house.store.clock.advance(DAY + 1)
        with pytest.raises(Refusal, match="more than a day ago"):
            house.services.games.join(game_id, submission=sent)
