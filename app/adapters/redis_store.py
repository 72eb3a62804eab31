"""The event store on Redis: one Lua call an append, keys by shard, bounded calls.

Nothing newer than Redis 6.2 is used. Every key of one call bears the same hash tag, ``{s07}``,
so that the scripts run on Redis Cluster too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redis.client import Pipeline

from app.adapters import durability, packing, replies
from app.adapters.calls import Bounded, Call, Script, script_of
from app.adapters.redis_games import WholeGames, words
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

EXAMINED = 1000
"""Most games one call looks at in one shard while it lists."""
REPAIRED = 300
"""Games whose entries in the due index are compared in one round trip."""
LAY_OUT = b"compacted"
"""What a script answers that would change a compacted game."""
LAYOUTS = 8
"""Times a compacted game is laid out again for a change, should somebody else compact it."""
APPEND, LOAD, RENEW, PAGE, WATCH, LEASE, REPAIR = map(
    script_of, ("append", "load", "renew", "page", "watch", "lease", "repair")
)
CLAIM, WORK = map(script_of, ("claim", "work"))


class RedisStore(WholeGames):
    """``Store`` on one Redis server, a replicated one, or a cluster of them."""

    # -- logs ---------------------------------------------------------------------------------

    def now(self) -> Millis:
        """Return the server's clock."""
        return self._calls.at(0, lambda client: replies.millis(client.time()))

    def heard(self, game_id: str) -> Millis | None:
        """Return the server's clock as last heard."""
        return self._clocks.now(shard_of(game_id))

    def peek(self, game_id: str) -> tuple[int, str] | None:
        """Return version and head in one command; None for a game that is compacted."""
        home = self._home(game_id)
        call = ("HMGET", home.keys[1], "version", "head")
        found = self._calls.at(home.shard, lambda client: client.execute_command(*call))
        version, head = found
        return None if version is None else (int(version), f"sha256:{head.decode()}")

    def load(
        self,
        game_id: str,
        after: int = 0,
        *,
        limit: int | None = None,
        command: str = "",
        formerly: str = "",
        token_hash: str = "",
        answer_id: str = "",
    ) -> Loaded | None:
        """Read a game in one call; see ``Store.load``."""
        shard, keys = shard_of(game_id), self._load_keys(game_id, answer_id)
        asked = [after, limit or 0, command, token_hash, formerly]
        reply = self._calls.script(shard, LOAD, (keys, asked))
        found = replies.loaded(reply, game_id, after, limit, (command, formerly), token_hash)
        if found is not None:
            self._clocks.note(shard, found.now)
        if self._calls.replicas and found is not None and (found.record or found.answer):
            self._calls.fence(shard)  # what was done before is about to be acknowledged
        return found

    def load_many(self, games: Mapping[str, int]) -> dict[str, Loaded]:
        """Read several games in one round trip."""
        found = self._calls.on_shards(
            LOAD,
            [
                (shard_of(game_id), (self._load_keys(game_id), [after, 0, "", "", ""]))
                for game_id, after in games.items()
            ],
        )
        loaded = {
            game_id: replies.loaded(reply, game_id, after, None)
            for (game_id, after), reply in zip(games.items(), found, strict=True)
        }
        return {game_id: one for game_id, one in loaded.items() if one is not None}

    def _load_keys(self, game_id: str, answer_id: str = "") -> list[str]:
        home = self._home(game_id)
        return [*home.keys, home.paused, f"{home.start}answer:{answer_id}", home.whole]

    def append(self, change: Append) -> Appended:
        """Append in one call; a lost answer is asked for again and comes as ``duplicate``."""
        shard, call = self._append_call(change)
        reply = self._changed(change.game_id, APPEND, call)
        appended = replies.appended(reply, change)
        self._clocks.note(shard, appended.now)
        return appended

    def append_many(self, changes: Sequence[Append]) -> list[Appended]:
        """Append to several games in one round trip for each primary, one call each."""
        told = self._calls.on_shards(APPEND, [*map(self._append_call, changes)], lasting=True)
        return [
            self.append(change) if reply[0] == LAY_OUT else replies.appended(reply, change)
            for reply, change in zip(told, changes, strict=True)
        ]

    def _append_call(self, change: Append) -> tuple[int, Call]:
        assert change.events and covers(change.events, change.expected)
        return shard_of(change.game_id), (self._append_keys(change), self._append_args(change))

    def _changed(self, game_id: str, script: Script, call: Call) -> Any:
        """Run a script that changes a game; one that is compacted is laid out first."""
        for _ in range(LAYOUTS):
            reply = self._calls.script(shard_of(game_id), script, call, lasting=True)
            if reply[0] != LAY_OUT:
                return reply
            self.lay_out(game_id)
        raise StoreUnavailable(f"game {game_id} is compacted again and again")

    def _append_keys(self, change: Append) -> list[str]:
        home = self._home(change.game_id)
        answer = change.answer.id if change.answer else ""
        indexes = [f"{home.start}list:{name}" for name in (*change.listed, *change.unlisted)]
        named = (home.paused, f"{home.start}answer:{answer}")
        return [*home.keys, *home.clocks, *named, *indexes]

    def _append_args(self, change: Append) -> list[Any]:
        meta, answer, tokens = change.meta, change.answer, change.tokens
        home = self._home(change.game_id)
        return [
            change.game_id,
            change.expected,
            change.events[-1]["version"],
            change.command,
            change.fingerprint,
            change.mode,
            GRACE,
            packing.pack(change.events),
            *words(meta)[1:],
            change.to_move if meta.visibility == "public" else 0,
            home.start,
            home.channel,
            len(change.listed),
            len(change.unlisted),
            answer.fingerprint if answer else "",
            answer.box if answer else "",
            DAY,
            len(tokens.added),
            len(tokens.revoked),
            change.formerly,
            change.previous[7:],
            change.token_hash,
            change.role,
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
        keys = [f"{game}:seats", kept, game, self._whole(game_id)]
        args = [old_hash, new_hash, fingerprint, box, DAY, self._shard(shard, ""), game_id]
        reply = self._changed(game_id, RENEW, (keys, args))
        if reply[0] == b"duplicate" and answer:
            return Sealed(answer.id, reply[1].decode(), reply[2])
        return bool(reply[0] == b"done")

    def answer(self, game_id: str, answer_id: str) -> Sealed | None:
        """Return a sealed answer while it is kept."""
        shard = shard_of(game_id)
        key = self._shard(shard, f"answer:{answer_id}")
        kept: list[Any] = self._calls.at(
            shard, lambda client: client.hmget(key, "fingerprint", "box")
        )
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
        return self._calls.on_shards(
            PAGE,
            [
                (
                    shard,
                    (
                        [self._shard(shard, name) for name in names],
                        [direction, share, *place, EXAMINED],
                    ),
                )
                for shard, place in places.items()
            ],
        )

    # -- clocks -------------------------------------------------------------------------------

    def due(self, shard: int, limit: int = 100) -> Due:
        """Return the clocks of one shard."""
        return self.dues((shard,), limit)[0]

    def dues(self, shards: Sequence[int], limit: int = 100) -> list[Due]:
        """Return the clocks of several shards in one round trip for each primary."""

        def add(pipe: Pipeline, place: int) -> None:
            shard = shards[place // 3]
            if place % 3 == 0:
                pipe.time()
            elif place % 3 == 1:
                pipe.zrange(self._shard(shard, "due"), 0, limit - 1, withscores=True)
            else:
                pipe.mget([self._shard(shard, name) for name in ("paused", "watch", "gap")])

        with Bounded():
            tags = [self._calls.tag(shard) for shard in shards for _ in range(3)]
            told = self._calls.servers.spread(tags, add)
        return [replies.due(*told[at : at + 3]) for at in range(0, len(told), 3)]

    def next_due(self) -> tuple[Millis, list[Millis | None]]:
        """Return the server's clock and the next deadline of each shard."""
        tags = [self._calls.tag(0), *map(self._calls.tag, range(SHARDS))]

        def add(pipe: Pipeline, place: int) -> None:
            if place == 0:
                pipe.time()
            else:
                pipe.zrange(self._shard(place - 1, "due"), 0, 0, withscores=True)

        with Bounded():
            time, *firsts = self._calls.servers.spread(tags, add)
        return replies.millis(time), [int(first[0][1]) if first else None for first in firsts]

    def lease(self, name: str, owner: str, duration: Millis, shard: int = 0) -> bool:
        """Take or keep a lease."""
        call = [self._shard(shard, f"lease:{name}")], [owner, duration]
        return bool(self._calls.script(shard, LEASE, call))

    def claim(self, owner: str, duration: Millis, shards: Sequence[int]) -> list[int]:
        """Claim shards that nobody else sees to."""
        names = ("lease:claim", "lease:work", "paused")
        return self._won(CLAIM, names, [owner, duration], shards)

    def work(self, owner: str, duration: Millis, shards: Sequence[int]) -> list[int]:
        """Begin, go on or end to work at shards."""
        return self._won(WORK, ("lease:work", "lease:claim"), [owner, duration], shards)

    def _won(
        self, script: Script, names: Sequence[str], args: list[Any], shards: Sequence[int]
    ) -> list[int]:
        """Run a script for several shards and return those for which it says yes."""
        calls = [(shard, ([self._shard(shard, name) for name in names], args)) for shard in shards]
        told = self._calls.on_shards(script, calls)
        return [shard for shard, yes in zip(shards, told, strict=True) if yes]

    def watch(self, outage: Millis) -> None:
        """Write the watermark of every shard."""
        names = ("watch", "gap", "due")
        self._calls.on_shards(
            WATCH,
            [
                (shard, ([self._shard(shard, name) for name in names], [outage]))
                for shard in range(SHARDS)
            ],
        )

    def pause(self) -> Millis:
        """Set every shard's flag, keeping those that are set."""
        now = self.now()
        self._calls.each(lambda pipe, shard: pipe.set(self._shard(shard, "paused"), now, nx=True))
        since = self._calls.each(lambda pipe, shard: pipe.get(self._shard(shard, "paused")))
        return min((int(one) for one in since if one is not None), default=now)

    def resume(self, shard: int) -> None:
        """Drop a shard's flag."""
        self._calls.at(shard, lambda client: client.delete(self._shard(shard, "paused")))

    def paused_since(self, shard: int) -> Millis | None:
        """Return when a shard was paused."""
        since = self._calls.at(shard, lambda client: client.get(self._shard(shard, "paused")))
        return None if since is None else int(since)

    def open_games(self, shard: int) -> list[str]:
        """List the open games of a shard."""
        members: set[Any] = self._calls.at(
            shard, lambda client: client.smembers(self._shard(shard, "open"))
        )
        return sorted(member.decode() for member in members)

    def repair(self, game_ids: Sequence[str]) -> int:
        """Make the due index agree with the games' meta, a few hundred in a round trip."""
        calls = []
        for game_id in game_ids:
            shard = shard_of(game_id)
            keys = [self._game(game_id), self._shard(shard, "due"), self._shard(shard, "open")]
            calls.append((shard, (keys, [game_id])))
        chunks = (calls[at : at + REPAIRED] for at in range(0, len(calls), REPAIRED))
        return sum(sum(self._calls.on_shards(REPAIR, chunk)) for chunk in chunks)

    def count(self, name: str, by: int = 1) -> None:
        """Add to a named count; a lost answer may count twice."""
        self._calls.at(0, lambda client: client.hincrby(self._shard(0, "counts"), name, by))

    def counts(self) -> dict[str, int]:
        """Return all counts that are not zero."""
        found: dict[Any, Any] = self._calls.at(
            0, lambda client: client.hgetall(self._shard(0, "counts"))
        )
        return {name.decode(): int(value) for name, value in found.items()}

    def check(self) -> list[str]:
        """Compare every primary's settings and role with what keeps the log."""
        with Bounded():
            found = [
                durability.flaws_of(one, self._calls.replicas)
                for one in self._calls.servers.primaries()
            ]
        return list(dict.fromkeys(flaw for flaws in found for flaw in flaws))


def _may_add(query: Query, found: list[tuple[Millis, str]], place: tuple[Millis, str]) -> bool:
    """Say whether games beyond a place could still belong to the page."""
    if len(found) < query.limit:
        return True
    return place < found[-1] if query.oldest_first else place > found[-1]
