"""Turn: a turn in progress, small and hashable; equal turns have equal futures."""

from __future__ import annotations

from msgspec import Struct

from domain.board.geometry import Crew, Seat, Side, Square, Worker
from domain.board.position import Position
from domain.rules.step import Step


class Arrival(Struct, frozen=True):
    """One move as the turn remembers it (T-24 .. T-29): who, from where, to where, how steep."""

    worker: Worker
    origin: Square
    target: Square
    rise: int


class Raised(Struct, frozen=True):
    """One chosen build of this turn: the builder, its square, the site, the piece."""

    worker: Worker
    origin: Square
    at: Square
    dome: bool
    height: int
    """Height of the site before the build."""


class Outcome(Struct, frozen=True):
    """How a turn ended the game, or a side's part in it.

    ``winner`` is a side or 0. ``losers`` are sides that lose now (abyss, Maenads); ``reason`` is
    ``climb``, ``power`` or ``lose_condition``.
    """

    winner: Side = 0
    losers: tuple[Side, ...] = ()
    reason: str = ""


class Turn(Struct, frozen=True):
    """A partial turn. ``opening`` is the table as it began (S1 and S2 done, T-73)."""

    seat: Seat
    kind: str
    opening: Position
    position: Position
    first: Arrival | None = None
    moves: tuple[Arrival, ...] = ()
    """The latest move of each worker that moved, the most recent one last (T-29)."""
    moved: Crew = 0
    climbed: bool = False
    descended: bool = False
    builds: tuple[Raised, ...] = ()
    other: tuple[Step, ...] = ()
    """Chosen steps that are neither moves nor builds, in order."""
    fallen: tuple[tuple[Worker, Square], ...] = ()
    """Workers removed in this turn and where they stood."""
    fresh: str = ""
    """The kind of the latest chosen step: ``move``, ``build``, ``other`` or nothing yet."""
    asked: Seat = 0
    """The seat an interrupt asks (T-50); 0 when nobody is asked."""
    closed: bool = False
    outcome: Outcome | None = None
    again: Crew = 0
    """The workers that have moved more than once."""
    cut: bool = False
    """Whether a step met a secret, so that the rest of the turn is lost (P-39)."""

    @property
    def side(self) -> Side:
        """The side of the active seat."""
        return self.position.table.side(self.seat)

    @property
    def last(self) -> Arrival | None:
        """The most recent move, or None."""
        return self.moves[-1] if self.moves else None

    @property
    def over(self) -> bool:
        """Whether nothing more can be played in this turn."""
        return self.closed or self.outcome is not None
