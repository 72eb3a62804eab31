"""Getting at the games: the configured Redis, a running private one, or one of the moment."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from redis.exceptions import RedisError

from app.adapters import connections
from app.config import Config
from app.launch import claim
from app.launch.private_redis import PrivateRedis
from app.launch.trouble import LaunchError

NOWHERE_TO_GO = (
    "REDIS_URL is not set, and no private Redis runs in {folder}. "
    "Set it, or start everything with: santorini up"
)


def silence(url: str) -> str:
    """Return why the Redis at an address does not answer, or nothing when it does."""
    try:
        with connections.connect(url, 1.0) as client:
            client.ping()
    except RedisError as error:
        return str(error)
    return ""


def attached(config: Config) -> Config:
    """Return the configuration with the address of a Redis that runs already.

    Raises:
        LaunchError: none is configured, and the data folder's own does not run.
    """
    if config.redis_url:
        return config
    server = PrivateRedis(config.data_dir)
    if not server.running():
        raise LaunchError(NOWHERE_TO_GO.format(folder=config.data_dir))
    return replace(config, redis_url=server.url)


@contextlib.contextmanager
def redis_at_hand(config: Config) -> Iterator[Config]:
    """Yield the configuration with the address of a Redis, started only if none runs.

    Raises:
        LaunchError: there is none to start, or the data folder is being started by another.
    """
    with contextlib.suppress(LaunchError):
        config = attached(config)
    if config.redis_url:
        yield config
        return
    with claim.claim_folder(config.data_dir, "a command of the command line"):
        server = PrivateRedis(config.data_dir)
        server.start()
        try:
            yield replace(config, redis_url=server.url)
        finally:
            server.stop()
