"""Where tickets are kept for their half minute: by hash, good once."""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import Protocol

import redis
from redis.exceptions import RedisError

from app.adapters.store import StoreUnavailable

TICKET_TAG = "ticket"
"""Hash tag that keeps all tickets on one primary of a cluster."""


class TicketBox(Protocol):
    """Keeps small secrets for a short time and gives each out once."""

    def put(self, name: str, content: bytes, seconds: int) -> bool:
        """Keep something under a name; False, and nothing done, while the name is taken."""
        ...

    def take(self, name: str) -> bytes | None:
        """Give it out and forget it; None when there is nothing (any more)."""
        ...


class RedisTicketBox:
    """Tickets that every process can redeem."""

    def __init__(self, client: redis.Redis, prefix: str = "santorini") -> None:
        """Share the store's client."""
        self._client = client
        self._start = f"{prefix}:{{{TICKET_TAG}}}:"

    def put(self, name: str, content: bytes, seconds: int) -> bool:
        """Keep something under a name, unless it is taken."""
        try:
            return bool(self._client.set(self._start + name, content, ex=seconds, nx=True))
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

    def put(self, name: str, content: bytes, seconds: int) -> bool:
        """Keep something under a name, unless it is taken."""
        with self._lock:
            if name in self._kept and monotonic() < self._kept[name][1]:
                return False
            self._kept[name] = (content, monotonic() + seconds)
            return True

    def take(self, name: str) -> bytes | None:
        """Give it out and forget it."""
        with self._lock:
            content, until = self._kept.pop(name, (b"", 0.0))
        return content if monotonic() < until else None
