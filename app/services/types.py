"""What the use cases take and answer: plain values, free of HTTP and of the store."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from domain.board.geometry import Seat
from domain.game.events import Entry
from domain.game.state import Game

Millis: TypeAlias = int
"""Milliseconds since the epoch, by the store's clock."""


class Submission(Struct, frozen=True):
    """How a command arrived: what makes it recognisable when it is sent again.

    ``path`` is the request's path, ``key`` its ``Idempotency-Key`` or None, ``body`` the bytes
    two requests must share to be the same one.
    """

    path: str = ""
    key: str | None = None
    body: bytes = b""


class Expected(Struct, frozen=True):
    """What the caller believes the game's version to be.

    A stale ``version`` is ``version_conflict``; a version not in ``if_match`` is
    ``precondition_failed``. None asks for nothing.
    """

    version: int | None = None
    if_match: frozenset[int] | None = None


ANY_VERSION = Expected()


class Caller(Struct, frozen=True):
    """Who a token makes of its bearer in one game; both members empty for a spectator."""

    seat: Seat | None = None
    host: bool = False
    creator: bool = False
    """Whether the bearer created the game and may call it off before its start."""
    token_hash: str = ""

    @property
    def known(self) -> bool:
        """Whether the bearer showed a token of this game."""
        return bool(self.token_hash)


SPECTATOR = Caller()


class Snapshot(Struct, frozen=True):
    """A game after ``game.version`` events, with what only its envelopes tell."""

    game_id: str
    game: Game
    log_hash: str
    """Hash of the last event: ``sha256:`` and 64 hex digits."""
    created_at: Millis
    updated_at: Millis

    @property
    def version(self) -> int:
        """Number of events folded into this snapshot."""
        return self.game.version


class Recorded(Struct, frozen=True):
    """One event of a log: the domain's entry and the envelope as stored, secrets included."""

    version: int
    entry: Entry
    body: dict[str, Any]


class Reading(Struct, frozen=True):
    """A game and what its reader is in it. ``head`` is the newest version of the log."""

    snapshot: Snapshot
    caller: Caller = SPECTATOR
    head: int = 0
    current: Game | None = None
    """The game as it is now, which decides what is still secret in an old version."""


class EventPage(Struct, frozen=True):
    """A slice of a log; ``more`` says whether events follow it."""

    events: tuple[Recorded, ...]
    snapshot: Snapshot
    caller: Caller = SPECTATOR
    more: bool = False


class Answer(Struct, frozen=True):
    """What a command did: the game after it and exactly the events it appended."""

    snapshot: Snapshot
    events: tuple[Recorded, ...]
    caller: Caller = SPECTATOR
    replayed: bool = False
    """Whether this is the first answer to an earlier request with the same key."""


class Seated(Struct, frozen=True):
    """The answer to create, join and a new token; ``seat`` is None for a host."""

    snapshot: Snapshot
    seat: Seat | None
    token: str
    invite: str | None = None
    replayed: bool = False
    """Whether this is the first answer to an earlier request with the same key."""
    created: bool = True
    """False for who calls for a rematch that somebody else had called for."""

    @property
    def caller(self) -> Caller:
        """What the bearer of the new token is in this game."""
        return Caller(self.seat, self.seat is None, False, "new")


class Verification(Struct, frozen=True):
    """What re-checking a whole log found (contract, section 2)."""

    ok: bool
    version: int
    log_hash: str
    first_bad_version: int | None = None
    problem: str | None = None


STATUSES = ("open", "drafting", "placing", "playing", "finished", "cancelled")
"""What a game can be, from the first to the last."""


class GameQuery(Struct, frozen=True):
    """Which public games to list; empty members do not restrict."""

    status: str | None = None
    variant: str | None = None
    player: str | None = None
    power: str | None = None
    to_move: str | None = None
    """A bearer token: only games in which its seat is to act."""
    oldest_first: bool = False
    limit: int = 20
    cursor: str | None = None


class GamePage(Struct, frozen=True):
    """Games in the order asked for, and the cursor of the next page or None at the end."""

    games: tuple[Snapshot, ...]
    next_cursor: str | None = None
