"""What only the Redis store must do: keys, lost answers, lost scripts, a server that is away."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from msgspec.structs import replace

from app.adapters import chain, packing
from app.adapters.connections import connect
from app.adapters.memory_store import MemoryStore
from app.adapters.redis_store import RedisStore
from app.adapters.store import SHARDS, Append, Query, StoreUnavailable, shard_of
from tests.app.adapters.changes import change
from tests.servers import redis_server

GAME = "game-1"


@pytest.fixture
def client(single):
    with connect(single.url, 2.0) as client:
        client.flushall()
        yield client


def test_every_key_of_a_game_bears_its_shard(client):
    store = RedisStore(client, "t")
    store.append(change(store, GAME, listed=("all",), deadline=1))
    tag = f"t:{{s{shard_of(GAME):02}}}:".encode()
    assert client.keys() and all(key.startswith(tag) for key in client.scan_iter())


def test_scripts_forgotten_by_the_server_are_loaded_again(client):
    store = RedisStore(client, "t")
    store.append(change(store, GAME, listed=("all",)))
    client.script_flush()
    assert store.append(change(store, GAME, 2)).verdict == "appended"
    client.script_flush()
    assert store.page(Query()) and store.load(GAME)
    client.script_flush()
    store.watch(60_000)
    assert all(store.due(shard).watermark for shard in range(SHARDS))


def test_a_news_channel_tells_the_version(client):
    store = RedisStore(client, "t")
    with client.pubsub(ignore_subscribe_messages=True) as listener:
        listener.subscribe(f"t:news:{GAME}")
        listener.get_message(timeout=1)
        store.append(change(store, GAME, 0, 3))
        message = listener.get_message(timeout=1)
    assert message["data"] == b"3"


def first_release(client, *turns):
    """Write a game as the first release did: a stream of blocks in format 1."""
    game = f"t:{{s{shard_of(GAME):02}}}:g:{GAME}"
    for turn in turns:
        last = turn.events[-1]["version"]
        client.xadd(f"{game}:log", {"b": packing.pack_old(turn.events)}, id=f"{last}-0")
        client.hset(f"{game}:cmd", turn.command, f"{turn.fingerprint}:{turn.expected + 1}:{last}")
        client.hset(game, mapping={"version": last, "head": turn.events[-1]["hash"][7:]})
    return game


def meta_after(model, turn):
    """Return a game's meta as some events left it."""
    last = turn[-1]
    return replace(model.load(GAME).meta, version=last["version"], head=last["hash"])


@pytest.mark.parametrize("limit", [None, 1, 3])
def test_a_game_that_the_first_release_began_goes_on(client, limit):
    """Its log stays a stream, and holds blocks of both formats from now on."""
    store, model = RedisStore(client, "t"), MemoryStore()
    for expected in (0, 2, 4, 6):
        model.append(change(model, GAME, expected))
    turns = [model.load(GAME).events[at : at + 2] for at in (0, 2, 4, 6)]
    changes = [
        Append(GAME, 2 * n, turn, f"command-{2 * n}", "print", meta_after(model, turn))
        for n, turn in enumerate(turns)
    ]
    store.append(changes[0])
    client.delete(first_release(client) + ":log")
    game = first_release(client, *changes[:2])
    for turn in changes[2:]:
        assert store.append(turn).verdict == "appended"
    assert client.type(f"{game}:log") == b"stream" and store.dump(GAME) == model.dump(GAME)
    for after in range(9):
        assert store.load(GAME, after, limit=limit) is not None
        assert (
            store.load(GAME, after, limit=limit).events
            == model.load(GAME, after, limit=limit).events
        )
    assert store.append(changes[1]).verdict == "duplicate"


class Deaf(threading.Thread):
    """A proxy that hands requests on and swallows the first answers it is told to."""

    def __init__(self, target: str, swallow: int) -> None:
        super().__init__(daemon=True)
        self._target, self.swallow = target, swallow
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._door.getsockname()[1]}"

    def run(self) -> None:
        while True:
            try:
                caller, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        with caller, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._target)
            while data := caller.recv(1 << 20):
                server.sendall(data)
                reply = server.recv(1 << 20)
                if b"EVALSHA" in data and b"turn" in data and self.swallow > 0:
                    self.swallow -= 1
                    return
                caller.sendall(reply)

    def close(self) -> None:
        self._door.close()


def test_a_lost_answer_is_asked_for_again_and_is_no_conflict(client, single):
    store = RedisStore(client, "t")
    store.append(change(store, GAME))
    turn = change(store, GAME, 2, command="turn")
    proxy = Deaf(str(single.socket), swallow=1)
    proxy.start()
    with connect(proxy.url, 0.5) as far:
        answer = RedisStore(far, "t").append(turn)
    proxy.close()
    assert (answer.verdict, answer.record.last) == ("duplicate", 4)
    assert store.load(GAME).meta.version == 4


def test_a_lost_answer_to_a_batch_is_asked_for_again(client, single):
    """All that the first try has done is told as done, and nothing is done twice."""
    store = RedisStore(client, "t")
    games = [f"game-{n}" for n in range(8)]
    for game_id in games:
        store.append(change(store, game_id))
    turns = [change(store, game_id, 2, command="turn") for game_id in games]
    proxy = Deaf(str(single.socket), swallow=1)
    proxy.start()
    with connect(proxy.url, 0.5) as far:
        told = RedisStore(far, "t").append_many(turns)
    proxy.close()
    assert {one.verdict for one in told} <= {"duplicate", "appended"}
    assert told[0].verdict == "duplicate"
    assert [store.load(game_id).meta.version for game_id in games] == [4] * 8


def test_a_frozen_server_is_given_up_on_in_time(tmp_path):
    with redis_server(tmp_path) as server, connect(server.url, 0.1) as client:
        store = RedisStore(client, "t")
        assert store.append(change(store, GAME)).verdict == "appended"
        server.freeze(True)
        begin = time.monotonic()
        with pytest.raises(StoreUnavailable):
            store.load(GAME)
        assert time.monotonic() - begin < 1.0
        server.freeze(False)
        assert store.load(GAME).meta.version == 2


def test_a_dead_server_is_unavailable_and_its_log_survives(tmp_path):
    with redis_server(tmp_path) as server, connect(server.url, 0.5) as client:
        store = RedisStore(client, "t")
        store.append(change(store, GAME))
        events = store.load(GAME).events
        server.kill()
        for call in (store.now, store.next_due, lambda: store.append(change(store, GAME, 2))):
            with pytest.raises(StoreUnavailable):
                call()
        server.start()
        assert store.load(GAME).events == events
        assert store.append(change(store, GAME, 2)).verdict == "appended"


def test_a_full_server_is_unavailable_and_nothing_is_half_written(tmp_path):
    options = ("--appendonly", "no", "--save", "", "--maxmemory-policy", "noeviction")
    with redis_server(tmp_path, *options) as server, connect(server.url, 0.5) as client:
        store = RedisStore(client, "t")
        store.append(change(store, GAME))
        client.config_set("maxmemory", 1)
        with pytest.raises(StoreUnavailable):
            store.append(change(store, GAME, 2))
        client.config_set("maxmemory", 0)
        assert store.load(GAME).meta.version == 2
        assert store.append(change(store, GAME, 2)).verdict == "appended"


def test_settings_that_endanger_the_log_are_named(tmp_path, client):
    assert RedisStore(client, "t").check() == []
    options = ("--appendonly", "no", "--save", "")
    with redis_server(tmp_path, *options) as server, connect(server.url, 0.5) as other:
        problems = RedisStore(other, "t").check()
    assert [problem.split()[4] for problem in problems] == [
        "appendonly", "appendfsync", "aof-load-truncated",
    ]  # fmt: skip


def test_what_was_acknowledged_survives_kill_9_of_the_server(tmp_path):
    """The log may hold one append more than was acknowledged, never one less."""
    with redis_server(tmp_path) as server, connect(server.url, 0.5) as client:
        store = RedisStore(client, "t")
        acknowledged = dict.fromkeys("abcd", 0)
        for _ in range(3):
            killer = threading.Timer(0.25, server.kill)
            killer.start()
            try:
                while True:
                    for name, version in acknowledged.items():
                        answer = store.append(change(store, name, version, 1))
                        assert answer.verdict in ("appended", "duplicate")
                        acknowledged[name] = version + 1
            except StoreUnavailable:
                killer.join()
            server.start()
        for name, version in acknowledged.items():
            loaded = store.load(name)
            assert version <= loaded.meta.version <= version + 1
            assert chain.flaw_of(loaded.events, name, loaded.meta.head) is None
