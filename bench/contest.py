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
    name: str,
    ours: Sequence[Load],
    theirs: Sequence[Load],
    least: float | None = None,
    most: float | None = None,
) -> list[Figure]:
    """Compare medians: ``least`` bounds the rate, ``most`` processor time and p99."""

    def row(what: str, measure: Callable[[Load], float], unit: str, **bound: Any) -> Figure:
        mine, other = (median(map(measure, loads)) for loads in (ours, theirs))
        return beside(what, mine, other, unit, **bound)

    return [
        row(name, _rate, "a second", least=least),
        row(f"  {name}: CPU of web and Redis", _cpu, "ms", most=most),
        row(f"  {name}: p50", _p50, "ms"),
        row(f"  {name}: p99", _p99, "ms", most=most),
    ]


def shares(name: str, ours: Sequence[Load], theirs: Sequence[Load]) -> list[Figure]:
    """Tell how the processor time is shared out."""
    return [
        beside(
            f"  {name}: CPU of {title}",
            median(load.cpu[key] for load in ours),
            median(load.cpu[key] for load in theirs),
            "ms",
        )
        for key, title in (("web", "web"), ("redis", "Redis"))
    ]


def _rate(load: Load) -> float:
    return load.rate


def _cpu(load: Load) -> float:
    return load.cpu["web"] + load.cpu["redis"]


def _p50(load: Load) -> float:
    return load.p50


def _p99(load: Load) -> float:
    return load.p99
