"""The event log: folding a long game, and what a finished one takes in Redis."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import redis

from app.config import Config
from app.launch.private_redis import PrivateRedis
from app.services import Services
from app.wiring import build_services
from bench.measure import Figure, at_most, best
from bench.playing import long_game
from domain.game.evolve import fold

TURNS = 60
GAMES = 20


def games(services: Services) -> Iterator[str]:
    """Yield ids of finished games of ``TURNS`` turns; games that end sooner are played too."""
    for seed in count():
        if game_id := long_game(services, TURNS, seed):
            yield game_id


def figures() -> list[Figure]:
    """Measure on a Redis of our own, with the durable settings."""
    with tempfile.TemporaryDirectory() as folder:
        server = PrivateRedis(Path(folder))
        server.start()
        try:
            return _figures(server.url)
        finally:
            server.stop()


def _figures(url: str) -> list[Figure]:
    services = build_services(Config(redis_url=url))
    client = redis.Redis.from_url(url)
    played = games(services)
    first = next(played)
    entries = [recorded.entry for recorded in services.archive.export(first)]
    folding = best(lambda: fold(entries), 20)
    sizes = []
    for _ in range(GAMES):
        before = _bytes(client)
        next(played)
        sizes.append(_bytes(client) - before)
    return [
        Figure(f"events of a game of {TURNS} turns", len(entries), "events"),
        at_most(f"fold of a game of {TURNS} turns", folding * 1_000, "ms", 2),
        at_most("Redis memory of a finished game, all keys", min(sizes) / 1024, "KiB", 24),
    ]


def _bytes(client: redis.Redis) -> int:
    """Return the memory of all keys, each counted with its overhead."""
    keys = list(client.scan_iter(count=1_000))
    pipeline = client.pipeline(transaction=False)
    for key in keys:
        pipeline.memory_usage(key, samples=0)
    return sum(pipeline.execute())
