"""Streams: how soon an event appended by one process reaches a reader of another."""

from __future__ import annotations

import http.client
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any

from app.launch.private_redis import PrivateRedis
from bench.measure import Figure, at_most
from bench.web import Player, Server

TURNS = 250
READERS = 8
"""Streams of the game that are open at once."""
PAUSE = 0.01
"""Seconds between two turns: people do not wait for each other's pictures to be drawn."""


def figures() -> list[Figure]:
    """Play on one server, read on another; both know each other by Redis alone."""
    with tempfile.TemporaryDirectory() as folder:
        redis_server = PrivateRedis(Path(folder))
        redis_server.start()
        played_on = Server("app:create_app()", redis_server.url)
        read_on = Server("app:create_app()", redis_server.url)
        try:
            delays = _delays(Player(played_on), read_on)
        finally:
            played_on.stop()
            read_on.stop()
            redis_server.stop()
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
