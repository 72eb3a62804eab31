"""What is asked of a game: one value per request, already free of HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct

from domain.board.geometry import Seat
from domain.game.settings import Settings
from domain.rules.step import Step

T = TypeVar("T")


class Dice(Protocol):
    """Chance, handed in from outside; what it decides leaves as events (T-52)."""

    def choice(self, options: Sequence[T]) -> T:
        """Pick one of the options, which are not empty."""
        ...

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order."""
        ...

    def nonce(self) -> str:
        """Return 128 random bits as hex."""
        ...


class Create(Struct, frozen=True):
    """Open a game; the creator may take a seat at once."""

    settings: Settings
    seat: Seat | None = 1
    name: str | None = None


class Join(Struct, frozen=True):
    """Take a free seat; the lowest one when none is named."""

    seat: Seat | None = None
    name: str | None = None


class Leave(Struct, frozen=True):
    """Give a seat back before the start."""

    seat: Seat


class Cancel(Struct, frozen=True):
    """Call the game off before its start."""


class Play(Struct, frozen=True):
    """Play steps of the own turn, all or nothing."""

    seat: Seat
    steps: tuple[Step, ...]


class PlayNotation(Struct, frozen=True):
    """Play a piece of a turn line (T-60); bracketed events are checked when given."""

    seat: Seat
    line: str


class Resign(Struct, frozen=True):
    """Give up, on or off turn (C-34)."""

    seat: Seat


class TimeOut(Struct, frozen=True):
    """The deadline has passed: the server plays for the seat to act (C-36 .. C-40)."""


class RestartClock(Struct, frozen=True):
    """Give the running turn a fresh deadline: ``outage`` or ``resumed``."""

    reason: str
    deadline: int | None = None
    """Milliseconds since the epoch; None asks for now plus ``turn_seconds``."""


class LinkRematch(Struct, frozen=True):
    """Record which game follows this one."""

    game_id: str


Command: TypeAlias = (
    Create
    | Join
    | Leave
    | Cancel
    | Play
    | PlayNotation
    | Resign
    | TimeOut
    | RestartClock
    | LinkRematch
)
