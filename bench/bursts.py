"""Thousands of deadlines at once, and what people who play meanwhile feel of it.

Redis, the web server and the workers are processes as in earnest. Late is counted from the end of
the hidden grace to the event; that all is applied is seen from outside.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path

from msgspec import Struct

from app.adapters import times
from app.adapters.redis_store import RedisStore
from app.adapters.store import GRACE, Millis
from app.cli.serve import WORKERS
from app.config import Config
from app.launch import process
from app.wiring import build_services, build_store
from bench import due
from bench.due import Waiting
from bench.load import Connection, Request
from bench.measure import Figure, at_most
from bench.processes import memory, processor_time
from bench.scripts import opened, scripts
from bench.servers import OURS, private_redis, serving

SPREAD, SPREAD_SECONDS = 2_000, 30
BURST = 10_000
CLIENTS = 8
PACE = 0.1
"""Seconds between two turns of one client: eighty turns a second in all."""
CALM = 5.0
"""Seconds of play before the burst."""
ROOM = 3.0
"""Seconds between the last game written and the first deadline."""
SAMPLE = 200
"""Games whose whole logs are verified at the end."""
CHUNK = 500


class Outcome(Struct, frozen=True):
    """What became of many deadlines."""

    late: list[float]
    """Seconds from the end of each grace to its event, sorted; early ones are below zero."""
    wrong: int
    """Games with another outcome than one time-out."""
    finished: float
    """Seconds from the first deadline until none was left."""
    worker: float
    """Milliseconds of processor time of the workers for each deadline."""
    redis: float
    rss: float
    """MB of one worker at the end."""
    rescued: int

    def rank(self, part: float) -> float:
        """Return the lateness that this part of all stays within."""
        return self.late[min(int(len(self.late) * part), len(self.late) - 1)]


def figures() -> list[Figure]:
    """Measure deadlines spread over half a minute, then as many as five times that at once."""
    return [*spread(), *burst()]


def spread() -> Iterator[Figure]:
    """Let two thousand turns end within thirty seconds, evenly."""
    name, step = f"{SPREAD:,} due over {SPREAD_SECONDS} s", SPREAD_SECONDS * 1_000 / SPREAD
    with _site(play=False) as site:
        outcome = site.run([int(number * step) for number in range(SPREAD)])
    yield at_most(f"{name}: p99 late", outcome.rank(0.99) * 1_000, "ms", 250)
    yield Figure(f"{name}: slowest", outcome.rank(1) * 1_000, "ms")
    yield from _common(name, outcome)


def burst() -> Iterator[Figure]:
    """Let ten thousand turns end in the same second while others play."""
    name = f"{BURST:,} due in one second"
    with _site(play=True) as site:
        outcome = site.run([number * 1_000 // BURST for number in range(BURST)])
        before, during = site.felt(outcome.finished)
    yield at_most(f"{name}: all applied after", outcome.finished, "s", 15)
    yield Figure(f"{name}: p99 late", outcome.rank(0.99), "s")
    yield from _common(name, outcome)
    for when, felt in (("before", before), ("meanwhile", during)):
        yield Figure(f"turns of {CLIENTS} players {when}", len(felt), "turns")
        yield Figure(f"turns of {CLIENTS} players {when}: p50", _rank(felt, 0.5) * 1_000, "ms")
        yield Figure(f"turns of {CLIENTS} players {when}: p99", _rank(felt, 0.99) * 1_000, "ms")


def _common(name: str, outcome: Outcome) -> Iterator[Figure]:
    early = sum(late <= 0 for late in outcome.late)
    yield at_most(f"{name}: early", early, "deadlines", 0)
    yield at_most(f"{name}: not applied once", outcome.wrong, "games", 0)
    yield Figure(f"{name}: in the workers, each", outcome.worker, "ms of CPU")
    yield Figure(f"{name}: in Redis, each", outcome.redis, "ms of CPU")
    yield Figure(f"{name}: applied by rescues", outcome.rescued, "deadlines")
    yield Figure(f"{name}: a worker afterwards", outcome.rss, "MB")


def _rank(values: Sequence[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)]


class Site:
    """Redis, a web server if somebody plays, and workers."""

    def __init__(
        self, redis_url: str, redis: int, workers: Sequence[int], play: Play | None
    ) -> None:
        config = Config(redis_url=redis_url)
        self.store: RedisStore = build_store(config)
        self.services = build_services(config, self.store)
        self.redis = redis
        self.workers = workers
        self.play = play
        self.began = 0.0

    def run(self, ends: Sequence[Millis]) -> Outcome:
        """Write games whose turns end so many milliseconds after a common start; wait for all."""
        games = self._written(ends)
        first = min(game.deadline for game in games)
        spent = self._spent()
        self._wait_until(first - int(CALM * 1_000))
        if self.play is not None:
            self.play.start()
        self._wait_until(first)
        self.began = time.monotonic()
        last = max(game.deadline for game in games)
        while self._oldest() <= last:
            time.sleep(0.05)
        finished = time.monotonic() - self.began
        workers, redis = (
            (now - before) * 1_000 / len(games)
            for now, before in zip(self._spent(), spent, strict=True)
        )
        if self.play is not None:
            self.play.stop()
        late, wrong = self._judged(games)
        rss, rescued = memory(self.workers[0]).rss, self.store.counts().get("rescued", 0)
        return Outcome(late, wrong, finished, workers, redis, rss, rescued)

    def felt(self, seconds: float) -> tuple[list[float], list[float]]:
        """Return how long turns took before the first deadline, and in the time after it."""
        assert self.play is not None
        taken, end = self.play.taken, self.began + seconds
        return (
            [time for at, time in taken if at < self.began],
            [time for at, time in taken if self.began <= at < end],
        )

    def _written(self, ends: Sequence[Millis]) -> list[Waiting]:
        """Write all games; when the first turn may end is guessed from how long the first took."""
        found, trial = due.templates(), ends[: len(ends) // 20]
        far = self.store.now() + 3_600_000
        begin = time.monotonic()
        assert len(list(due.write(self.store, found, [far] * len(trial)))) == len(trial)
        taken = (time.monotonic() - begin) / len(trial)
        start = self.store.now() + int((taken * len(ends) * 1.3 + CALM + ROOM) * 1_000)
        games = list(due.write(self.store, found, [start + end for end in ends]))
        assert self.store.now() < start - CALM * 1_000, "writing the games took too long"
        return games

    def _spent(self) -> tuple[float, float]:
        return processor_time(self.workers), processor_time([self.redis])

    def _wait_until(self, moment: Millis) -> None:
        time.sleep(max(0, moment - self.store.now()) / 1_000)

    def _oldest(self) -> Millis:
        deadlines = [one for one in self.store.next_due()[1] if one is not None]
        return min(deadlines)

    def _judged(self, games: Sequence[Waiting]) -> tuple[list[float], int]:
        """Return how late each deadline was applied, and how many games went another way."""
        late: list[float] = []
        for at in range(0, len(games), CHUNK):
            chunk = games[at : at + CHUNK]
            found = self.store.load_many({game.game_id: game.version for game in chunk})
            for game in chunk:
                timeouts = [
                    event
                    for event in found[game.game_id].events
                    if event["type"] == "timed_out" and event["version"] == game.version + 1
                ]
                late += [
                    (times.read(event["at"]) - game.deadline - GRACE) / 1_000 for event in timeouts
                ]
        sound = [
            self.services.archive.verify(game.game_id).ok for game in games[:: BURST // SAMPLE]
        ]
        return sorted(late), len(games) - len(late) + sound.count(False)


class Play:
    """Some people who play turn after turn at a steady pace, each over a connection of his own."""

    def __init__(self, port: int, seconds: float) -> None:
        turns = int(seconds / PACE) + 1
        written = scripts(turns * CLIENTS // 25 + CLIENTS, 25)
        games = opened(port, written)
        requests = [
            [game.play(turn) for turn in script.turns]
            for game, script in zip(games, written, strict=True)
        ]
        self._port = port
        self._scripts = [list(chain(*requests[n::CLIENTS])) for n in range(CLIENTS)]
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []
        self.taken: list[tuple[float, float]] = []
        """When each turn was to be sent, and how long its answer took from then on."""

    def start(self) -> None:
        """Begin to play."""
        for number, script in enumerate(self._scripts):
            delay = number * PACE / CLIENTS
            thread = threading.Thread(target=self._play, args=(script, delay), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _play(self, script: Sequence[Request], delay: float) -> None:
        connection = Connection(self._port, script)
        when = time.monotonic() + delay
        with connection.sock:
            while not self._over.wait(max(0.0, when - time.monotonic())) and connection.send():
                while not (self._readable(connection) and connection.read()):
                    pass
                self.taken.append((when, time.monotonic() - when))
                when += PACE

    def _readable(self, connection: Connection) -> bool:
        return bool(select.select([connection.sock], [], [], 30)[0])


@contextmanager
def _site(play: bool) -> Iterator[Site]:
    with private_redis() as redis, ExitStack() as stack:
        assert redis.process is not None
        people = None
        if play:
            server = stack.enter_context(serving(OURS, redis.url))
            people = Play(server.port, CALM + 25)
        workers = [stack.enter_context(_worker(redis.url)) for _ in range(WORKERS)]
        yield Site(redis.url, redis.process.pid, workers, people)


@contextmanager
def _worker(redis_url: str) -> Iterator[int]:
    """Run a worker and yield its process."""
    command = (sys.executable, "-m", "app.cli", "worker")
    running = process.start(command, {"REDIS_URL": redis_url}, Path(os.devnull))
    try:
        yield running.pid
    finally:
        process.stop(running, 5)
