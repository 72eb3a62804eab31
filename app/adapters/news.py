"""News of appended events between processes: one Redis subscription each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeAlias

from redis.exceptions import RedisError

from app.adapters import connections
from app.adapters.store import StoreUnavailable

Item: TypeAlias = tuple[str, int] | None
"""A game and its version; None when the subscription has begun (again): something may be missed."""


NEWS_TAG = "news"
"""On a cluster, any node hears what any other publishes; this chooses one."""


class Feed(Protocol):
    """Where news of other processes comes from."""

    def listen(self) -> Iterator[Item]:
        """Yield news for ever, blocking; raise ``StoreUnavailable`` when the source is lost."""
        ...


class RedisFeed:
    """News published by every append on a Redis server."""

    def __init__(self, url: str, prefix: str = "santorini") -> None:
        """Connect at the first ``listen``, with a client of its own that may block."""
        self._url = url
        self._start = f"{prefix}:news:"

    def listen(self) -> Iterator[Item]:
        """Yield news as it is published."""
        client = connections.client(
            self._url,
            NEWS_TAG,
            socket_connect_timeout=1.0,
            health_check_interval=10,
            **self._lasting(),
        )
        try:
            with client.pubsub() as subscription:
                subscription.psubscribe(f"{self._start}*")
                for message in subscription.listen():
                    yield from self._read(message)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        finally:
            client.close()

    def _lasting(self) -> dict[str, bool]:
        """Return what lets TCP notice that the server is gone; a Unix socket takes no such word."""
        return {} if self._url.startswith("unix:") else {"socket_keepalive": True}

    def _read(self, message: dict[str, object]) -> Iterator[Item]:
        if message["type"] == "psubscribe":
            yield None
        channel, data = message["channel"], message["data"]
        if message["type"] == "pmessage" and isinstance(channel, bytes):
            assert isinstance(data, bytes)
            yield channel.decode()[len(self._start) :], int(data)
