"""The event store on Redis: one Lua call an append, keys by shard, bounded calls.

Nothing newer than Redis 6.2 is used. Every key of one call bears the same hash tag, ``{s07}``,
so that the scripts run on Redis Cluster too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import redis
from redis.backoff import ConstantBackoff
from redis.commands.core import Script
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.retry import Retry

from app.adapters import packing, replies
from app.adapters.store import (
    DAY,
    GRACE,
    SHARDS,
    Append,
    Appended,
    Due,
    Loaded,
    Millis,
    Query,
    Sealed,
    StoreUnavailable,
    covers,
    shard_of,
)

RETRIES = 2
"""Times a call is sent again when its answer does not come; appends can tell (command ids)."""
EXAMINED = 1000
"""Most games one call looks at in one shard while it lists."""
REPAIRED = 300
"""Games whose entries in the due index are compared in one round trip."""
_SERVER_TROUBLE = (
    "MISCONF", "READONLY", "OOM", "LOADING", "CLUSTERDOWN", "MASTERDOWN", "BUSY", "NOREPLICAS",
    "NOAUTH", "NOPERM", "TRYAGAIN", "UNKILLABLE", "WRONGPASS",
)  # fmt: skip
DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "maxmemory-policy": "noeviction",
    "aof-load-truncated": "no",
}
"""Server settings without which an acknowledged event could be lost (operations, section 1)."""


def connect(url: str, timeout: float) -> redis.Redis:
    """Return a client whose calls are bounded: ``timeout`` seconds, sent three times at most."""
    return redis.Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(ConstantBackoff(0.02), RETRIES),
        retry_on_error=[redis.ConnectionError, redis.TimeoutError],
    )


def _is_trouble(text: str) -> bool:
    """Say whether an error is the server's; Redis 6.2 wraps what a script met in its own words."""
    return text.startswith(_SERVER_TROUBLE) or any(f" -{word}" in text for word in _SERVER_TROUBLE)


@contextmanager
def _bounded() -> Iterator[None]:
    """Turn trouble with the server into ``StoreUnavailable``; a bug of ours stays what it is."""
    try:
        yield
    except ResponseError as error:
        if not _is_trouble(str(error)) and type(error) is ResponseError:
            raise
        raise StoreUnavailable(str(error)) from error
    except RedisError as error:
        raise StoreUnavailable(str(error) or type(error).__name__) from error


class RedisStore:
    """``Store`` on one Redis server, or on a server in cluster mode."""

    def __init__(self, client: redis.Redis, prefix: str = "santorini") -> None:
        """Keep the client, which returns bytes; connect lazily."""
        self._client = client
        self._prefix = prefix
        self._append = self._script("append")
        self._load = self._script("load")
        self._renew = self._script("renew")
        self._page = self._script("page")
        self._watch = self._script("watch")
        self._lease = self._script("lease")
        self._repair = self._script("repair")

    def _script(self, name: str) -> Script:
        text = (files("app.adapters") / "lua" / f"{name}.lua").read_text("utf-8")
        return self._client.register_script(text)

    def _shard(self, shard: int, name: str) -> str:
        return f"{self._prefix}:{{s{shard:02}}}:{name}"

    def _game(self, game_id: str) -> str:
        return self._shard(shard_of(game_id), f"g:{game_id}")

    def _channel(self, game_id: str) -> str:
        return f"{self._prefix}:news:{game_id}"

    def _keys(self, game_id: str) -> list[str]:
        game = self._game(game_id)
        return [f"{game}:log", game, f"{game}:cmd", f"{game}:seats"]

    # -- logs ---------------------------------------------------------------------------------

    def now(self) -> Millis:
        """Return the server's clock."""
        with _bounded():
            return replies.millis(self._client.time())

    def load(
        self,
        game_id: str,
        after: int = 0,
        *,
        limit: int | None = None,
        command: str = "",
        token_hash: str = "",
        answer_id: str = "",
    ) -> Loaded | None:
        """Read a game in one call; see ``Store.load``."""
        keys = self._load_keys(game_id, answer_id)
        with _bounded():
            reply = self._load(keys, [after, limit or 0, command, token_hash])
        return replies.loaded(reply, game_id, after, limit)

    def load_many(self, games: Mapping[str, int]) -> dict[str, Loaded]:
        """Read several games in one round trip."""
        found = self._on_shards(
            self._load,
            [(self._load_keys(game_id), [after, 0, "", ""]) for game_id, after in games.items()],
        )
        loaded = {
            game_id: replies.loaded(reply, game_id, after, None)
            for (game_id, after), reply in zip(games.items(), found, strict=True)
        }
        return {game_id: one for game_id, one in loaded.items() if one is not None}

    def _load_keys(self, game_id: str, answer_id: str = "") -> list[str]:
        shard = shard_of(game_id)
        named = ("paused", f"answer:{answer_id}")
        return [*self._keys(game_id), *(self._shard(shard, name) for name in named)]

    def append(self, change: Append) -> Appended:
        """Append in one call; a lost answer is asked for again and comes as ``duplicate``."""
        assert change.events and covers(change.events, change.expected)
        with _bounded():
            reply = self._append(self._append_keys(change), self._append_args(change))
        verdict, version, now, record, fingerprint, box = reply
        answer = None
        if box:
            assert change.answer is not None
            answer = Sealed(change.answer.id, fingerprint.decode(), box)
        return Appended(verdict.decode(), version, now, replies.record(record), answer)

    def _append_keys(self, change: Append) -> list[str]:
        shard = shard_of(change.game_id)
        answer = change.answer.id if change.answer else ""
        named = ("due", "open", "paused", f"answer:{answer}")
        indexes = (f"list:{name}" for name in (*change.listed, *change.unlisted))
        return [
            *self._keys(change.game_id),
            *(self._shard(shard, name) for name in (*named, *indexes)),
        ]

    def _append_args(self, change: Append) -> list[Any]:
        meta, answer, tokens = change.meta, change.answer, change.tokens
        return [
            change.game_id,
            change.expected,
            change.events[-1]["version"],
            change.command,
            change.fingerprint,
            change.mode,
            GRACE,
            packing.pack(change.events),
            meta.head[7:],
            meta.status,
            "" if meta.deadline is None else meta.deadline,
            meta.visibility,
            meta.created,
            meta.updated,
            meta.secret,
            change.to_move if meta.visibility == "public" else 0,
            self._shard(shard_of(change.game_id), ""),
            self._channel(change.game_id),
            len(change.listed),
            len(change.unlisted),
            answer.fingerprint if answer else "",
            answer.box if answer else "",
            DAY,
            len(tokens.added),
            len(tokens.revoked),
            *(part for pair in tokens.added.items() for part in pair),
            *tokens.revoked,
        ]

    # -- tokens and answers -------------------------------------------------------------------

    def renew_token(
        self, game_id: str, old_hash: str, new_hash: str, answer: Sealed | None = None
    ) -> Sealed | bool:
        """Replace a seat's token in one call; see ``Store.renew_token``."""
        shard, game = shard_of(game_id), self._game(game_id)
        kept = self._shard(shard, f"answer:{answer.id if answer else ''}")
        fingerprint, box = (answer.fingerprint, answer.box) if answer else ("", b"")
        with _bounded():
            reply = self._renew(
                [f"{game}:seats", kept, game],
                [old_hash, new_hash, fingerprint, box, DAY, self._shard(shard, ""), game_id],
            )
        if reply[0] == b"duplicate" and answer:
            return Sealed(answer.id, reply[1].decode(), reply[2])
        return bool(reply[0] == b"done")

    def answer(self, game_id: str, answer_id: str) -> Sealed | None:
        """Return a sealed answer while it is kept."""
        key = self._shard(shard_of(game_id), f"answer:{answer_id}")
        with _bounded():
            kept: list[Any] = self._client.hmget(key, "fingerprint", "box")
        fingerprint, box = kept
        return None if box is None else Sealed(answer_id, fingerprint.decode(), box)

    # -- the list -----------------------------------------------------------------------------

    def page(self, query: Query) -> list[tuple[Millis, str]]:
        """Walk all shards side by side, each only as far as the page needs, and merge."""
        found: list[tuple[Millis, str]] = []
        begin = query.after or ("", "")
        places: dict[int, tuple[Any, Any]] = dict.fromkeys(range(SHARDS), begin)
        while places:
            going: dict[int, tuple[Any, Any]] = {}
            walked = self._walk(query, places)
            for shard, (ended, score, game_id, *games) in zip(places, walked, strict=True):
                pairs = zip(games[::2], games[1::2], strict=True)
                found += ((int(score), name.decode()) for score, name in pairs)
                if not ended:
                    going[shard] = (int(score), game_id.decode())
            found = sorted(found, reverse=not query.oldest_first)[: query.limit]
            places = {
                shard: place for shard, place in going.items() if _may_add(query, found, place)
            }
        return found

    def _walk(self, query: Query, places: dict[int, tuple[Any, Any]]) -> list[Any]:
        direction = "asc" if query.oldest_first else "desc"
        names = [f"list:{name}" for name in query.indexes]
        if query.token_hash:
            names.append(f"turn:{query.token_hash}")
        share = query.limit * 2 // SHARDS + 2
        return self._on_shards(
            self._page,
            [
                (
                    [self._shard(shard, name) for name in names],
                    [direction, share, *place, EXAMINED],
                )
                for shard, place in places.items()
            ],
        )

    def _on_shards(
        self, script: Script, calls: Sequence[tuple[Sequence[str], Sequence[Any]]]
    ) -> list[Any]:
        """Run a script for several shards in one round trip."""

        def run() -> list[Any]:
            with self._client.pipeline(transaction=False) as pipe:
                for keys, args in calls:
                    pipe.evalsha(script.sha, len(keys), *keys, *args)
                return pipe.execute()

        with _bounded():
            try:
                return run()
            except NoScriptError:
                self._client.script_load(script.script)
                return run()

    # -- clocks -------------------------------------------------------------------------------

    def due(self, shard: int, limit: int = 100) -> Due:
        """Return the clocks of one shard."""
        with _bounded(), self._client.pipeline(transaction=False) as pipe:
            pipe.time()
            pipe.zrange(self._shard(shard, "due"), 0, limit - 1, withscores=True)
            pipe.mget([self._shard(shard, name) for name in ("paused", "watch", "gap")])
            time, games, (paused, watermark, gap) = pipe.execute()
        return Due(
            replies.millis(time),
            tuple((game_id.decode(), int(deadline)) for game_id, deadline in games),
            paused is not None,
            int(watermark or 0),
            replies.gap(gap),
        )

    def next_due(self) -> tuple[Millis, list[Millis | None]]:
        """Return the server's clock and the next deadline of each shard."""
        with _bounded(), self._client.pipeline(transaction=False) as pipe:
            pipe.time()
            for shard in range(SHARDS):
                pipe.zrange(self._shard(shard, "due"), 0, 0, withscores=True)
            time, *firsts = pipe.execute()
        return replies.millis(time), [int(first[0][1]) if first else None for first in firsts]

    def lease(self, name: str, owner: str, duration: Millis, shard: int = 0) -> bool:
        """Take or keep a lease."""
        with _bounded():
            return bool(self._lease([self._shard(shard, f"lease:{name}")], [owner, duration]))

    def watch(self, outage: Millis) -> None:
        """Write the watermark of every shard."""
        names = ("watch", "gap", "due")
        self._on_shards(
            self._watch,
            [([self._shard(shard, n) for n in names], [outage]) for shard in range(SHARDS)],
        )

    def pause(self) -> Millis:
        """Set every shard's flag, keeping those that are set."""
        now = self.now()
        keys = [self._shard(shard, "paused") for shard in range(SHARDS)]
        with _bounded(), self._client.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.set(key, now, nx=True)
            for key in keys:
                pipe.get(key)
            return min(int(since) for since in pipe.execute()[SHARDS:])

    def resume(self, shard: int) -> None:
        """Drop a shard's flag."""
        with _bounded():
            self._client.delete(self._shard(shard, "paused"))

    def paused_since(self, shard: int) -> Millis | None:
        """Return when a shard was paused."""
        with _bounded():
            since = self._client.get(self._shard(shard, "paused"))
        return None if since is None else int(since)

    def open_games(self, shard: int) -> list[str]:
        """List the open games of a shard."""
        with _bounded():
            members: set[Any] = self._client.smembers(self._shard(shard, "open"))
        return sorted(member.decode() for member in members)

    def repair(self, game_ids: Sequence[str]) -> int:
        """Make the due index agree with the games' meta, a few hundred in a round trip."""
        calls = []
        for game_id in game_ids:
            shard = shard_of(game_id)
            keys = [self._game(game_id), self._shard(shard, "due"), self._shard(shard, "open")]
            calls.append((keys, [game_id]))
        chunks = (calls[at : at + REPAIRED] for at in range(0, len(calls), REPAIRED))
        return sum(sum(self._on_shards(self._repair, chunk)) for chunk in chunks)

    def count(self, name: str, by: int = 1) -> None:
        """Add to a named count; a lost answer may count twice."""
        with _bounded():
            self._client.hincrby(self._shard(0, "counts"), name, by)

    def counts(self) -> dict[str, int]:
        """Return all counts that are not zero."""
        with _bounded():
            found: dict[Any, Any] = self._client.hgetall(self._shard(0, "counts"))
        return {name.decode(): int(value) for name, value in found.items()}

    def check(self) -> list[str]:
        """Compare the server's settings with the durable ones."""
        settings: dict[Any, Any] = {}
        with _bounded():
            for name in DURABLE:
                settings |= self._client.config_get(name)
        wrong = []
        for name, right in DURABLE.items():
            value = settings.get(name, settings.get(name.encode(), b""))
            text = value.decode() if isinstance(value, bytes) else str(value)
            if text != right:
                wrong.append(f"Redis is set to {name} {text or '(unknown)'}; it must be {right}")
        return wrong


def _may_add(query: Query, found: list[tuple[Millis, str]], place: tuple[Millis, str]) -> bool:
    """Say whether games beyond a place could still belong to the page."""
    if len(found) < query.limit:
        return True
    return place < found[-1] if query.oldest_first else place > found[-1]
