"""What each part costs: the figures that capacity is computed from.

docs/scaling.md holds the table; ``python -m bench.capacity`` computes it. Processor time is
counted where there is a choice: it stays the same on a machine that does other things too.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import redis

from app.adapters import chain, times
from app.adapters.connections import connect
from app.adapters.news import RedisFeed
from app.adapters.redis_store import RedisStore
from app.adapters.store import GRACE, SHARDS, Append, Meta
from app.config import Config
from app.launch import binaries, claim
from app.launch.private_redis import DURABLE
from app.wiring import build_services
from bench.measure import Figure
from bench.web import Player, Server
from domain.game.settings import Settings

SECONDS = 3.0
CLIENTS = (1, 16)
GAMES = 1_000
MESSAGES = 20_000
TURNS = 300


def figures() -> list[Figure]:
    """Measure on servers of our own, with the durable settings."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        primary = stack.enter_context(server(Path(folder) / "one"))
        alone = [
            *_appends(primary, 0, "appends"),
            *_deadlines(primary),
            *_news(primary),
            *_visits(primary),
        ]
        stack.enter_context(server(Path(folder) / "two", primary))
        with redis.Redis(port=primary) as client:
            client.wait(1, 20_000)
        return [*alone, *_appends(primary, 1, "appends that wait for a replica")]


@contextmanager
def server(folder: Path, primary: int | None = None) -> Iterator[int]:
    """Run a durable server, or a replica of another, on a port of its own."""
    folder.mkdir()
    port = claim.free_port()
    settings = DURABLE | {"port": str(port), "dir": str(folder), "repl-diskless-sync-delay": "0"}
    if primary is not None:
        settings["replicaof"] = f"127.0.0.1 {primary}"
    words = [
        binaries.find_server(),
        *(w for k, v in settings.items() for w in (f"--{k}", *(v.split() or [""]))),
    ]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        with redis.Redis(port=port) as client:
            _until(lambda: client.ping() and not client.info("persistence")["loading"])
        yield port
    finally:
        process.kill()
        process.wait()


def _until(claimed: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if claimed():
                return
        except redis.RedisError:
            pass
        time.sleep(0.02)
    raise SystemExit("a server did not start")


def _appends(port: int, replicas: int, name: str) -> Iterator[Figure]:
    for clients in CLIENTS:
        store = RedisStore(connect(f"redis://127.0.0.1:{port}", 2.0), f"n{replicas}", replicas)
        with redis.Redis(port=port) as watcher:
            before = _spent(watcher)
            durations = _run(store, clients)
            spent = (_spent(watcher) - before) / len(durations)
        among = f"{name}, {clients} client" + "s" * (clients > 1)
        yield Figure(among, len(durations) / SECONDS, "a second")
        yield Figure(f"{among}, p99", _rank(durations, 0.99) * 1_000, "ms")
        yield Figure(f"{among}, in Redis", spent * 1_000, "ms of CPU")


def _spent(client: redis.Redis) -> float:
    """Return the processor time a server has used, in seconds."""
    told = client.info("cpu")
    return float(told["used_cpu_user"] + told["used_cpu_sys"])


def _run(store: RedisStore, clients: int) -> list[float]:
    """Append from so many threads for some seconds, each to games of its own; time each append."""
    durations: list[float] = []
    end = time.monotonic() + SECONDS

    def work(number: int) -> None:
        for game in itertools.count():
            head = ""
            for version in range(0, 60, 3):
                change, head = _change(f"{number}-{clients}-{game}", version, head)
                begin = time.perf_counter()
                assert store.append(change).verdict == "appended"
                durations.append(time.perf_counter() - begin)
                if time.monotonic() > end:
                    return

    threads = [threading.Thread(target=work, args=(n,)) for n in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return durations


def _rank(values: list[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)]


def _change(game_id: str, expected: int, previous: str) -> tuple[Append, str]:
    """Return a turn of three events, and the hash of its last."""
    bodies: list[dict[str, Any]] = [
        {
            "game_id": game_id,
            "version": version,
            "type": "created" if version == 1 else "moved",
            "schema": 1,
            "at": times.written(1_700_000_000_000 + version),
            "seat": 1,
            "actor": "player",
            "cause": expected + 1,
            "command": f"command-{expected}",
            "data": {"settings": {"variant": "duel"}} if version == 1 else {"from": "b1"},
        }
        for version in range(expected + 1, expected + 4)
    ]
    events = tuple(chain.link(bodies, previous))
    head = str(events[-1]["hash"])
    far = int(time.time() * 1_000) + 600_000
    meta = Meta(expected + 3, head, "playing", far, "private", 1, 2, "secret")
    return Append(game_id, expected, events, f"command-{expected}", "print", meta), head


def _deadlines(port: int) -> Iterator[Figure]:
    """Let many games run into their deadlines, and see how fast one process applies them."""
    services = build_services(Config(redis_url=f"redis://127.0.0.1:{port}", key_prefix="due"))
    settings = Settings(turn_seconds=1, start_seat=1)
    for _ in range(GAMES):
        services.games.join(services.games.create(settings).snapshot.game_id)
    time.sleep(1.1 + GRACE / 1_000)
    with redis.Redis(port=port) as watcher:
        before, begin = _spent(watcher), time.process_time()
        applied = services.clocks.run_due(*range(SHARDS), patience=60_000)
        mine, theirs = time.process_time() - begin, _spent(watcher) - before
    assert applied >= GAMES
    yield Figure("a deadline, in the worker", mine / applied * 1_000, "ms of CPU")
    yield Figure("a deadline, in Redis", theirs / applied * 1_000, "ms of CPU")
    begin = time.process_time()
    for shard in range(SHARDS):
        services.maintenance.reconcile(shard)
    yield Figure(
        "a game compared with the due index",
        (time.process_time() - begin) / GAMES * 1_000,
        "ms of CPU",
    )


def _news(port: int) -> Iterator[Figure]:
    """Publish a lot and see what hearing it costs: every web process hears of every append."""
    heard = RedisFeed(f"redis://127.0.0.1:{port}", "news").listen()
    assert next(heard) is None
    with redis.Redis(port=port) as client, client.pipeline(transaction=False) as pipe:
        for number in range(MESSAGES):
            pipe.publish(f"news:news:{number % 1_000:022}", number)
        pipe.execute()
    begin = time.process_time()
    for _ in range(MESSAGES):
        next(heard)
    spent = time.process_time() - begin
    heard.close()
    yield Figure("an item of news, in each web process", spent / MESSAGES * 1_000, "ms of CPU")


def _visits(port: int) -> Iterator[Figure]:
    """Play turns over HTTP as a client does: list, play, and both look at the state."""
    if not Path("/proc/self/task").exists():
        return
    web = Server(f"redis://127.0.0.1:{port}")
    try:
        player = Player(web)
        player.play(player.choose())
        before = _used(web.process.pid)
        for _ in range(TURNS):
            player.play(player.choose())
            for _ in range(2):
                web.ask("GET", player.path)
        spent = _used(web.process.pid) - before
    finally:
        web.stop()
    yield Figure("a turn with two reads and a listing", spent / TURNS * 1_000, "ms of CPU")


def _used(pid: int) -> float:
    """Return the processor time, in seconds, of a process and its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(_used(int(child)) for child in children)
