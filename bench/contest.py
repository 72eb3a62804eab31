"""Ours and the floor under the same load, in turns: requests a second, processor time, p99."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any, TypeAlias

from msgspec import Struct

from bench.load import Load, Request, drive
from bench.measure import Figure, beside
from bench.servers import WebServer, serving, under_gunicorn

Scripts: TypeAlias = Sequence[Sequence[Request]]
"""What is sent, connection by connection."""


class Contender(Struct, frozen=True):
    """A server and the Redis behind it."""

    server: WebServer
    redis: int
    """The process of Redis."""

    def drive(self, scripts: Scripts) -> Load:
        """Send requests and watch what they cost."""
        watched = {"web": self.server.process.pid, "redis": self.redis}
        return drive(self.server.port, scripts, watched)


@contextmanager
def floor(redis_url: str, redis: int, bodies: Mapping[str, Any]) -> Iterator[Contender]:
    """Serve the floor; it answers reads with these bodies."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(bodies))
        file.flush()
        command = under_gunicorn("bench.bare:app")
        with serving(command, redis_url, BENCH_BODIES=file.name) as server:
            yield Contender(server, redis)


def against(
    ours: Callable[[], Load], theirs: Callable[[], Load], rounds: int
) -> tuple[list[Load], list[Load]]:
    """Let both run so many rounds in turns; the first round of each warms up and is dropped."""
    pairs = [(ours(), theirs()) for _ in range(rounds + 1)][1:]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def rows(
    name: str, ours: Sequence[Load], theirs: Sequence[Load], least: float, most: float | None
) -> Iterator[Figure]:
    """Compare medians: ``least`` bounds the rate, ``most`` processor time and p99."""
    yield _row(name, ours, theirs, _rate, "a second", least=least)
    yield _row(f"{name}: CPU of web and Redis", ours, theirs, _cpu, "ms", most=most)
    yield _row(f"{name}: CPU of web", ours, theirs, _web, "ms")
    yield _row(f"{name}: CPU of Redis", ours, theirs, _redis, "ms")
    yield _row(f"{name}: p50", ours, theirs, _p50, "ms")
    yield _row(f"{name}: p99", ours, theirs, _p99, "ms", most=most)


def _row(
    name: str,
    ours: Sequence[Load],
    theirs: Sequence[Load],
    measure: Callable[[Load], float],
    unit: str,
    least: float | None = None,
    most: float | None = None,
) -> Figure:
    mine, other = (median(map(measure, loads)) for loads in (ours, theirs))
    return beside(name, mine, other, unit, least=least, most=most)


def _rate(load: Load) -> float:
    return load.rate


def _cpu(load: Load) -> float:
    return load.cpu["web"] + load.cpu["redis"]


def _web(load: Load) -> float:
    return load.cpu["web"]


def _redis(load: Load) -> float:
    return load.cpu["redis"]


def _p50(load: Load) -> float:
    return load.p50


def _p99(load: Load) -> float:
    return load.p99
