"""Game: the folded aggregate, everything the log says, and nothing it does not say."""

from __future__ import annotations

from msgspec import Struct

from domain.board.geometry import Seat
from domain.board.position import Held, Position, Table
from domain.game.events import Finished
from domain.game.settings import Settings
from domain.rules.turn import Turn


class Chair(Struct, frozen=True):
    """One seat of a game as it stands."""

    seat: Seat
    side: int
    name: str | None = None
    status: str = "free"
    """``free``, ``active`` or ``eliminated``."""
    power: str | None = None
    """The card it was dealt: a key, ``mortal``, or None before and in modes without cards."""
    dealt: Held | None = None
    """The dealt card with its latest state, kept when it is spent, stolen or set aside."""
    consecutive_timeouts: int = 0


class Clock(Struct, frozen=True):
    """The turn that is running: who is to act, in what, until when (milliseconds, epoch)."""

    number: int
    seat: Seat
    kind: str
    deadline: int | None = None


class Game(Struct, frozen=True):
    """A game after ``version`` events. ``NEW`` is the game before its first one."""

    version: int = 0
    settings: Settings = Settings()
    imported: bool = False
    status: str = "open"
    """``open``, ``drafting``, ``placing``, ``playing``, ``finished`` or ``cancelled``."""
    chairs: tuple[Chair, ...] = ()
    creator_seat: Seat | None = None
    start_seat: Seat | None = None
    table: Table | None = None
    position: Position | None = None
    clock: Clock | None = None
    suspended: Clock | None = None
    """The turn an interrupt has stopped (T-50)."""
    turn: Turn | None = None
    """The running turn's rules state; None in draft, setup and placement."""
    line: str = ""
    """Notation of the running turn so far (T-60)."""
    numbered: int = 0
    """Turns started so far, extra ones included."""
    offer: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()
    night_power: str | None = None
    start_power: str | None = None
    lines: tuple[str, ...] = ()
    """Record lines of what is complete (T-62): setup first, then one per turn."""
    key: str | None = None
    """Position key at the start of the running turn (T-73); of the final board at the end."""
    result: Finished | None = None
    next_game: str | None = None


NEW = Game()
