"""What happened: board facts, and the life of a game around them (contract, section 6).

A domain event is an ``Entry``: its data, the seat concerned, who acted, and what it follows from.
Versions, times, hashes and the JSON shape belong to the envelope in ``app.adapters``.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from domain.board.facts import Fact
from domain.board.geometry import Seat
from domain.game.settings import Settings


class Created(Struct, frozen=True):
    """A game exists; the log starts here. ``creator_seat`` is None for a host who does not play."""

    settings: Settings
    imported: bool = False
    creator_seat: Seat | None = None


class Joined(Struct, frozen=True):
    """A seat was taken."""

    seat: Seat
    name: str


class Left(Struct, frozen=True):
    """A seat became free again before the start."""

    seat: Seat


class Started(Struct, frozen=True):
    """All seats are taken: ``powers`` names a key or None for each seat."""

    start_seat: Seat | None
    powers: tuple[str | None, ...]


class Offered(Struct, frozen=True):
    """The server laid out cards; not ``final``: the set a ``limited`` offer is built from."""

    powers: tuple[str, ...]
    final: bool


class TurnStarted(Struct, frozen=True):
    """A turn, draft decision, setup choice, placement or interrupt began.

    ``deadline`` is in milliseconds since the epoch, or None without a clock.
    """

    seat: Seat
    number: int
    kind: str
    deadline: int | None


class TurnEnded(Struct, frozen=True):
    """It closed; ``explicit`` when an ``end`` step closed it."""

    seat: Seat
    number: int
    kind: str
    explicit: bool = False


class Passed(Struct, frozen=True):
    """A seat declined one offered step."""

    seat: Seat


class StepCancelled(Struct, frozen=True):
    """A step met what its seat could not know (P-39): the step's line and the square announced."""

    seat: Seat
    step: str
    square: str


class Resigned(Struct, frozen=True):
    """A seat gave up (C-34)."""

    seat: Seat


class Cancelled(Struct, frozen=True):
    """The creator called the game off before its start."""


class TimedOut(Struct, frozen=True):
    """The clock of a seat ran out for the ``count``-th time in a row (C-37)."""

    seat: Seat
    count: int


class ClockRestarted(Struct, frozen=True):
    """The running turn has a new deadline (milliseconds since the epoch)."""

    seat: Seat
    deadline: int | None
    reason: str


class Eliminated(Struct, frozen=True):
    """A side left a game of three or more sides (C-41)."""

    seats: tuple[Seat, ...]
    reason: str


class Loser(Struct, frozen=True):
    """A losing seat and why it lost."""

    seat: Seat
    reason: str


class Finished(Struct, frozen=True):
    """The game is over."""

    winners: tuple[Seat, ...]
    reason: str
    losers: tuple[Loser, ...]


class RematchCreated(Struct, frozen=True):
    """The next game with the same settings exists."""

    game_id: str


Life: TypeAlias = (
    Created
    | Joined
    | Left
    | Started
    | Offered
    | TurnStarted
    | TurnEnded
    | Passed
    | StepCancelled
    | Resigned
    | Cancelled
    | TimedOut
    | ClockRestarted
    | Eliminated
    | Finished
    | RematchCreated
)
Data: TypeAlias = Fact | Life

PLAYER = "player"
SERVER = "server"


class Entry(Struct, frozen=True):
    """One domain event.

    ``back`` says how many entries earlier the one stands that it follows from; 0 is a choice of
    its own (contract: ``cause``). ``hidden`` holds the facts that only some seats may know of
    (contract, section 6, *Secrets*); ``nonce`` is set when anything in the entry is secret.
    """

    data: Data
    seat: Seat | None = None
    actor: str = PLAYER
    back: int = 0
    hidden: tuple[Fact, ...] | None = None
    nonce: str = ""

    @property
    def chosen(self) -> bool:
        """Say whether somebody chose this, rather than a rule having caused it."""
        return self.back == 0
