"""The ledger: games folded from their logs, and decisions written back as events."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.adapters import chain, codec, times
from app.adapters.metrics import counted
from app.adapters.store import (
    GRACE,
    Append,
    Appended,
    Envelope,
    Loaded,
    Meta,
    Mode,
    Sealed,
    Store,
    Tokens,
)
from app.services import listing
from app.services.tokens import token_hash
from app.services.types import Millis, Recorded, Snapshot
from domain.game.errors import Refusal
from domain.game.events import Entry
from domain.game.evolve import evolve
from domain.game.state import NEW, Game

BLANK = Snapshot("", NEW, "", 0, 0)


class Opened(Struct, frozen=True):
    """A game as loaded: folded, with the store's clock and what was asked about."""

    snapshot: Snapshot
    loaded: Loaded
    recalled: bool = False
    """Whether this is what the process remembers, not what the store has said just now."""

    @property
    def game(self) -> Game:
        """The game."""
        return self.snapshot.game

    @property
    def at(self) -> Millis:
        """The time of whatever is decided now; it never runs backwards within a log."""
        return max(self.loaded.now, self.snapshot.updated_at)

    @property
    def overdue(self) -> bool:
        """Whether the running deadline and its grace have passed."""
        deadline = self.loaded.meta.deadline
        return deadline is not None and self.loaded.now > deadline + GRACE


class _Known(Struct, frozen=True):
    """What the process remembers beside a game: a token's role, and the game's secret."""

    role: str
    secret: str


SEATS = 4
"""Tokens remembered for each game: one for each seat of the largest table."""


class Written(Struct, frozen=True):
    """What became of a decision; ``snapshot`` and ``events`` when it was appended."""

    answer: Appended
    snapshot: Snapshot
    events: tuple[Recorded, ...]


class Draft(Struct, frozen=True):
    """A decision made ready to be appended, and what will be when it is."""

    change: Append
    after: Snapshot
    events: tuple[Recorded, ...]


class Ledger:
    """Loads, folds, caches and appends. One for each process; safe to use from many threads."""

    def __init__(
        self,
        store: Store,
        capacity: int = 1024,
        announce: Callable[[str, int], None] | None = None,
    ) -> None:
        """Keep at most ``capacity`` folded games; tell ``announce`` of every append made here."""
        self.store = store
        self._announce = announce
        self._capacity = capacity
        self._games: OrderedDict[str, Snapshot] = OrderedDict()
        self._roles: OrderedDict[tuple[str, str], _Known] = OrderedDict()
        self._lock = Lock()

    def open(
        self,
        game_id: str,
        *,
        command: str = "",
        formerly: str = "",
        token: str | None = None,
        answer: str = "",
    ) -> Opened:
        """Load a game as it is now, reading only the events not folded yet.

        Raises:
            Refusal: ``not_found``.
        """
        known = self._known(game_id)
        asked: dict[str, Any] = {
            "command": command,
            "formerly": formerly,
            "token_hash": token_hash(token),
            "answer_id": answer,
        }
        loaded = self.store.load(game_id, known.version, **asked)
        if loaded is not None and not _continues(known, loaded):
            # The store lost its latest moments in a failover: begin again with what it has.
            known = BLANK
            loaded = self.store.load(game_id, 0, **asked)
        if loaded is None:
            raise not_found()
        snapshot = folded(recorded(loaded.events), known)
        self._keep(snapshot)
        if token is not None:
            self._note(game_id, asked["token_hash"], loaded)
        return Opened(snapshot, loaded)

    def glance(self, game_id: str) -> Snapshot | None:
        """Return a game if it is still as this process knows it, asking for no more than that."""
        known = self._known(game_id)
        seen = self.store.peek(game_id) if known.version else None
        return known if seen == (known.version, known.log_hash) else None

    def recall(self, game_id: str, token: str | None) -> Opened | None:
        """Return a game as this process remembers it, for a decision that an append then checks.

        A decision on it is as good as any when it is appended: that fails when the game has moved
        on or the token has another role by now. A refusal on it means nothing. None when too
        little is remembered.
        """
        hash_ = token_hash(token)
        now = self.store.heard(game_id)
        with self._lock:
            snapshot = self._games.get(game_id)
            known = self._roles.get((game_id, hash_))
        if now is None or snapshot is None or known is None:
            return None
        loaded = Loaded(now, meta_of(snapshot, known.secret), role=known.role)
        return Opened(snapshot, loaded, recalled=True)

    def _note(self, game_id: str, hash_: str, loaded: Loaded) -> None:
        """Remember what a token is in a game."""
        with self._lock:
            if loaded.role is None:
                self._roles.pop((game_id, hash_), None)
                return
            self._roles[game_id, hash_] = _Known(loaded.role, loaded.meta.secret)
            self._roles.move_to_end((game_id, hash_))
            while len(self._roles) > self._capacity * SEATS:
                self._roles.popitem(last=False)

    def snapshots(self, game_ids: Sequence[str]) -> tuple[Snapshot, ...]:
        """Return several games as they are now, in order; those that do not exist are left out."""
        return tuple(opened.snapshot for opened in self.open_many(game_ids))

    def open_many(self, game_ids: Sequence[str]) -> list[Opened]:
        """Load several games at once, in order; those that do not exist are left out."""
        known = {game_id: self._known(game_id) for game_id in game_ids}
        loaded = self.store.load_many({i: snapshot.version for i, snapshot in known.items()})
        found = []
        for game_id, read in loaded.items():
            if _continues(known[game_id], read):
                snapshot = folded(recorded(read.events), known[game_id])
                self._keep(snapshot)
                found.append(Opened(snapshot, read))
            else:
                found.append(self.open(game_id))
        return found

    def past(self, game_id: str, version: int) -> tuple[Snapshot, tuple[Recorded, ...]]:
        """Return a game as it stood after event ``version``, and all events up to it."""
        loaded = self.store.load(game_id, 0, limit=version)
        if loaded is None or len(loaded.events) < version:
            raise not_found()
        events = recorded(loaded.events)
        return folded(events), events

    def commit(
        self,
        opened: Opened,
        entries: Sequence[Entry],
        command: str,
        *,
        fingerprint: str = "",
        mode: Mode = "command",
        tokens: Tokens = Tokens(),
        answer: Sealed | None = None,
        formerly: str = "",
        token: str | None = None,
    ) -> Written:
        """Append the entries of one decision to the game it was made on.

        With a ``token`` only while it is what it was when the game was opened.
        """
        bodies = _bodies(opened, entries, command)
        draft = _draft(opened, bodies, command, fingerprint, mode, tokens, answer, entries)
        role = opened.loaded.role
        if token is not None and role is not None:
            premises = {"formerly": formerly, "token_hash": token_hash(token), "role": role}
            draft = replace(draft, change=replace(draft.change, **premises))
        return self.append(draft)

    def write(
        self,
        opened: Opened,
        bodies: Iterable[Envelope],
        command: str,
        *,
        fingerprint: str = "",
        mode: Mode = "command",
        tokens: Tokens = Tokens(),
        answer: Sealed | None = None,
    ) -> Written:
        """Chain and append envelopes without hashes."""
        return self.append(_draft(opened, bodies, command, fingerprint, mode, tokens, answer))

    def draft(self, opened: Opened, entries: Sequence[Entry], command: str, mode: Mode) -> Draft:
        """Make a decision ready to be appended with others."""
        bodies = _bodies(opened, entries, command)
        return _draft(opened, bodies, command, "", mode, entries=entries)

    def append(self, draft: Draft) -> Written:
        """Append a decision."""
        return self._written(draft, self.store.append(draft.change))

    def append_many(self, drafts: Sequence[Draft]) -> list[Written]:
        """Append decisions about several games at once, each atomic by itself; in order."""
        told = self.store.append_many([draft.change for draft in drafts])
        return [self._written(*pair) for pair in zip(drafts, told, strict=True)]

    def _written(self, draft: Draft, appended: Appended) -> Written:
        counted(appended.verdict).inc()
        if appended.verdict == "appended":
            self._keep(draft.after)
            if self._announce is not None:
                self._announce(draft.change.game_id, draft.after.version)
        return Written(appended, draft.after, draft.events)

    def _known(self, game_id: str) -> Snapshot:
        with self._lock:
            snapshot = self._games.get(game_id, BLANK)
            if snapshot is not BLANK:
                self._games.move_to_end(game_id)
            return snapshot

    def _keep(self, snapshot: Snapshot) -> None:
        with self._lock:
            self._games[snapshot.game_id] = snapshot
            self._games.move_to_end(snapshot.game_id)
            while len(self._games) > self._capacity:
                self._games.popitem(last=False)


def _bodies(opened: Opened, entries: Sequence[Entry], command: str) -> list[Envelope]:
    """Write a decision's entries as envelopes without hashes."""
    before = opened.snapshot
    return [
        codec.body_of(entry, before.game_id, version, opened.at, command)
        for version, entry in enumerate(entries, before.version + 1)
    ]


def _draft(
    opened: Opened,
    bodies: Iterable[Envelope],
    command: str,
    fingerprint: str,
    mode: Mode,
    tokens: Tokens = Tokens(),
    answer: Sealed | None = None,
    entries: Sequence[Entry] | None = None,
) -> Draft:
    """Chain envelopes to a game's log, and work out all that follows from them.

    ``entries`` are what the envelopes were written of, where that is known.
    """
    before = opened.snapshot
    envelopes = tuple(chain.link(bodies, before.log_hash))
    events = recorded(envelopes) if entries is None else _paired(envelopes, entries)
    after = folded(events, before)
    listed, unlisted = listing.changed(before.game, after.game)
    clock = after.game.clock
    change = Append(
        before.game_id,
        before.version,
        envelopes,
        command,
        fingerprint,
        meta_of(after, opened.loaded.meta.secret),
        mode,
        clock.seat if clock is not None else 0,
        listed,
        unlisted,
        tokens,
        answer,
    )
    return Draft(change, after, events)


def blank(game_id: str, now: Millis, secret: str) -> Opened:
    """Return a game that does not exist yet, to decide its creation on."""
    meta = Meta(0, "", "open", None, "", now, now, secret)
    return Opened(Snapshot(game_id, NEW, "", now, now), Loaded(now, meta))


def folded(events: Iterable[Recorded], start: Snapshot = BLANK) -> Snapshot:
    """Fold events on to a snapshot."""
    game, last = start.game, None
    created = start.created_at
    for last in events:
        game = evolve(game, last.entry)
        if last.version == 1:
            created = times.read(last.body["at"])
    if last is None:
        return start
    body = last.body
    return Snapshot(body["game_id"], game, body["hash"], created, times.read(body["at"]))


def recorded(events: Iterable[Envelope]) -> tuple[Recorded, ...]:
    """Pair envelopes with their entries."""
    return tuple(Recorded(event["version"], codec.entry_of(event), event) for event in events)


def _paired(events: Iterable[Envelope], entries: Iterable[Entry]) -> tuple[Recorded, ...]:
    """Pair envelopes with the entries they were written of; ``recorded`` would read the same."""
    pairs = zip(events, entries, strict=True)
    return tuple(Recorded(event["version"], entry, event) for event, entry in pairs)


def not_found(detail: str = "There is no such game.") -> Refusal:
    """Return the refusal of what does not exist, or may not be known to exist."""
    return Refusal("not_found", detail)


def _continues(known: Snapshot, loaded: Loaded) -> bool:
    if known.version == 0:
        return True
    if not loaded.events:
        return (loaded.meta.version, loaded.meta.head) == (known.version, known.log_hash)
    first: dict[str, Any] = loaded.events[0]
    return bool(first["prev_hash"] == known.log_hash)


def meta_of(snapshot: Snapshot, secret: str) -> Meta:
    """Return what the store keeps of a game beside its log."""
    game = snapshot.game
    return Meta(
        game.version,
        snapshot.log_hash,
        game.status,
        game.clock.deadline if game.clock is not None else None,
        game.settings.visibility,
        snapshot.created_at,
        snapshot.updated_at,
        secret,
    )
