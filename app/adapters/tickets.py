"""Where tickets are kept for their half minute: by hash, good once."""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import Protocol

import redis
from redis.exceptions import RedisError

from app.adapters.store import StoreUnavailable


class TicketBox(Protocol):
    """Keeps small secrets for a short time and gives each out once."""

    def put(self, name: str, content: bytes, seconds: int) -> None:
        """Keep something under a name."""
        ...

    def take(self, name: str) -> bytes | None:
        """Give it out and forget it; None when there is nothing (any more)."""
        ...


class RedisTicketBox:
    """Tickets that every process can redeem."""

    def __init__(self, client: redis.Redis, prefix: str = "santorini") -> None:
        """Share the store's client."""
        self._client = client
        self._start = f"{prefix}:ticket:"

    def put(self, name: str, content: bytes, seconds: int) -> None:
        """Keep something under a name."""
        try:
            self._client.set(self._start + name, content, ex=seconds)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def take(self, name: str) -> bytes | None:
        """Give it out and forget it, in one step."""
        try:
            found = self._client.getdel(self._start + name)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        assert not isinstance(found, str)
        return found


class MemoryTicketBox:
    """Tickets of one process, for tests."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = Lock()
        self._kept: dict[str, tuple[bytes, float]] = {}

    def put(self, name: str, content: bytes, seconds: int) -> None:
        """Keep something under a name."""
        with self._lock:
            self._kept[name] = (content, monotonic() + seconds)

    def take(self, name: str) -> bytes | None:
        """Give it out and forget it."""
        with self._lock:
            content, until = self._kept.pop(name, (b"", 0.0))
        return content if monotonic() < until else None
