"""Game: the folded aggregate, everything the log says, and nothing it does not say."""

from __future__ import annotations

from msgspec import Struct

import domain.powers  # noqa: F401  (fills the registry)
from domain.board.geometry import Seat
from domain.board.position import Held, Position, Table
from domain.game.events import Finished, Loser
from domain.game.settings import Settings
from domain.rules.keys import EVERYTHING, position_key
from domain.rules.power import extra_kinds
from domain.rules.turn import Turn

RAM = "ram"
"""The Ram's token (V-4)."""
ALL = "all"
"""The viewer from whom nothing is hidden."""
EXTRA_KINDS: tuple[str, ...] = extra_kinds()
"""Extra turns, optional as a whole (T-45)."""
TURN_KINDS: tuple[str, ...] = ("normal", *EXTRA_KINDS)
"""Kinds of whole turns; the other kinds are ``draft``, ``setup``, ``placement``, ``interrupt``."""


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
    left: int | None = None
    """Milliseconds it had left when an interrupt stopped it (C-35); None while it runs."""


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
    by_clock: bool = False
    """The running turn is being played or completed by the clock (T-60, suffix ``%``)."""
    challenger: Seat | None = None
    """The Challenger or first seat of a draft (C-51, C-53)."""
    ram_power: str | None = None
    """The power that lies beside the Ram (V-4), from the moment it is known."""
    prepared: tuple[tuple[str, Seat], ...] = ()
    """Setup choices and placements that are complete: (kind, seat), in order (core section 9)."""
    shuffles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Every order a deck was shuffled into, with its power's key; secret until the end (T-51)."""
    chosen_at: int = 0
    """Version of the latest choice: what follows from it names it as its cause."""
    losers: tuple[Loser, ...] = ()
    """Seats eliminated so far, in order (C-41)."""
    ended: Clock | None = None
    """At the end of the game: the turn that was running, or whose seat lost before it began."""
    result: Finished | None = None
    next_game: str | None = None

    @property
    def key(self) -> str | None:
        """The position key with every secret shown (T-70); None before the first turn."""
        return self.key_for(ALL)

    def key_for(self, viewer: Seat | str | None) -> str | None:
        """Return the key at the start of the running turn, at the end of the final board (T-73).

        ``viewer`` is a seat, None for the public, or ``"all"``; secrets of others are ``?`` (T-74).
        """
        eyes = EVERYTHING if isinstance(viewer, str) else viewer
        if self.ended is not None and self.position is not None:
            kind = self.ended.kind if self.ended.kind in TURN_KINDS else "normal"
            return position_key(self.position, self.ended.seat, kind, eyes)
        if self.turn is not None:
            return position_key(self.turn.opening, self.turn.seat, self.turn.kind, eyes)
        return None


NEW = Game()
