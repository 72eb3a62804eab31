"""All games in a file and back: byte for byte, with their ids, hashes and tokens."""

from __future__ import annotations

import random

import msgspec
import pytest

from app.adapters.memory_store import MemoryStore
from app.adapters.store import GRACE, shard_of
from app.services import GameQuery, Submission
from app.services.backup import BadLine, proven
from domain.game.errors import Refusal
from domain.game.settings import PowersOption, Settings
from tests.app.services.conftest import House
from tests.servers import redis_server

KEYED = Submission("/steps", "a-key-of-this-test", b"{}")


@pytest.fixture
def full() -> House:
    """Every kind of game there is: open, running, private, finished, imported, with secrets."""
    house, dice = House(), random.Random(3)
    house.services.games.create(Settings())
    running = house.seated(Settings(turn_seconds=60, start_seat=1))
    house.step(running, dice)
    house.services.games.renew_token(running[0].snapshot.game_id, 2, running[1].token)
    private = house.services.games.create(Settings(visibility="private"))
    invite, game_id = private.invite, private.snapshot.game_id
    house.services.games.join(game_id, name="Zoë", invite=invite, submission=KEYED)
    over = house.seated(Settings(powers=PowersOption("fixed", seats=("hecate", "pan"))))
    house.play_out(over, dice)
    house.services.games.rematch(over[0].snapshot.game_id, over[0].token)
    exported = house.services.archive.export(running[0].snapshot.game_id)
    house.services.archive.import_events(event.body for event in exported)
    return house


def copied(house: House) -> bytes:
    return b"".join(house.services.backup.lines())


def restored(lines: bytes, store: object | None = None) -> House:
    house = House(store or MemoryStore())
    assert all(house.services.backup.restore(line) for line in lines.splitlines())
    return house


def test_what_is_restored_is_the_same_byte_for_byte(full):
    lines = copied(full)
    assert proven(lines.splitlines()) == lines.count(b"\n") == 6
    assert copied(restored(lines)) == lines == copied(full)


def test_it_is_the_same_through_a_real_redis(full, tmp_path):
    """From memory to Redis and back: logs, metas, indexes and answers to every question."""
    from app.config import Config
    from app.wiring import build_store

    lines = copied(full)
    with redis_server(tmp_path) as server:
        second = restored(lines, build_store(Config(redis_url=server.url)))
        assert copied(second) == lines
        _compare(full, second)
    _compare(full, restored(lines))


def _compare(one: House, other: House) -> None:
    for game_id in one.services.backup.games():
        a, b = one.store.load(game_id), other.store.load(game_id)
        assert (a.meta, a.events) == (b.meta, b.events)
        assert other.services.archive.verify(game_id).ok
        due = dict(other.store.due(shard_of(game_id)).games)
        assert due.get(game_id) == a.meta.deadline
    for query in (GameQuery(), GameQuery(status="playing"), GameQuery(power="hecate")):
        first, second = (house.services.reader.list(query).games for house in (one, other))
        assert first == second


def test_tokens_and_keys_work_after_a_restore(full):
    """A seat plays on with its token; a repeated join is known; a retired token stays so."""
    seats = full.seated(Settings(start_seat=1, turn_seconds=60))
    first = full.services.games.play(
        seats[0].snapshot.game_id, seats[0].token, line="+a1", submission=KEYED
    )
    new = restored(copied(full))
    game_id = seats[0].snapshot.game_id
    again = new.services.games.play(game_id, seats[0].token, line="+a1", submission=KEYED)
    assert again.replayed and again.events == first.events
    assert new.services.games.play(game_id, seats[0].token, line="+b2").events
    listed = new.services.reader.list(GameQuery(to_move=seats[1].token)).games
    assert [snapshot.game_id for snapshot in listed] == [game_id]
    with pytest.raises(Refusal, match="No seat"):
        new.services.games.play(game_id, "x" * 43, line="+c3")


def test_a_clock_that_ran_out_meanwhile_costs_nobody_a_turn(full):
    seats = full.seated(Settings(start_seat=1, turn_seconds=60))
    lines, game_id = copied(full), seats[0].snapshot.game_id
    store = MemoryStore()
    store.clock.millis = full.store.clock.millis + 3_600_000
    new = restored(lines, store)
    store.watch(60_000)
    new.services.clocks.run_due(shard_of(game_id))
    assert new.services.archive.export(game_id)[-1].body["type"] == "clock_restarted"
    store.clock.advance(60_000 + GRACE + 1)
    new.services.clocks.run_due(shard_of(game_id))
    types = [event.body["type"] for event in new.services.archive.export(game_id)]
    assert types.count("timed_out") == 1


def test_a_restore_can_be_repeated_and_leaves_what_went_on_alone(full):
    game_id = full.services.games.create(Settings()).snapshot.game_id
    lines = copied(full).splitlines()
    house = restored(copied(full))
    house.seated()
    assert not any(house.services.backup.restore(line) for line in lines)
    house.services.games.join(game_id)
    assert not any(house.services.backup.restore(line) for line in lines)
    assert house.game(game_id).game.status == "placing"


def test_another_game_of_the_same_id_is_never_overwritten(full):
    house = House()
    line = copied(full).splitlines()[0]
    read = msgspec.json.decode(line)
    other = house.services.games.create(Settings(turn_seconds=7))
    copy = next(iter(house.services.backup.lines()))
    with_other_id = copy.replace(other.snapshot.game_id.encode(), read["game_id"].encode())
    with pytest.raises(BadLine, match="event 1"):
        house.services.backup.restore(with_other_id)
    house = restored(line)
    house.store._games[read["game_id"]].blobs[0] = full.store._games[
        next(g for g in full.services.backup.games() if g != read["game_id"])
    ].blobs[0]
    with pytest.raises(BadLine, match="another game"):
        house.services.backup.restore(line)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda line: line[:-40], "not a game"),
        (lambda line: line.replace(b'"format":1', b'"format":9'), "format 9"),
        (lambda line: line.replace(b'"placed"', b'"moved"', 1), r"event \d+"),
        (lambda line: line.replace(b'"actor":"player"', b'"actor":"server"', 1), "event 1"),
        (lambda line: line.replace(b',1,2],["', b',1,3],["', 1), "do not cover"),
        (lambda line: line.replace(b'"secret":', b'"sacred":', 1), "not a game"),
    ],
)
def test_a_damaged_copy_is_refused_before_anything_is_written(full, damage, complaint):
    lines = copied(full).splitlines()
    plain = [
        b'"hecate"' not in x and b'"placed"' in x and b'"imported":true' not in x for x in lines
    ]
    place = plain.index(True)
    bad = damage(lines[place])
    assert bad != lines[place]
    with pytest.raises(BadLine, match=f"line {place + 1}: .*{complaint}"):
        proven([*lines[:place], bad, *lines[place + 1 :]])


def test_a_damaged_game_is_named_and_the_others_are_copied(full):
    broken = full.services.backup.games()[2]
    blob = full.store._games[broken].blobs[0]
    full.store._games[broken].blobs[0] = b"\x07" + blob[1:]
    damaged: list[str] = []
    assert len(list(full.services.backup.lines(damaged))) == 5
    assert len(damaged) == 1 and broken in damaged[0] and "event 1" in damaged[0]
