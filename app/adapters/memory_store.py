"""The event store in memory: the same promises as Redis, and a clock that tests can turn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock

from app.adapters import compaction, packing
from app.adapters.compaction import CLOSED
from app.adapters.store import (
    DAY,
    GRACE,
    SHARDS,
    Append,
    Appended,
    Copy,
    Due,
    Envelope,
    Loaded,
    Meta,
    Millis,
    Query,
    Record,
    Sealed,
    Verdict,
    covers,
    shard_of,
)


@dataclass
class ManualClock:
    """A clock that stands still until it is told to advance."""

    millis: Millis = 1_700_000_000_000

    def __call__(self) -> Millis:
        """Return the time."""
        return self.millis

    def advance(self, millis: Millis) -> None:
        """Let time pass."""
        self.millis += millis


@dataclass
class _Log:
    meta: Meta
    ends: list[int] = field(default_factory=list)
    blobs: list[bytes] = field(default_factory=list)
    commands: dict[str, Record] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    to_move: int = 0

    @property
    def mover(self) -> str:
        """Hash of the token whose seat is to act, empty when nobody's is."""
        wanted = (f"seat:{self.to_move}", f"creator:{self.to_move}")
        public = self.meta.visibility == "public"
        return next((h for h, role in self.roles.items() if public and role in wanted), "")


def _holds(change: Append, log: _Log) -> bool:
    """Say whether what a decision took for granted is so."""
    same_role = not change.token_hash or log.roles.get(change.token_hash) == change.role
    return log.meta.head == change.previous and same_role


@dataclass
class MemoryStore:
    """``Store`` for tests: nothing survives the process."""

    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        """Start empty."""
        self._lock = RLock()
        self._games: dict[str, _Log] = {}
        self._index: dict[str, dict[str, Millis]] = {}
        self._due: dict[str, Millis] = {}
        self._answers: dict[tuple[int, str], tuple[Sealed, Millis]] = {}
        self._leases: dict[tuple[int, str], tuple[str, Millis]] = {}
        self._paused: dict[int, Millis] = {}
        self._watermark: Millis = 0
        self._counts: dict[str, int] = {}
        self._gaps: dict[int, tuple[Millis, Millis]] = {}
        self._whole: dict[str, bytes] = {}
        self._over: dict[str, Millis] = {}

    def now(self) -> Millis:
        """Return the clock."""
        return self.clock()

    def heard(self, game_id: str) -> Millis | None:
        """Return the clock."""
        return self.clock()

    def peek(self, game_id: str) -> tuple[int, str] | None:
        """Return a game's version and its head."""
        with self._lock:
            log = self._games.get(game_id)
            return (log.meta.version, log.meta.head) if log else None

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
        """Read a game; see ``Store.load``."""
        with self._lock:
            kept = self.answer(game_id, answer_id)
            if game_id in self._whole:
                return compaction.opened(self._whole[game_id], game_id).loaded(
                    self.now(),
                    shard_of(game_id) in self._paused,
                    after,
                    limit,
                    (command, formerly),
                    token_hash,
                    kept.box if kept else None,
                )
            log = self._games.get(game_id)
            if log is None:
                return None
            return Loaded(
                self.now(),
                log.meta,
                self._events(log, game_id, after, limit),
                shard_of(game_id) in self._paused,
                log.commands.get(command) or log.commands.get(formerly),
                log.roles.get(token_hash),
                kept.box if kept else None,
            )

    def load_many(self, games: Mapping[str, int]) -> dict[str, Loaded]:
        """Read several games."""
        loaded = {game_id: self.load(game_id, after) for game_id, after in games.items()}
        return {game_id: found for game_id, found in loaded.items() if found is not None}

    def _events(
        self, log: _Log, game_id: str, after: int, limit: int | None
    ) -> tuple[Envelope, ...]:
        place = bisect_right(log.ends, after)
        if place == len(log.ends):
            return ()
        blobs = log.blobs[place:]
        first = log.ends[place - 1] + 1 if place else 1
        previous = packing.head_of(log.blobs[place - 1]) if place else ""
        events = packing.unpack_all(blobs, game_id, first, previous)[after + 1 - first :]
        return tuple(events[:limit])

    def append(self, change: Append) -> Appended:
        """Append or refuse; see ``Store.append``."""
        assert change.events and covers(change.events, change.expected)
        with self._lock:
            self._lay_out(change.game_id)
            log = self._games.get(change.game_id)
            version = log.meta.version if log else 0
            refusal = self._refusal(change, log, version)
            if refusal is not None:
                return refusal
            if log is None:
                log = self._games[change.game_id] = _Log(change.meta)
            self._write(change, log)
            return Appended("appended", change.meta.version, self.now())

    def append_many(self, changes: Sequence[Append]) -> list[Appended]:
        """Append one after the other."""
        return [self.append(change) for change in changes]

    def _refusal(self, change: Append, log: _Log | None, version: int) -> Appended | None:
        if change.answer is not None:
            kept = self.answer(change.game_id, change.answer.id)
            if kept is not None:
                return Appended("duplicate", version, self.now(), None, kept)
        for command in (change.command, change.formerly):
            if log is not None and command in log.commands:
                return Appended("duplicate", version, self.now(), log.commands[command])
        verdict = self._verdict(change, log, version)
        return None if verdict is None else Appended(verdict, version, self.now())

    def _verdict(self, change: Append, log: _Log | None, version: int) -> Verdict | None:
        if change.mode != "system" and shard_of(change.game_id) in self._paused:
            return "paused"
        if version != change.expected or (log and not _holds(change, log)):
            return "conflict"
        deadline = log.meta.deadline if log else None
        overdue = deadline is not None and self.now() > deadline + GRACE
        if change.mode == "command" and overdue:
            return "late"
        return "early" if change.mode == "timeout" and not overdue else None

    def _write(self, change: Append, log: _Log) -> None:
        game_id, last = change.game_id, change.meta.version
        log.meta = change.meta
        log.ends.append(last)
        log.blobs.append(packing.pack(change.events))
        log.commands[change.command] = Record(change.fingerprint, change.expected + 1, last)
        log.roles.update(change.tokens.added)
        dead = {str(seat) for seat in change.tokens.revoked}
        log.roles = {h: r for h, r in log.roles.items() if r.partition(":")[2] not in dead}
        log.to_move = change.to_move
        if change.meta.status in CLOSED:
            self._over[game_id] = self.now()
        self._due.pop(game_id, None)
        if change.meta.deadline is not None:
            self._due[game_id] = change.meta.deadline
        for name in change.listed:
            self._index.setdefault(name, {})[game_id] = change.meta.created
        for name in change.unlisted:
            self._index.get(name, {}).pop(game_id, None)
        self._keep(game_id, change.answer)

    # -- tokens and answers -------------------------------------------------------------------

    def _keep(self, game_id: str, answer: Sealed | None) -> None:
        if answer is not None:
            self._answers[shard_of(game_id), answer.id] = (answer, self.now() + DAY)

    def renew_token(
        self, game_id: str, old_hash: str, new_hash: str, answer: Sealed | None = None
    ) -> Sealed | bool:
        """Replace a seat's token; see ``Store.renew_token``."""
        with self._lock:
            kept = self.answer(game_id, answer.id) if answer else None
            if kept is not None:
                return kept
            self._lay_out(game_id)
            roles = self._games[game_id].roles if game_id in self._games else {}
            if new_hash in roles:
                return True  # this very call, sent again because its answer was lost
            kind, _, seat = roles.get(old_hash, "").partition(":")
            if kind not in ("seat", "creator"):
                return False
            roles[new_hash], roles[old_hash] = roles[old_hash], f"retired:{seat}"
            self._keep(game_id, answer)
            return True

    def answer(self, game_id: str, answer_id: str) -> Sealed | None:
        """Return a sealed answer for a day."""
        sealed, until = self._answers.get((shard_of(game_id), answer_id), (None, 0))
        return sealed if self.now() < until else None

    # -- the list -----------------------------------------------------------------------------

    def page(self, query: Query) -> list[tuple[Millis, str]]:
        """Return the next games that stand in all indexes."""
        with self._lock:
            indexes = [self._index.get(name, {}) for name in query.indexes]
            games = [
                (created, game_id)
                for game_id, created in indexes[0].items()
                if all(game_id in index for index in indexes[1:])
                and query.token_hash in ("", self._mover(game_id))
            ]
        games.sort(reverse=not query.oldest_first)
        after = query.after
        if after is not None:
            oldest = query.oldest_first
            games = [game for game in games if (game > after if oldest else game < after)]
        return games[: query.limit]

    def _mover(self, game_id: str) -> str:
        return self._games[game_id].mover if game_id in self._games else ""

    # -- clocks -------------------------------------------------------------------------------

    def due(self, shard: int, limit: int = 100) -> Due:
        """Return the clocks of one shard."""
        with self._lock:
            games = sorted((d, g) for g, d in self._due.items() if shard_of(g) == shard)[:limit]
            return Due(
                self.now(),
                tuple((game_id, deadline) for deadline, game_id in games),
                shard in self._paused,
                self._watermark,
                self._gaps.get(shard),
            )

    def dues(self, shards: Sequence[int], limit: int = 100) -> list[Due]:
        """Return the clocks of several shards."""
        return [self.due(shard, limit) for shard in shards]

    def next_due(self) -> tuple[Millis, list[Millis | None]]:
        """Return the clock and the next deadline of each shard."""
        first: list[Millis | None] = [None] * SHARDS
        with self._lock:
            for game_id, deadline in self._due.items():
                known = first[shard_of(game_id)]
                first[shard_of(game_id)] = deadline if known is None else min(known, deadline)
            return self.now(), first

    def lease(self, name: str, owner: str, duration: Millis, shard: int = 0) -> bool:
        """Take or keep a lease."""
        with self._lock:
            if self._taken(name, owner, shard):
                return False
            self._leases[shard, name] = (owner, self.now() + duration)
            return True

    def _taken(self, name: str, owner: str, shard: int) -> bool:
        """Say whether somebody else has a lease."""
        holder, until = self._leases.get((shard, name), (owner, 0))
        return holder != owner and self.now() < until

    def claim(self, owner: str, duration: Millis, shards: Sequence[int]) -> list[int]:
        """Claim shards that nobody else sees to."""
        with self._lock:
            free = [
                shard
                for shard in shards
                if shard not in self._paused
                and not self._taken("work", "", shard)
                and not self._taken("claim", owner, shard)
            ]
            for shard in free:
                self._leases[shard, "claim"] = (owner, self.now() + duration)
            return free

    def work(self, owner: str, duration: Millis, shards: Sequence[int]) -> list[int]:
        """Begin, go on or end to work at shards."""
        with self._lock:
            mine = [shard for shard in shards if not self._taken("work", owner, shard)]
            for shard in mine:
                if duration:
                    self._leases.pop((shard, "claim"), None)
                self._leases[shard, "work"] = (owner, self.now() + duration)
            return mine

    def watch(self, outage: Millis) -> None:
        """Write the watermark; a silence longer than ``outage`` leaves a gap."""
        with self._lock:
            seen, now = self._watermark, self.now()
            if now - seen > outage:
                for shard in range(SHARDS):
                    old = self._gaps.get(shard)
                    waiting = [d for g, d in self._due.items() if shard_of(g) == shard]
                    kept = old is not None and bool(waiting) and min(waiting) <= old[1]
                    self._gaps[shard] = (min(seen, old[0]) if old and kept else seen, now)
            self._watermark = now

    def pause(self) -> Millis:
        """Set every shard's flag, keeping those that are set."""
        with self._lock:
            for shard in range(SHARDS):
                self._paused.setdefault(shard, self.now())
            return min(self._paused.values())

    def resume(self, shard: int) -> None:
        """Drop a shard's flag."""
        self._paused.pop(shard, None)

    def paused_since(self, shard: int) -> Millis | None:
        """Return when a shard was paused."""
        return self._paused.get(shard)

    def open_games(self, shard: int) -> list[str]:
        """List the open games of a shard."""
        with self._lock:
            return sorted(
                game_id
                for game_id, log in self._games.items()
                if shard_of(game_id) == shard and log.meta.status not in CLOSED
            )

    def repair(self, game_ids: Sequence[str]) -> int:
        """Make the due index agree with the games' meta."""
        return sum(self._repair(game_id) for game_id in game_ids)

    def _repair(self, game_id: str) -> bool:
        with self._lock:
            deadline = self._games[game_id].meta.deadline if game_id in self._games else None
            wrong = self._due.pop(game_id, None) != deadline
            if deadline is not None:
                self._due[game_id] = deadline
            return wrong

    def count(self, name: str, by: int = 1) -> None:
        """Add to a named count."""
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + by

    def counts(self) -> dict[str, int]:
        """Return all counts that are not zero."""
        return dict(self._counts)

    def check(self) -> list[str]:
        """Find nothing wrong."""
        return []

    # -- copies -------------------------------------------------------------------------------

    def games(self) -> Iterator[str]:
        """Walk all games."""
        yield from [*self._games, *self._whole]

    def dump(self, game_id: str) -> Copy | None:
        """Read everything of a game."""
        with self._lock:
            if game_id in self._whole:
                return compaction.opened(self._whole[game_id], game_id).copy()
            log = self._games.get(game_id)
            if log is None:
                return None
            return Copy(
                game_id,
                log.meta.secret,
                tuple(sorted(log.roles.items())),
                tuple(sorted(log.commands.items(), key=lambda one: one[1].first)),
                self._events(log, game_id, 0, None),
            )

    def restore(self, copy: Copy, meta: Meta, to_move: int, listed: Sequence[str]) -> bool:
        """Write a whole game."""
        with self._lock:
            if copy.game_id in self._games or copy.game_id in self._whole:
                return False
            self._write_whole(copy, meta, to_move)
            if meta.deadline is not None:
                self._due[copy.game_id] = meta.deadline
            for name in listed:
                self._index.setdefault(name, {})[copy.game_id] = meta.created
            return True

    def _write_whole(self, copy: Copy, meta: Meta, to_move: int = 0) -> None:
        blocks = copy.blocks()
        log = _Log(meta, [block[-1]["version"] for block in blocks], [*map(packing.pack, blocks)])
        log.commands, log.roles = dict(copy.commands), dict(copy.roles)
        log.to_move = to_move
        self._games[copy.game_id] = log
        if meta.status in CLOSED:
            self._over[copy.game_id] = self.now()

    # -- games that are over ------------------------------------------------------------------

    def over(self, shard: int, age: Millis, limit: int = 100) -> list[str]:
        """List games of a shard that have been over for so long."""
        with self._lock:
            latest = self.now() - age
            ready = sorted((s, g) for g, s in self._over.items() if shard_of(g) == shard)
            return [game_id for since, game_id in ready[:limit] if since <= latest]

    def compact(self, copy: Copy, meta: Meta, value: bytes) -> bool:
        """Swap a game for one value."""
        with self._lock:
            log = self._games.get(copy.game_id)
            if log is None or log.meta != meta or log.roles != dict(copy.roles):
                return False
            self._whole[copy.game_id] = value
            del self._games[copy.game_id]
            self._over.pop(copy.game_id, None)
            return True

    def leave(self, game_id: str) -> None:
        """Take a game from the list of those that are over."""
        with self._lock:
            self._over.pop(game_id, None)

    def _lay_out(self, game_id: str) -> None:
        """Write a compacted game as it was before."""
        value = self._whole.get(game_id)
        if value is not None:
            game = compaction.opened(value, game_id)
            self._write_whole(game.copy(), game.meta)
            del self._whole[game_id]
