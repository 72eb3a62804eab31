"""What an event store promises; Redis and memory keep it alike (tests hold them to it)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias
from zlib import crc32

from msgspec import Struct

Envelope: TypeAlias = dict[str, Any]
"""An event as served (contract, section 6)."""
Millis: TypeAlias = int

SHARDS = 64
GRACE: Millis = 250
"""Never shown; added to a deadline when it is judged, for the way to the store."""
DAY: Millis = 86_400_000

Mode = Literal["command", "timeout", "system"]
"""How a deadline binds an append: ``command`` must not come after it, ``timeout`` not before;
``system`` ignores it, and a pause too."""
Verdict = Literal["appended", "duplicate", "paused", "conflict", "late", "early"]


class StoreUnavailable(Exception):
    """The store did not answer in time; what was asked may or may not have happened."""


def shard_of(name: str) -> int:
    """Return the shard, 0..63, of a game id (or of any other name that needs one)."""
    return crc32(name.encode()) % SHARDS


class Meta(Struct, frozen=True):
    """What the store keeps of a game beside its log; every member follows from the log, but
    ``secret``, which seeds the dice of automatic moves."""

    version: int
    head: str
    """Hash of the last event."""
    status: str
    deadline: Millis | None
    visibility: str
    created: Millis
    updated: Millis
    secret: str


class Record(Struct, frozen=True):
    """The command that appended events ``first`` to ``last``, and what it asked."""

    fingerprint: str
    first: int
    last: int


class Loaded(Struct, frozen=True):
    """One reading of a game, all of the same moment."""

    now: Millis
    """The store's own clock."""
    meta: Meta
    events: tuple[Envelope, ...] = ()
    paused: bool = False
    record: Record | None = None
    """The command that was asked about, if the log has it."""
    role: str | None = None
    """What the token asked about is in this game (``Roles``)."""
    answer: bytes | None = None
    """The sealed answer asked about, while it is kept."""
    compacted: bool = False
    """Whether the game is kept as one value; nothing else tells."""


class Tokens(Struct, frozen=True):
    """Changes to the tokens of a game: hashes to roles, and seats whose tokens die.

    A role is ``seat:N``, ``creator:N`` (a seat's token that may also cancel), ``host``,
    ``invite``, or ``retired:N`` (replaced; it can only repeat the replacing request).
    """

    added: Mapping[str, str] = {}
    revoked: tuple[int, ...] = ()


class Sealed(Struct, frozen=True):
    """A first answer that holds a token: readable only with the key of its request.

    ``id`` is a hash of the request's key; ``shard`` is where it lives, that of its game.
    """

    id: str
    fingerprint: str
    box: bytes


class Append(Struct, frozen=True):
    """One atomic change of one game: its events and everything that follows from them."""

    game_id: str
    expected: int
    """The version the events were decided on; 0 creates the game."""
    events: tuple[Envelope, ...]
    command: str
    """Id of the command; a second append of the same id is a ``duplicate``."""
    fingerprint: str
    meta: Meta
    """The game's meta after the events."""
    mode: Mode = "command"
    to_move: int = 0
    """The seat to act, whose token finds the game in the list; 0 for none."""
    listed: tuple[str, ...] = ()
    """Listing indexes to enter; see ``listing_of``."""
    unlisted: tuple[str, ...] = ()
    """Listing indexes to leave."""
    tokens: Tokens = Tokens()
    answer: Sealed | None = None
    formerly: str = ""
    """What an earlier release would have called the command: known, it is a ``duplicate``."""
    token_hash: str = ""
    role: str = ""
    """What the decision took for granted: the token's role. With another it is a ``conflict``."""

    @property
    def previous(self) -> str:
        """Hash of the event the first one follows, empty for a new game."""
        return str(self.events[0]["prev_hash"]) if self.expected else ""


class Appended(Struct, frozen=True):
    """What became of an append. ``version`` is the game's, 0 when there is no such game."""

    verdict: Verdict
    version: int
    now: Millis
    record: Record | None = None
    """Of a duplicate: the command as first recorded."""
    answer: Sealed | None = None
    """Of a duplicate: the answer as first sealed, while it is kept."""


class Copy(Struct, frozen=True):
    """Everything of a game that does not follow from its log, and the log: for backups."""

    game_id: str
    secret: str
    roles: tuple[tuple[str, str], ...]
    """Token hashes and their roles, sorted."""
    commands: tuple[tuple[str, Record], ...]
    """Command ids and what they appended, in order; together all of the log."""
    events: tuple[Envelope, ...]

    def blocks(self) -> list[Sequence[Envelope]]:
        """Return the events append by append."""
        return [self.events[record.first - 1 : record.last] for _, record in self.commands]

    def mover(self, seat: int) -> str:
        """Return the hash of the token of a seat, empty when it has none."""
        wanted = (f"seat:{seat}", f"creator:{seat}")
        return next((hash_ for hash_, role in self.roles if role in wanted), "")


class Query(Struct, frozen=True):
    """A page of the list: games in *all* these indexes, beyond ``after``."""

    indexes: tuple[str, ...] = ("all",)
    oldest_first: bool = False
    limit: int = 20
    after: tuple[Millis, str] | None = None
    """Creation time and id of the last game seen."""
    token_hash: str = ""
    """Only games in which the seat of this token is to act."""


class Due(Struct, frozen=True):
    """What one shard says of its clocks."""

    now: Millis
    games: tuple[tuple[str, Millis], ...]
    """Games by deadline, the oldest first."""
    paused: bool
    watermark: Millis
    """When a sweeper last watched this shard; 0 for never."""
    gap: tuple[Millis, Millis] | None
    """The latest time without any sweeper: from when to when."""


class Store(Protocol):
    """Logs of events, with what must change together with them. All may raise
    ``StoreUnavailable``; everything else is in the answers."""

    def now(self) -> Millis:
        """Return the store's clock."""
        ...

    def heard(self, game_id: str) -> Millis | None:
        """Return the store's clock where a game lives without asking it, as last heard and gone
        on since: never ahead of it. None when nothing was heard for a while."""
        ...

    def peek(self, game_id: str) -> tuple[int, str] | None:
        """Return a game's version and the hash of its last event, as cheaply as can be.

        None when there is no such game, or when ``load`` must tell.
        """
        ...

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
        """Read a game and its events after version ``after``, at most ``limit`` of them.

        ``command``, ``token_hash`` and ``answer_id`` ask for what is known of them; ``formerly``
        is what an earlier release may have called the command. None when there is no such game.
        """
        ...

    def load_many(self, games: Mapping[str, int]) -> dict[str, Loaded]:
        """Read several games at once: ids and the versions after which to read events.

        Games that do not exist are left out.
        """
        ...

    def append(self, change: Append) -> Appended:
        """Append events and all that follows from them, or nothing at all.

        Checked in this order, before anything is written: ``duplicate``, ``paused``,
        ``conflict`` (another version, another last event, another role of the token), ``late``
        or ``early``.
        """
        ...

    def append_many(self, changes: Sequence[Append]) -> list[Appended]:
        """Append to several games, as ``append`` does to each; every one is atomic by itself.

        When it raises, some may have been applied and others not: send all of them again.
        """
        ...

    def renew_token(
        self, game_id: str, old_hash: str, new_hash: str, answer: Sealed | None = None
    ) -> Sealed | bool:
        """Replace a seat's token; the old one becomes ``retired``.

        True when done, False when the old one is no seat's token, the first answer when the
        request was made before.
        """
        ...

    def answer(self, game_id: str, answer_id: str) -> Sealed | None:
        """Return a sealed answer of a game's shard, while it is kept."""
        ...

    def page(self, query: Query) -> list[tuple[Millis, str]]:
        """Return creation times and ids of listed games, at most ``query.limit``, in order."""
        ...

    def due(self, shard: int, limit: int = 100) -> Due:
        """Return the clocks of one shard, overdue or not, the oldest deadline first."""
        ...

    def dues(self, shards: Sequence[int], limit: int = 100) -> list[Due]:
        """Return the clocks of several shards, in order, at most ``limit`` games of each."""
        ...

    def next_due(self) -> tuple[Millis, list[Millis | None]]:
        """Return the store's clock and the next deadline of each shard."""
        ...

    def claim(self, owner: str, duration: Millis, shards: Sequence[int]) -> list[int]:
        """Claim shards for a job that is to be made; return those that nobody else sees to.

        Left out are paused ones, those at which somebody is at work, and those another owner
        has claimed and nobody has begun to work at since. ``owner`` names one claim, not a
        process.
        """
        ...

    def work(self, owner: str, duration: Millis, shards: Sequence[int]) -> list[int]:
        """Begin or go on to work at shards, which fulfils the claims; return one's own.

        A duration of 0 ends the work.
        """
        ...

    def lease(self, name: str, owner: str, duration: Millis, shard: int = 0) -> bool:
        """Take or keep a named lease of a shard; False while somebody else has it."""
        ...

    def watch(self, outage: Millis) -> None:
        """Write the watermark of every shard; a silence longer than ``outage`` leaves a gap."""
        ...

    def pause(self) -> Millis:
        """Refuse appends from now on; return when the pause began."""
        ...

    def resume(self, shard: int) -> None:
        """Let one shard go on."""
        ...

    def paused_since(self, shard: int) -> Millis | None:
        """Return when a shard was paused, None while it is not."""
        ...

    def open_games(self, shard: int) -> list[str]:
        """List the games of a shard that are neither finished nor cancelled."""
        ...

    def repair(self, game_ids: Sequence[str]) -> int:
        """Make the due index agree with the games' own deadlines; count where it did not."""
        ...

    def count(self, name: str, by: int = 1) -> None:
        """Add to a named count that all processes share."""
        ...

    def counts(self) -> dict[str, int]:
        """Return all counts that are not zero."""
        ...

    def check(self) -> list[str]:
        """Name every setting of the server that endangers the log; empty when all is well."""
        ...

    def over(self, shard: int, age: Millis, limit: int = 100) -> list[str]:
        """List games of a shard that have been over for ``age``, longest first.

        Those that are compacted already, or were left alone, are not among them.
        """
        ...

    def compact(self, copy: Copy, meta: Meta, value: bytes) -> bool:
        """Put one value (``compaction.compact``) in the place of a game that is over.

        False, and nothing done, unless the game is just as copied. Readings are the same as
        before; what changes the game lays it out again first.
        """
        ...

    def leave(self, game_id: str) -> None:
        """Take a game from the list of those that are over; it stays as it is."""
        ...

    def games(self) -> Iterator[str]:
        """Walk the ids of all games, whatever their status and visibility; slow, for backups.

        A game that is compacted meanwhile may be missed: walk twice to have them all.
        """
        ...

    def dump(self, game_id: str) -> Copy | None:
        """Read everything of one game, None when there is none."""
        ...

    def restore(self, copy: Copy, meta: Meta, to_move: int, listed: Sequence[str]) -> bool:
        """Write a whole game under its old id; False, and nothing done, when there is one."""
        ...


def covers(events: Sequence[Envelope], expected: int) -> bool:
    """Say whether events are numbered on from ``expected`` without a gap."""
    return [e["version"] for e in events] == list(range(expected + 1, expected + 1 + len(events)))
