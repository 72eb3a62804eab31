"""Rate limits: a bucket of tokens for each caller, refilled steadily (contract, section 8).

Buckets live in the process: with several processes a caller may get as many times as much. They
are there to keep one caller from starving the others, not to count; playing as fast as a bot
can think never empties one.
"""

from __future__ import annotations

import resource
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from math import ceil
from threading import Lock
from time import monotonic, perf_counter
from typing import NamedTuple

from flask import Flask, Response, g, request

from app.http.problems import Problem


class Bucket(NamedTuple):
    """How many requests at once, and how many a second after that."""

    size: float
    per_second: float


MOVES = Bucket(600, 100)
WRITES = Bucket(200, 20)
ENTRANCES = Bucket(600, 20)
SEARCHES = Bucket(300, 30)
STRANGERS = Bucket(100, 5)
SEARCHING = Bucket(60, 0.5)
"""Seconds of searching: a search is paid for when it is known how long it took."""
MOST_CALLERS = 50_000
OTHER_FILES = 1_200
"""Descriptors a process may need beside its streams: other connections, the store, itself."""

BUCKETS: dict[str, tuple[str, Bucket]] = {
    "turns.play_steps": ("moves", MOVES),
    "turns.resign_game": ("moves", MOVES),
    "games.create_game": ("entrances", ENTRANCES),
    "games.join_game": ("entrances", ENTRANCES),
    "games.leave_game": ("writes", WRITES),
    "games.cancel_game": ("writes", WRITES),
    "games.rematch_game": ("writes", WRITES),
    "games.renew_token": ("writes", WRITES),
    "events.create_ticket": ("writes", WRITES),
    "turns.get_legal_turns": ("searches", SEARCHES),
    "events.verify_game": ("searches", SEARCHES),
    "analysis.analyse_position": ("searches", SEARCHES),
}
"""Bucket of each endpoint that has one; reading a game is not limited."""

NAMELESS = {"games.create_game", "games.join_game", "analysis.analyse_position"}
"""Endpoints that look at no token: a new one for each request must not buy a new bucket."""


class Limiter:
    """The buckets of one process; those of callers long unseen are forgotten, that is, full."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Measure time, in seconds, with ``clock``."""
        self._clock = clock
        self._lock = Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, bucket: Bucket) -> float:
        """Take one from a bucket; return 0 when it held one, else the seconds until it does."""
        return self._draw(key, bucket, 1.0)

    def look(self, key: str, bucket: Bucket) -> float:
        """Return what ``take`` would, taking nothing."""
        return self._draw(key, bucket, 0.0)

    def _draw(self, key: str, bucket: Bucket, amount: float) -> float:
        now = self._clock()
        with self._lock:
            level, then = self._levels.pop(key, (bucket.size, now))
            level = min(bucket.size, level + (now - then) * bucket.per_second)
            enough = level >= 1.0
            self._keep(key, level - amount if enough else level, now)
        return 0.0 if enough else (1.0 - level) / bucket.per_second

    def charge(self, key: str, bucket: Bucket, amount: float) -> None:
        """Take from a bucket what was used already, even more than it holds."""
        now = self._clock()
        with self._lock:
            level, then = self._levels.pop(key, (bucket.size, now))
            level = min(bucket.size, level + (now - then) * bucket.per_second)
            self._keep(key, level - amount, now)

    def _keep(self, key: str, level: float, now: float) -> None:
        self._levels[key] = (level, now)
        if len(self._levels) > MOST_CALLERS:
            self._levels.popitem(last=False)


def streams(wanted: int) -> int:
    """Return how many streams this process can carry, by the files the system lets it open."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, allowed - min(OTHER_FILES, allowed // 2)))


def address(trusted: tuple[str, ...]) -> str:
    """Return the caller's address; ``X-Forwarded-For`` counts only from trusted proxies."""
    found = request.remote_addr or ""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
    while found in trusted and hops and hops[-1]:
        found = hops.pop()
    return found


def _caller(bucket: str, place: str) -> str:
    """Name whom a bucket belongs to: a token where one is looked at, else an address."""
    given = request.headers.get("Authorization")
    if request.endpoint in NAMELESS or given is None:
        return f"{bucket} {place}"
    return f"{bucket} {sha256(given.encode()).hexdigest()}"


def _refuse(seconds: float) -> None:
    if seconds > 0:
        raise Problem(
            "rate_limited",
            "Too many requests in a short time.",
            headers={"Retry-After": str(ceil(seconds))},
        )


def init_app(app: Flask, trusted: tuple[str, ...]) -> None:
    """Limit what callers may do in a short time."""
    limiter = Limiter()

    def check() -> None:
        place = address(trusted)
        if "Authorization" in request.headers:
            _refuse(limiter.look(f"strangers {place}", STRANGERS))
        found = BUCKETS.get(request.endpoint or "")
        if found is not None:
            name, bucket = found
            _refuse(limiter.take(_caller(name, place), bucket))
            if bucket is SEARCHES:
                _refuse(limiter.look(f"searching {place}", SEARCHING))
                g.searching_since = perf_counter()

    def remember(response: Response) -> Response:
        since = g.pop("searching_since", None)
        if since is not None:
            spent = perf_counter() - since
            limiter.charge(f"searching {address(trusted)}", SEARCHING, spent)
        if response.status_code == 401 and "Authorization" in request.headers:
            limiter.take(f"strangers {address(trusted)}", STRANGERS)
        return response

    app.extensions["limiter"] = limiter
    app.before_request(check)
    app.after_request(remember)
