"""Where Redis is: one server, the primary that sentinels name, or the primaries of a cluster.

``REDIS_URL`` says which (``app.adapters.places``). Everything that must be together bears one
hash tag, so that each call has one home.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from threading import Lock
from typing import Any, Protocol, TypeVar

import redis
from redis.backoff import ConstantBackoff
from redis.client import Pipeline
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelManagedConnection, SentinelManagedSSLConnection

from app.adapters.places import Address, Place, place_of
from app.adapters.swift import PAUSE, SwiftRedis

RETRIES = 2
"""Times a call is sent again when its answer does not come; appends can tell (command ids)."""
T = TypeVar("T")
_ELSEWHERE = (
    MovedError, AskError, ClusterDownError, TryAgainError, ReadOnlyError,
    redis.ConnectionError, redis.TimeoutError,
)  # fmt: skip


def _bounds(timeout: float, retries: int) -> dict[str, Any]:
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(ConstantBackoff(PAUSE), retries),
        "retry_on_error": [redis.ConnectionError, redis.TimeoutError],
    }


def connect(url: str, timeout: float, tag: str = "") -> redis.Redis:
    """Return a client whose calls are bounded: ``timeout`` seconds, sent three times at most.

    On a cluster it talks to the primary that keeps the keys of this hash tag.
    """
    bounds = _bounds(timeout, RETRIES)
    if not place_of(url).kind:
        return SwiftRedis.from_url(url, **bounds)
    return client(url, tag, **bounds)


def client(url: str, tag: str = "", **options: Any) -> redis.Redis:
    """Return a client with options of its own, for whoever blocks; it follows a failover."""
    place = place_of(url)
    if place.kind == "cluster":
        return _pinned(Cluster(place, options.get("socket_connect_timeout", 1.0)), tag, options)
    if place.kind == "sentinel":
        return _sentinel(place, options)
    return redis.Redis.from_url(url, **options)


def _sentinel(place: Place, options: dict[str, Any]) -> redis.Redis:
    brief = options.get("socket_connect_timeout", 1.0)
    own = dict(place.options)
    encrypted = own.pop("ssl", False)
    asking = {"socket_timeout": brief, "socket_connect_timeout": brief, "ssl": encrypted}
    sentinels = Sentinel(
        list(place.addresses), sentinel_kwargs=asking | {"retry": Retry(ConstantBackoff(0), 0)}
    )
    kind = _FollowingTlsConnection if encrypted else _FollowingConnection
    found: redis.Redis = sentinels.master_for(place.name, connection_class=kind, **own, **options)
    return found


class _FollowingConnection(SentinelManagedConnection):
    """A connection to the primary that is closed when reading is interrupted.

    redis-py would keep it, and the next command would wait for, or be given, somebody else's
    answer: a worker told to stop in the middle of a blocking read did not end.
    """

    def read_response(self, *args: Any, **more: Any) -> Any:
        more.setdefault("disconnect_on_error", True)
        return super().read_response(*args, **more)


class _FollowingTlsConnection(_FollowingConnection, SentinelManagedSSLConnection):
    """The same, encrypted."""


# -- homes ----------------------------------------------------------------------------------------


class Servers(Protocol):
    """The primaries that keep the games, each call going to the one that keeps its keys."""

    def run(self, tag: str, call: Callable[[redis.Redis], T]) -> T:
        """Make a call, which can be repeated, to the home of a hash tag."""
        ...

    def spread(self, tags: Sequence[str], fill: Callable[[Pipeline, int], Any]) -> list[Any]:
        """Send one command for each tag, in one round trip for each primary.

        ``fill`` adds the command of one place in ``tags`` to a pipeline.
        """
        ...

    def home(self, tag: str) -> Hashable:
        """Name the primary that keeps a hash tag, as far as it is known here."""
        ...

    def primaries(self) -> list[redis.Redis]:
        """Return a client of every primary."""
        ...


class One:
    """A single server, or the primary of a replicated one."""

    def __init__(self, client: redis.Redis) -> None:
        """Use this client for everything; its own retries are enough."""
        self._client = client

    def run(self, tag: str, call: Callable[[redis.Redis], T]) -> T:
        """Make the call."""
        return call(self._client)

    def spread(self, tags: Sequence[str], fill: Callable[[Pipeline, int], Any]) -> list[Any]:
        """Send all commands in one round trip."""
        return _send(self._client, range(len(tags)), fill)

    def home(self, tag: str) -> Hashable:
        """Name the one server."""
        return None

    def primaries(self) -> list[redis.Redis]:
        """Return the one client."""
        return [self._client]


class Cluster:
    """The primaries of a Redis Cluster; what has moved is looked up anew, within bounds."""

    def __init__(self, place: Place, timeout: float) -> None:
        """Learn who keeps what at the first call."""
        self._seeds = place.addresses
        self._options = dict(place.options) | _bounds(timeout, 0)
        self._lock = Lock()
        self._clients: dict[Address, redis.Redis] = {}
        self._ranges: list[tuple[int, int, Address]] = []

    def run(self, tag: str, call: Callable[[redis.Redis], T]) -> T:
        """Make the call at the tag's home, wherever that is by now."""
        return self._again(lambda: call(self._client_at(self.owner(slot_of(tag)))))

    def spread(self, tags: Sequence[str], fill: Callable[[Pipeline, int], Any]) -> list[Any]:
        """Send the commands of each primary in one round trip."""
        return self._again(lambda: self._spread(tags, fill))

    def _spread(self, tags: Sequence[str], fill: Callable[[Pipeline, int], Any]) -> list[Any]:
        homes: dict[Address, list[int]] = {}
        for place, tag in enumerate(tags):
            homes.setdefault(self.owner(slot_of(tag)), []).append(place)
        answers: dict[int, Any] = {}
        for address, places in homes.items():
            told = _send(self._client_at(address), places, fill)
            answers |= dict(zip(places, told, strict=True))
        return [answers[place] for place in range(len(tags))]

    def home(self, tag: str) -> Hashable:
        """Name the primary by its address."""
        return self.owner(slot_of(tag))

    def primaries(self) -> list[redis.Redis]:
        """Return a client of every primary that keeps slots."""
        if not self._ranges:
            self.refresh()
        return [self._client_at(address) for address in sorted({home for *_, home in self._ranges})]

    def owner(self, slot: int) -> Address:
        """Return the address of the primary that keeps a slot.

        Raises:
            ClusterDownError: nobody does.
        """
        if not self._ranges:
            self.refresh()
        for first, last, address in self._ranges:
            if first <= slot <= last:
                return address
        raise ClusterDownError("CLUSTERDOWN hash slot not served")

    def refresh(self) -> None:
        """Ask the nodes who keeps what; the first one that answers is believed."""
        with self._lock:
            known = dict.fromkeys([home for *_, home in self._ranges] + list(self._seeds))
        trouble: RedisError = redis.ConnectionError("no node of the cluster answers")
        for address in known:
            try:
                ranges = list(_ranges(self._client_at(address), address[0]))
            except RedisError as error:
                trouble = error
                continue
            with self._lock:
                self._ranges = ranges
            return
        raise trouble

    def _again(self, attempt: Callable[[], T]) -> T:
        for _ in range(RETRIES):
            try:
                return attempt()
            except _ELSEWHERE:
                time.sleep(PAUSE)
                self.refresh()
        return attempt()

    def _client_at(self, address: Address) -> redis.Redis:
        with self._lock:
            if address not in self._clients:
                host, port = address
                self._clients[address] = SwiftRedis(host=host, port=port, **self._options)
            return self._clients[address]


def servers(url: str, timeout: float) -> Servers:
    """Return the primaries a ``REDIS_URL`` leads to, with bounded calls."""
    place = place_of(url)
    return Cluster(place, timeout) if place.kind == "cluster" else One(connect(url, timeout))


def slot_of(tag: str) -> int:
    """Return the cluster slot of a hash tag."""
    return int(key_slot(tag.encode()))


def _send(
    client: redis.Redis, places: Sequence[int], fill: Callable[[Pipeline, int], Any]
) -> list[Any]:
    with client.pipeline(transaction=False) as pipe:
        for place in places:
            fill(pipe, place)
        return pipe.execute()


def _ranges(client: redis.Redis, host: str) -> Iterator[tuple[int, int, Address]]:
    """Read CLUSTER SLOTS; a node that does not know its own name is where we asked."""
    told = client.execute_command("CLUSTER SLOTS")
    for first, last, primary, *_ in told:
        name = primary[0].decode() if isinstance(primary[0], bytes) else primary[0]
        yield int(first), int(last), (name or host, int(primary[1]))


# -- clients that stay with one tag ---------------------------------------------------------------


class _PinnedConnection(redis.Connection):
    """A connection to whichever primary keeps one slot, looked up at each connect."""

    def __init__(self, *, cluster: Cluster, slot: int, **options: Any) -> None:
        self._cluster = cluster
        self._slot = slot
        super().__init__(**options)

    def _connect(self) -> Any:
        self._cluster.refresh()
        self.host, self.port = self._cluster.owner(self._slot)
        return super()._connect()

    def read_response(self, *args: Any, **more: Any) -> Any:
        try:
            return super().read_response(*args, **more)
        except (MovedError, ReadOnlyError, ClusterDownError) as error:
            self.disconnect()
            raise redis.ConnectionError(f"the keys are kept elsewhere now: {error}") from error


class _PinnedTlsConnection(_PinnedConnection, redis.SSLConnection):
    """The same, encrypted."""


def _pinned(cluster: Cluster, tag: str, options: dict[str, Any]) -> redis.Redis:
    shared = {
        name: value for name, value in cluster._options.items() if name in ("username", "password")
    }
    kind = _PinnedTlsConnection if cluster._options.get("ssl") else _PinnedConnection
    pool = redis.ConnectionPool(
        connection_class=kind, cluster=cluster, slot=slot_of(tag), **shared, **options
    )
    return redis.Redis(connection_pool=pool)
