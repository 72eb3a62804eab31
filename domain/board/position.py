"""The table: blocks, domes, workers, powers in play and tokens, with the common queries."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from msgspec import Struct

from domain.board.geometry import (
    BITS,
    EVERYWHERE,
    NOWHERE,
    OFF_BOARD,
    Crew,
    Mask,
    Seat,
    Side,
    Square,
    Worker,
)

Note: TypeAlias = Any
"""A card's memory: any hashable value; its meaning stands in the power's docstring."""

SUPPLY: tuple[int, int, int, int] = (22, 18, 14, 18)
"""Level-1, level-2 and level-3 blocks, then domes (C-9)."""


class Table(Struct, frozen=True, cache_hash=True):
    """What never changes in a game: the variant, the powers mode, who sits on which side."""

    variant: str
    mode: str
    sides: tuple[Side, ...]
    crew_size: int = 2
    split: bool = False
    """In ``team4_split`` a seat owns its single worker; elsewhere a side shares its workers."""

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.sides)

    def side(self, seat: Seat) -> Side:
        """Return the side of a seat; both count from 1 (T-70)."""
        return self.sides[seat - 1]

    def seats_of(self, side: Side) -> tuple[Seat, ...]:
        """List the seats of a side in turn order."""
        return tuple(seat for seat, s in enumerate(self.sides, 1) if s == side)

    @property
    def teams(self) -> bool:
        """Say whether two seats share a side."""
        return len(set(self.sides)) < len(self.sides)


class Figure(Struct, frozen=True, cache_hash=True):
    """Who a worker is: the seat that brought it, its side, its sex (C-7). Never changes."""

    seat: Seat
    side: Side
    sex: str = "m"


class Held(Struct, frozen=True, cache_hash=True):
    """One power in one seat's hands; the same power may be held twice (Golden Fleece)."""

    power: str
    seat: Seat
    note: Note = None


class Token(Struct, frozen=True):
    """A marker on or beside the board (C-11): on a ``square``, or lying in a ``direction``."""

    name: str
    seat: Seat = 0
    square: Square = OFF_BOARD
    direction: str = ""
    card: str = ""
    """For the Ram: the power that lies beside it (V-4)."""


class Pact(Struct, frozen=True):
    """An obligation that outlives the step that made it: two workers, and the seat that chose."""

    name: str
    seat: Seat
    own: Worker
    other: Worker


class Position(Struct, frozen=True, cache_hash=True):
    """Everything true on the table, secrets included."""

    levels: tuple[Mask, Mask, Mask, Mask, Mask, Mask]
    """``levels[n]``: squares with at least *n* blocks; 0 is the whole board, 4 and 5 are empty."""
    domes: Mask
    workers: tuple[Square, ...]
    occupied: Mask
    figures: tuple[Figure, ...]
    table: Table
    held: tuple[Held, ...] = ()
    tokens: tuple[Token, ...] = ()
    last_moved: tuple[Worker, ...] = ()
    """By side (index side - 1): the worker it moved last, -1 for none; empty while nobody asks."""
    pacts: tuple[Pact, ...] = ()
    aside: tuple[Held, ...] = ()
    out: tuple[Seat, ...] = ()
    intruder: Worker = -1
    """The worker that has just moved onto an occupied square, until the other one is displaced."""

    def level(self, square: Square) -> int:
        """Return the height of a square, 0..3 (C-4)."""
        levels = self.levels
        return (levels[1] >> square & 1) + (levels[2] >> square & 1) + (levels[3] >> square & 1)

    def worker_at(self, square: Square) -> Worker:
        """Return the worker on a square, or -1; of two, the one that was there first."""
        if not self.occupied >> square & 1:
            return -1
        if self.intruder < 0:
            return self.workers.index(square)
        for worker, place in enumerate(self.workers):
            if place == square and worker != self.intruder:
                return worker
        return self.intruder

    def crew_of(self, side: Side) -> Crew:
        """Return the workers of a side that stand on the board."""
        crew = _brought_by(self.figures, side)
        return crew if min(self.workers, default=0) >= 0 else crew & self._standing()

    def foes_of(self, side: Side) -> Crew:
        """Return the workers on the board that are not of this side."""
        crew = (1 << len(self.figures)) - 1 & ~_brought_by(self.figures, side)
        return crew if min(self.workers, default=0) >= 0 else crew & self._standing()

    def _standing(self) -> Crew:
        crew = 0
        for worker, place in enumerate(self.workers):
            if place >= 0:
                crew |= 1 << worker
        return crew

    def squares_of_crew(self, crew: Crew) -> Mask:
        """Return the squares on which the workers of a crew stand."""
        mask, workers = NOWHERE, self.workers
        while crew:
            low = crew & -crew
            place = workers[low.bit_length() - 1]
            if place >= 0:
                mask |= BITS[place]
            crew ^= low
        return mask

    @property
    def towers(self) -> Mask:
        """Return the Complete Towers: three blocks and a dome (C-6)."""
        return self.domes & self.levels[3]

    @property
    def rams(self) -> Mask:
        """Return the square of the Ram, a ground-level dome for everybody (V-6)."""
        mask = NOWHERE
        for token in self.tokens:
            if token.name == "ram":
                mask |= BITS[token.square]
        return mask

    def token_squares(self, name: str | None = None, seat: Seat = 0) -> Mask:
        """Return the squares of the tokens on the board, of one name or owner if given."""
        mask = NOWHERE
        for token in self.tokens:
            if token.square >= 0 and name in (None, token.name) and seat in (0, token.seat):
                mask |= BITS[token.square]
        return mask

    def holding(self, power: str) -> Held | None:
        """Return the first holding of a power, or None when nobody holds it."""
        for held in self.held:
            if held.power == power:
                return held
        return None

    def side_of(self, worker: Worker) -> Side:
        """Return the side a worker belongs to."""
        return self.figures[worker].side

    def supply(self) -> tuple[int, int, int, int]:
        """Count the pieces left: level-1, level-2, level-3 blocks and domes (C-9)."""
        levels = self.levels
        return (
            SUPPLY[0] - levels[1].bit_count(),
            SUPPLY[1] - levels[2].bit_count(),
            SUPPLY[2] - levels[3].bit_count(),
            SUPPLY[3] - self.domes.bit_count(),
        )

    def block_sites(self) -> Mask:
        """Return the squares whose next block is in supply and fits (C-9, C-10, C-20)."""
        levels = self.levels
        l1, l2, l3 = levels[1], levels[2], levels[3]
        mask = EVERYWHERE & ~l3
        if l1.bit_count() >= SUPPLY[0]:
            mask &= l1
        if l2.bit_count() >= SUPPLY[1]:
            mask &= l2 | ~l1
        if l3.bit_count() >= SUPPLY[2]:
            mask &= ~l2
        return mask

    def dome_left(self) -> bool:
        """Say whether a dome is left in the supply (C-10)."""
        return self.domes.bit_count() < SUPPLY[3]


@cache
def _brought_by(figures: tuple[Figure, ...], side: Side) -> Crew:
    """Return the workers of a side, on the board or not; there are few line-ups in a process."""
    return sum(1 << worker for worker, figure in enumerate(figures) if figure.side == side)


GROUND: tuple[Mask, Mask, Mask, Mask, Mask, Mask] = (EVERYWHERE, 0, 0, 0, 0, 0)

_SIDES: dict[str, tuple[Side, ...]] = {
    "duel": (1, 2),
    "trio": (1, 2, 3),
    "solo4": (1, 2, 3, 4),
    "team4": (1, 2, 1, 2),
    "team4_split": (1, 2, 1, 2),
}
VARIANTS: tuple[str, ...] = tuple(_SIDES)


def table_for(variant: str, mode: str = "none") -> Table:
    """Build the table of a variant (core rules, section 7) and a powers mode (T-70).

    Raises:
        KeyError: there is no such variant.
    """
    return Table(
        variant,
        mode,
        _SIDES[variant],
        crew_size=1 if variant in ("solo4", "team4_split") else 2,
        split=variant == "team4_split",
    )


def empty_position(table: Table) -> Position:
    """Return the bare table before anybody has placed a worker."""
    return Position(GROUND, NOWHERE, (), NOWHERE, (), table)
