"""The event log: folding a long game, and what games take in Redis, running and over.

All keys are counted: the game's own, and its part of those that games share (the indexes), which
is measured where a shard keeps many games: small sorted sets are packed closer than large ones.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median

import redis

from app.config import Config
from app.launch.private_redis import PrivateRedis
from app.services import Services
from app.services.compactor import Outcome
from app.wiring import build_services
from bench.measure import Figure, at_most, best
from bench.playing import long_game, long_play
from domain.game.evolve import fold

TURNS = 60
GAMES = 8
CROWD = 1_000
"""Games a shard keeps beside the one that is measured."""


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
    entries = [event.entry for event in services.archive.export(next(games(services)))]
    folding = best(lambda: fold(entries), 20)
    return [
        Figure(f"events of a game of {TURNS} turns", len(entries), "events"),
        at_most(f"fold of a game of {TURNS} turns", folding * 1_000, "ms", 2),
        *_memory(services, redis.Redis.from_url(url), keyed=False),
        *_memory(services, redis.Redis.from_url(url), keyed=True),
    ]


def _memory(services: Services, client: redis.Redis, keyed: bool) -> list[Figure]:
    """Measure games while they run, when they are over, and compacted."""
    sizes: list[tuple[float, ...]] = []
    for seed in count():
        played = long_play(services, TURNS, seed, keyed)
        if played is None:
            continue
        running = _size(client, played.game_id)
        services.games.resign(*played)
        over = _size(client, played.game_id)
        assert services.compactor.compact(played.game_id) is Outcome.COMPACTED
        sizes.append((running, over, _size(client, played.game_id)))
        if len(sizes) == GAMES:
            break
    running, over, compacted = (median(column) / 1024 for column in zip(*sizes, strict=True))
    keys = "with idempotency keys" if keyed else "without keys"
    return [
        at_most(f"Redis memory of a running game {keys}", running, "KiB", 12),
        Figure(f"... when it has just ended, {keys}", over, "KiB"),
        at_most(f"... compacted, {keys}", compacted, "KiB", 2.5),
    ]


def _size(client: redis.Redis, game_id: str) -> float:
    """Return the memory of a game's own keys, and of its part of those it shares."""
    own = list(client.scan_iter(f"*:g:{game_id}*", count=1_000))
    tag = own[0].partition(b":g:")[0]
    shared = [key for key in client.scan_iter(tag + b":*", count=1_000) if b":g:" not in key]
    return sum(map(_bytes_of(client), own)) + sum(_part(client, key, game_id) for key in shared)


def _bytes_of(client: redis.Redis):  # type: ignore[no-untyped-def]
    return lambda key: int(client.memory_usage(key, samples=0) or 0)


def _part(client: redis.Redis, key: bytes, game_id: str) -> float:
    """Return what one member takes of a set or sorted set with many, 0 if the game is not in it.

    Who is to move is found by token: such a set has one or few games, and is counted whole.
    """
    size, kind = _bytes_of(client), client.type(key)
    if kind == b"zset" and client.zscore(key, game_id) is not None:
        added: dict[str, float] = {f"{n:016}": 1_700_000_000_000 + n for n in range(CROWD)}
    elif kind == b"set" and client.sismember(key, game_id):
        added = {f"{n:016}": 0 for n in range(CROWD)}
    else:
        return 0
    if b":turn:" in key:
        return float(size(key))
    crowded = key.rpartition(b":")[0] + b":crowded"
    client.copy(key, crowded)
    if kind == b"zset":
        client.zadd(crowded, added)
        members = client.zcard(crowded)
    else:
        client.sadd(crowded, *added)
        members = client.scard(crowded)
    part = size(crowded) / members
    client.delete(crowded)
    return part
