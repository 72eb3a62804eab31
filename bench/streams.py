"""Streams: how soon an appended event is heard, and what two thousand spectators cost."""

from __future__ import annotations

import http.client
import json
import selectors
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, cycle, islice
from threading import Thread
from typing import Any

import msgspec
from msgspec import Struct

from bench.load import Connection, Request
from bench.measure import Figure, at_most, beside
from bench.processes import memory, processor_time, tree
from bench.scripts import MORTALS, Opened, opened, scripts
from bench.servers import WebServer, private_redis, serving
from bench.spectators import Heard
from bench.web import Player, Server

TURNS = 250
READERS = 8
"""Streams of the game that are open at once."""
PAUSE = 0.01
"""Seconds between two turns: people do not wait for each other's pictures to be drawn."""

EVERYTHING = (sys.executable, "-m", "app.cli", "up")
SPECTATORS = 2_000
GAMES = 100
RATE = 40
"""Turns a second in all games together: what 800 games do that move every twenty seconds."""
SECONDS = 6
PLAYERS = 8
"""Connections that play."""
MOVES_SEEN = 1
"""Turns a second in the one game that everybody watches."""


def figures() -> list[Figure]:
    """Measure readers of another server first, then a crowd."""
    return [*_few(), *_many()]


def _few() -> list[Figure]:
    """Play on one server, read on another; both know each other by Redis alone."""
    with private_redis() as redis:
        played_on = Server(redis.url)
        read_on = Server(redis.url)
        try:
            delays = _delays(Player(played_on), read_on)
        finally:
            played_on.stop()
            read_on.stop()
    hundredths = statistics.quantiles(delays, n=100)
    return [
        Figure("events heard", len(delays), f"by {READERS} readers"),
        Figure("append to stream, median", hundredths[49], "ms"),
        at_most("append to stream, p99", hundredths[98], "ms", 100),
    ]


def _delays(player: Player, read_on: Server) -> list[float]:
    """Return milliseconds from each append, by the store's clock, to each reader."""
    delays: list[float] = []
    readers: list[Thread] = []
    path = ""
    for _ in range(TURNS):
        steps = player.choose()
        if player.path != path:
            path = player.path
            readers += [_reader(read_on, path, player, delays) for _ in range(READERS)]
            time.sleep(0.2)
        player.play(steps)
        time.sleep(PAUSE)
    read_on.stop()
    for thread in readers:
        thread.join(10)
    return delays


def _reader(server: Server, path: str, player: Player, delays: list[float]) -> Thread:
    """Follow a game from where it is, and note each event's delay."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    after = player.game["version"]
    headers = {"Accept": "text/event-stream"}
    connection.request("GET", f"{path}/events?after={after}", headers=headers)
    answer = connection.getresponse()

    def run() -> None:
        for event in _events(answer):
            heard = time.time()
            delays.append((heard - datetime.fromisoformat(event["at"]).timestamp()) * 1_000)
        connection.close()

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def _events(answer: http.client.HTTPResponse) -> Iterator[Any]:
    try:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])
    except (OSError, http.client.HTTPException):
        return


class Phase(Struct, frozen=True):
    """What was seen while some seconds were played."""

    times: list[float]
    """Milliseconds to the answer of each turn."""
    cpu: float
    """Processor time of our processes, in seconds."""
    heard: Heard | None = None
    pss: float = 0.0
    """Memory of all our processes, Redis included, in MB; what they share counts once."""


def _many() -> Iterator[Figure]:
    """Let a crowd watch while others play: all of it one game, then spread over all games."""
    with private_redis() as redis, serving(EVERYTHING, redis.url) as server:
        assert redis.process is not None
        pids = [redis.process.pid, *tree(server.process.pid)]
        rounds = [[_phase(server, pids, watched) for watched in (0, GAMES, 1)] for _ in "123"]
    alone, spread, one = map(_together, zip(*rounds, strict=True))
    yield from _watched(f"{SPECTATORS:,} spread over {GAMES} games", spread, alone)
    yield from _watched(f"{SPECTATORS:,} in one game", one, alone)


def _together(phases: Sequence[Phase]) -> Phase:
    heard = [phase.heard for phase in phases if phase.heard is not None]
    return Phase(
        [time for phase in phases for time in phase.times],
        sum(phase.cpu for phase in phases),
        Heard(
            [delay for one in heard for delay in one.delays],
            sum(one.ended for one in heard),
            sum(one.cpu for one in heard),
        ),
        max(phase.pss for phase in phases),
    )


def _watched(name: str, phase: Phase, alone: Phase) -> Iterator[Figure]:
    """Tell what spectators heard, and how play went beside play that nobody watched."""
    assert phase.heard is not None
    delays = statistics.quantiles(phase.heard.delays, n=100)
    yield Figure(f"{name}: heard", len(phase.heard.delays), "pieces of news")
    yield at_most(f"{name}: lost", phase.heard.ended, "streams", 0)
    yield Figure(f"{name}: event to last byte, p50", delays[49], "ms")
    yield at_most(f"{name}: event to last byte, p99", delays[98], "ms", 300)
    yield at_most(f"{name}: all our processes, PSS", phase.pss, "MB", 300)
    played, unwatched = (statistics.quantiles(one.times, n=100) for one in (phase, alone))
    for part, most in ((50, 1.5), (95, 2.0), (99, None)):
        pair = (played[part - 1], unwatched[part - 1])
        yield beside(f"{name}: a turn, p{part}, to unwatched", *pair, "ms", most=most)
    costs = (one.cpu / len(one.times) * 1_000 for one in (phase, alone))
    yield beside(f"{name}: CPU of all for each turn", *costs, "ms")


def _phase(server: WebServer, pids: Sequence[int], watched: int) -> Phase:
    """Play for some seconds in many games, of which so many are watched."""
    total = RATE * SECONDS
    written = scripts(GAMES, total // GAMES + 2, [MORTALS])
    shown = scripts(1, MOVES_SEEN * SECONDS + 1, [MORTALS])[0]
    games = opened(server.port, [shown, *written])
    lines = [_line(games[0], shown.turns)]
    for player in range(PLAYERS):
        own = range(player, GAMES, PLAYERS)
        turns = [[games[1 + game].play(turn) for turn in written[game].turns] for game in own]
        lines.append(list(chain.from_iterable(zip(*turns, strict=True))))
    if not watched:
        return _run(server, pids, lines)
    seen = slice(0, 1) if watched == 1 else slice(1, None)
    paths = [
        f"{game.path}/events?after={script.turns[0].version}"
        for game, script in zip(games[seen], [shown, *written][seen], strict=True)
    ]
    with _crowd(server.port, paths) as crowd:
        found = _run(server, pids, lines)
        pss = sum(memory(pid).pss for pid in pids)
        time.sleep(0.5)
        heard, _ = crowd.communicate(" ")
    return Phase(found.times, found.cpu, msgspec.json.decode(heard, type=Heard), pss)


def _line(game: Opened, turns: Sequence[Any]) -> list[Request]:
    return [game.play(turn) for turn in turns]


@contextmanager
def _crowd(port: int, paths: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Run spectators in a process of their own."""
    command = [sys.executable, "-m", "bench.spectators", str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as crowd:
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        for path in paths:
            crowd.stdin.write(f"{SPECTATORS // len(paths)} {path}\n")
        crowd.stdin.write("\n")
        crowd.stdin.flush()
        try:
            if crowd.stdout.readline() != "ready\n":
                raise SystemExit("The spectators did not come in.")
            yield crowd
        finally:
            crowd.kill()


def _run(server: WebServer, pids: Sequence[int], lines: Sequence[Sequence[Request]]) -> Phase:
    """Play at a steady pace: the first line once a second, the others in turns."""
    connections = [Connection(server.port, line) for line in lines]
    turns = cycle(connections[1:])
    order: list[Connection] = []
    for _ in range(SECONDS * MOVES_SEEN):
        order += [connections[0], *islice(turns, RATE // MOVES_SEEN - 1)]
    before = processor_time(pids)
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection.sock, selectors.EVENT_READ, connection)
        _keep_pace(selector, order)
    spent = processor_time(pids) - before
    for connection in connections:
        connection.sock.close()
    return Phase([t * 1_000 for one in connections for t in one.times], spent)


def _keep_pace(selector: selectors.BaseSelector, order: Sequence[Connection]) -> None:
    busy: set[Connection] = set()
    begin = time.perf_counter()
    for number, connection in enumerate(order):
        at = begin + number / RATE
        while connection in busy or time.perf_counter() < at:
            for key, _ in selector.select(max(0.0, at - time.perf_counter())):
                if key.data.read():
                    busy.discard(key.data)
        connection.send()
        busy.add(connection)
    while busy:
        for key, _ in selector.select(10):
            if key.data.read():
                busy.discard(key.data)
