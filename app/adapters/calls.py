"""Calls of scripts and commands, each to the primary that keeps its shard, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha1
from importlib.resources import files
from time import monotonic
from typing import Any, NamedTuple, TypeAlias, TypeVar

import redis
from redis.client import Pipeline
from redis.exceptions import NoScriptError, RedisError, ResponseError

from app.adapters import patience
from app.adapters.connections import One, Servers
from app.adapters.store import SHARDS, Millis, StoreUnavailable

T = TypeVar("T")
_SERVER_TROUBLE = (
    "MISCONF", "READONLY", "OOM", "LOADING", "CLUSTERDOWN", "MASTERDOWN", "BUSY", "NOREPLICAS",
    "NOAUTH", "NOPERM", "TRYAGAIN", "UNKILLABLE", "WRONGPASS",
)  # fmt: skip


def _is_trouble(text: str) -> bool:
    """Say whether an error is the server's; Redis 6.2 wraps what a script met in its own words."""
    return text.startswith(_SERVER_TROUBLE) or any(f" -{word}" in text for word in _SERVER_TROUBLE)


class Bounded:
    """Turn trouble with the server into ``StoreUnavailable``; a bug of ours stays what it is."""

    __slots__ = ("_begun",)

    def __enter__(self) -> None:
        if patience.exhausted():
            raise StoreUnavailable("Redis has kept this request waiting for too long")
        self._begun = monotonic()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        patience.count(monotonic() - self._begun)
        if not isinstance(error, RedisError):
            return
        if type(error) is ResponseError and not _is_trouble(str(error)):
            return
        raise StoreUnavailable(str(error) or type(error).__name__) from error


class Script(NamedTuple):
    """A Lua script: its text, and the hash it is called by once a server knows it."""

    text: str
    sha: str


def script_of(name: str) -> Script:
    """Read a script of ours by its name."""
    text = (files("app.adapters") / "lua" / f"{name}.lua").read_text("utf-8")
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


Call: TypeAlias = tuple[Sequence[str], Sequence[Any]]
"""Keys and arguments of one call of a script; the first key's hash tag says where."""


class Calls:
    """The primaries, and how the keys of a shard are named."""

    def __init__(
        self, servers: Servers | redis.Redis, prefix: str, replicas: int, patience: Millis
    ) -> None:
        """Let lasting calls wait ``patience`` at most for ``replicas`` replicas."""
        self.servers = One(servers) if isinstance(servers, redis.Redis) else servers
        self.prefix = prefix
        self.replicas = replicas
        self._patience = patience

    def key(self, shard: int, name: str) -> str:
        """Return the key of something that a shard keeps."""
        return f"{self.prefix}:{{s{shard:02}}}:{name}"

    def at(self, shard: int, call: Callable[[redis.Redis], T]) -> T:
        """Make a call to the home of a shard."""
        with Bounded():
            return self.servers.run(self.tag(shard), call)

    def tag(self, shard: int) -> str:
        """Return the hash tag of a shard."""
        return f"s{shard:02}"

    def script(self, shard: int, script: Script, call: Call, lasting: bool = False) -> Any:
        """Run a script at the home of a shard; a ``lasting`` one waits for the replicas."""
        keys, args = call

        def run(client: redis.Redis) -> Any:
            if lasting and self.replicas:
                return self._replicated(client, shard, script, call)
            try:
                return client.evalsha(script.sha, len(keys), *keys, *args)
            except NoScriptError:
                return client.eval(script.text, len(keys), *keys, *args)

        return self.at(shard, run)

    def _replicated(self, client: redis.Redis, shard: int, script: Script, call: Call) -> Any:
        """Run a script and wait until enough replicas have what it wrote, or once had written.

        The fence is a write of its own: a repeated call that writes nothing must wait as well.
        """
        keys, args = call
        while True:
            with client.pipeline(transaction=False) as pipe:
                pipe.evalsha(script.sha, len(keys), *keys, *args)
                pipe.set(self.key(shard, "fence"), 1, px=60_000)
                pipe.wait(self.replicas, self._patience)
                try:
                    answer, _, reached = pipe.execute()
                except NoScriptError:
                    client.script_load(script.text)
                    continue
            self._require(reached)
            return answer

    def fence(self, shard: int) -> None:
        """Wait until the replicas have everything that was written so far."""

        def run(client: redis.Redis) -> int:
            with client.pipeline(transaction=False) as pipe:
                pipe.set(self.key(shard, "fence"), 1, px=60_000)
                pipe.wait(self.replicas, self._patience)
                return int(pipe.execute()[1])

        self._require(self.at(shard, run))

    def _require(self, reached: int) -> None:
        if reached < self.replicas:
            raise StoreUnavailable(f"{reached} of {self.replicas} replicas have the write")

    def on_shards(
        self, script: Script, calls: Sequence[tuple[int, Call]], lasting: bool = False
    ) -> list[Any]:
        """Run a script for several shards, in one round trip for each primary.

        A ``lasting`` one waits for the replicas, once for each primary.
        """

        def add(pipe: Pipeline, place: int) -> None:
            keys, args = calls[place][1]
            pipe.evalsha(script.sha, len(keys), *keys, *args)

        tags = [self.tag(shard) for shard, _ in calls]
        with Bounded():
            try:
                told = self.servers.spread(tags, add)
            except NoScriptError:
                for client in self.servers.primaries():
                    client.script_load(script.text)
                told = self.servers.spread(tags, add)
        if lasting and self.replicas:
            self._fence_all([shard for shard, _ in calls])
        return told

    def _fence_all(self, shards: Sequence[int]) -> None:
        """Wait once for each primary that keeps one of these shards."""
        with Bounded():
            homes = {self.servers.home(self.tag(shard)): shard for shard in shards}
        for shard in homes.values():
            self.fence(shard)

    def each(self, fill: Callable[[Pipeline, int], Any]) -> list[Any]:
        """Send one command for each shard."""
        with Bounded():
            return self.servers.spread([self.tag(shard) for shard in range(SHARDS)], fill)
