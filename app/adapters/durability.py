"""What a Redis server must be set to, so that nothing it has acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import redis
from redis.exceptions import ResponseError

DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
    "aof-load-truncated": "no",
}
"""Server settings without which an acknowledged event could be lost (operations, section 1)."""


def flaws_of(client: redis.Redis, replicas: int = 0) -> list[str]:
    """Name every setting of one server that endangers the log, and a role that forbids writing."""
    return [*_settings(client), *_role(client, replicas)]


def _settings(client: redis.Redis) -> Iterator[str]:
    for name, right in DURABLE.items():
        value = _setting(client, name)
        if value != right:
            yield f"Redis is set to {name} {value or '(unknown)'}; it must be {right}"


def _setting(client: redis.Redis, name: str) -> str:
    """Return a setting; empty where the server does not tell (some hosts forbid CONFIG)."""
    try:
        told: dict[Any, Any] = client.config_get(name)
    except ResponseError as error:
        if str(error).startswith(("LOADING", "MASTERDOWN")):
            raise
        return ""
    value = told.get(name, told.get(name.encode(), b""))
    return value.decode() if isinstance(value, bytes) else str(value)


def _role(client: redis.Redis, replicas: int) -> Iterator[str]:
    told: dict[str, Any] = client.info("replication")
    if told.get("role") != "master":
        yield "Redis is a replica; the games are written to its primary"
    elif int(told.get("connected_slaves", 0)) < replicas:
        yield (
            f"Redis has {told.get('connected_slaves', 0)} replicas; "
            f"SANTORINI_WAIT_REPLICAS asks for {replicas}"
        )
