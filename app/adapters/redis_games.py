"""Whole games on Redis: copied, restored, and swapped for one value when they are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import redis

from app.adapters import compaction, packing, replies
from app.adapters.calls import Bounded, Calls, script_of
from app.adapters.connections import Servers
from app.adapters.heard import Heard
from app.adapters.store import Copy, Meta, Millis, shard_of

DUMP, RESTORE, COMPACT = map(script_of, ("dump", "restore", "compact"))
HOMES = 4096
"""Games of which the names of the keys are remembered."""


class Home(NamedTuple):
    """Where a game is kept: its shard, the start of the shard's keys, and the keys of each call."""

    shard: int
    start: str
    channel: str
    keys: tuple[str, ...]
    """Log, meta, commands, seats."""
    whole: str
    """What there is instead of these once the game is compacted."""
    clocks: tuple[str, ...]
    paused: str


class WholeGames:
    """The part of ``RedisStore`` that reads and writes games as a whole."""

    def __init__(
        self,
        servers: Servers | redis.Redis,
        prefix: str = "santorini",
        replicas: int = 0,
        patience: Millis = 400,
    ) -> None:
        """Keep the clients, which return bytes; connect lazily.

        What changes a game is acknowledged once ``replicas`` replicas have it, for which a call
        waits ``patience`` at most.
        """
        self._calls = Calls(servers, prefix, replicas, patience)
        self._clocks = Heard()
        self._home = lru_cache(maxsize=HOMES)(self._home_of)

    def _shard(self, shard: int, name: str) -> str:
        return self._calls.key(shard, name)

    def _game(self, game_id: str) -> str:
        return self._shard(shard_of(game_id), f"g:{game_id}")

    def _home_of(self, game_id: str) -> Home:
        shard = shard_of(game_id)
        game = self._shard(shard, f"g:{game_id}")
        return Home(
            shard,
            self._shard(shard, ""),
            f"{self._calls.prefix}:news:{game_id}",
            (f"{game}:log", game, f"{game}:cmd", f"{game}:seats"),
            f"{game}:whole",
            tuple(self._shard(shard, name) for name in ("due", "open")),
            self._shard(shard, "paused"),
        )

    def _keys(self, game_id: str) -> tuple[str, ...]:
        return self._home(game_id).keys

    def _whole(self, game_id: str) -> str:
        return self._home(game_id).whole

    # -- copies -------------------------------------------------------------------------------

    def games(self) -> Iterator[str]:
        """Walk all keys of all primaries: for backups, never for a request."""
        pattern = f"{self._calls.prefix}:{{s[0-9][0-9]}}:g:*:[lw]*"
        with Bounded():
            for client in self._calls.servers.primaries():
                for key in client.scan_iter(pattern, count=1000):
                    game_id, _, part = key.decode().rpartition(":g:")[2].partition(":")
                    if part in ("log", "whole"):
                        yield game_id

    def dump(self, game_id: str) -> Copy | None:
        """Read everything of a game in one call."""
        keys = [*self._keys(game_id), self._whole(game_id)]
        reply = self._calls.script(shard_of(game_id), DUMP, (keys, []))
        return replies.copy(reply, game_id)

    def restore(self, copy: Copy, meta: Meta, to_move: int, listed: Sequence[str]) -> bool:
        """Write a whole game in one call."""
        mover = copy.mover(to_move) if meta.visibility == "public" else ""
        return self._write_whole(copy, meta, mover, listed)

    def _write_whole(
        self, copy: Copy, meta: Meta, mover: str, listed: Sequence[str] = (), value: bytes = b""
    ) -> bool:
        """Write a game that is not there, or is compacted to just this value."""
        home = self._home(copy.game_id)
        names = ("over", *(f"list:{name}" for name in listed))
        keys = [*home.keys, *home.clocks, home.whole, *(f"{home.start}{name}" for name in names)]
        blocks = copy.blocks()
        pairs = [(name, f"{r.fingerprint}:{r.first}:{r.last}") for name, r in copy.commands]
        pairs += copy.roles
        counts = [len(blocks), len(copy.commands), len(copy.roles)]
        args = [copy.game_id, home.start, mover, value, *counts, *words(meta)]
        blobs = map(packing.pack, blocks)
        call = keys, [*args, *blobs, *(part for pair in pairs for part in pair)]
        return bool(self._calls.script(home.shard, RESTORE, call, lasting=True))

    # -- games that are over ------------------------------------------------------------------

    def over(self, shard: int, age: Millis, limit: int = 100) -> list[str]:
        """List games of a shard that have been over for so long, in one round trip."""

        def run(client: redis.Redis) -> Any:
            with client.pipeline(transaction=False) as pipe:
                pipe.time()
                pipe.zrange(self._shard(shard, "over"), 0, limit - 1, withscores=True)
                return pipe.execute()

        time, games = self._calls.at(shard, run)
        latest = replies.millis(time) - age
        return [game_id.decode() for game_id, since in games if since <= latest]

    def compact(self, copy: Copy, meta: Meta, value: bytes) -> bool:
        """Swap a game for one value in one call."""
        home = self._home(copy.game_id)
        keys = [*home.keys, home.whole, f"{home.start}over"]
        args: list[Any] = [copy.game_id, meta.version, meta.head[7:], meta.status, value]
        call = keys, [*args, *(part for pair in copy.roles for part in pair)]
        return bool(self._calls.script(home.shard, COMPACT, call, lasting=True))

    def leave(self, game_id: str) -> None:
        """Take a game from the list of those that are over."""
        shard = shard_of(game_id)
        self._calls.at(shard, lambda client: client.zrem(self._shard(shard, "over"), game_id))

    def lay_out(self, game_id: str) -> None:
        """Write a compacted game as it was before, unless somebody else is doing so."""
        value: Any = self._calls.at(
            shard_of(game_id), lambda client: client.get(self._whole(game_id))
        )
        if value is not None:
            game = compaction.opened(value, game_id)
            self._write_whole(game.copy(), game.meta, "", value=value)


def words(meta: Meta) -> list[Any]:
    """Write a game's meta as its hash has it."""
    return [
        meta.version,
        meta.head[7:],
        meta.status,
        "" if meta.deadline is None else meta.deadline,
        meta.visibility,
        meta.created,
        meta.updated,
        meta.secret,
    ]
