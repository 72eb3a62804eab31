"""Squares, masks, neighbour and direction tables (C-1 .. C-3, T-24, T-25).

A square is an integer 0..24: ``a1 = 0, b1 = 1, ... e5 = 24``. A mask is a set of squares, bit *i*
standing for square *i*; a crew is a set of workers, bit *i* standing for worker *i*.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Square: TypeAlias = int
Mask: TypeAlias = int
Worker: TypeAlias = int
Crew: TypeAlias = int
Seat: TypeAlias = int
Side: TypeAlias = int

WIDTH = 5
SQUARES = range(WIDTH * WIDTH)
NOWHERE: Mask = 0
EVERYWHERE: Mask = (1 << 25) - 1
OFF_BOARD: Square = -1
UNSEEN: Square = -2
"""The place of a worker that stands somewhere, in the eyes of a seat that cannot see it (T-51)."""

NAMES: tuple[str, ...] = tuple(f"{'abcde'[s % WIDTH]}{s // WIDTH + 1}" for s in SQUARES)
BY_NAME: dict[str, Square] = {name: square for square, name in enumerate(NAMES)}
BITS: tuple[Mask, ...] = tuple(1 << s for s in SQUARES)

DIRECTIONS: dict[str, tuple[int, int]] = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
DIRECTION_OF: dict[tuple[int, int], str] = {delta: name for name, delta in DIRECTIONS.items()}
OPPOSITE: dict[str, str] = {name: DIRECTION_OF[(-dx, -dy)] for name, (dx, dy) in DIRECTIONS.items()}
DIAGONALS = frozenset({"NE", "SE", "SW", "NW"})


def square_at(file: int, rank: int) -> Square:
    """Return the square of a file and a rank (both 0..4), or ``OFF_BOARD`` beyond the edge."""
    if 0 <= file < WIDTH and 0 <= rank < WIDTH:
        return rank * WIDTH + file
    return OFF_BOARD


def _mask(squares: Iterator[Square]) -> Mask:
    mask = NOWHERE
    for square in squares:
        if square != OFF_BOARD:
            mask |= 1 << square
    return mask


def _around(square: Square) -> Iterator[Square]:
    return (square_at(square % WIDTH + dx, square // WIDTH + dy) for dx, dy in DIRECTIONS.values())


def _around_wrapped(square: Square) -> Iterator[Square]:
    return (
        square_at((square % WIDTH + dx) % WIDTH, (square // WIDTH + dy) % WIDTH)
        for dx, dy in DIRECTIONS.values()
    )


NEIGHBOURS: tuple[Mask, ...] = tuple(_mask(_around(s)) for s in SQUARES)
WRAPPED_NEIGHBOURS: tuple[Mask, ...] = tuple(_mask(_around_wrapped(s)) for s in SQUARES)
PERIMETER: Mask = _mask(s for s in SQUARES if s % WIDTH in (0, 4) or s // WIDTH in (0, 4))
INTERIOR: Mask = EVERYWHERE & ~PERIMETER
CORNERS: Mask = _mask(iter((0, 4, 20, 24)))
EDGES: dict[str, Mask] = {
    "a": _mask(s for s in SQUARES if s % WIDTH == 0),
    "e": _mask(s for s in SQUARES if s % WIDTH == 4),
    "1": _mask(s for s in SQUARES if s // WIDTH == 0),
    "5": _mask(s for s in SQUARES if s // WIDTH == 4),
}
OPPOSITE_EDGE: dict[str, str] = {"a": "e", "e": "a", "1": "5", "5": "1"}


def _step_direction(origin: Square, target: Square) -> str:
    """Name the direction of a step, a jump or a wrapping step (T-24); empty when there is none."""
    dx, dy = target % WIDTH - origin % WIDTH, target // WIDTH - origin // WIDTH
    if abs(dx) == WIDTH - 1:
        dx = -dx
    if abs(dy) == WIDTH - 1:
        dy = -dy
    sign = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
    return DIRECTION_OF.get(sign, "")


DIRECTION: tuple[tuple[str, ...], ...] = tuple(
    tuple(_step_direction(o, t) for t in SQUARES) for o in SQUARES
)
BEYOND: tuple[dict[str, Square], ...] = tuple(
    {name: square_at(s % WIDTH + dx, s // WIDTH + dy) for name, (dx, dy) in DIRECTIONS.items()}
    for s in SQUARES
)
"""``BEYOND[square][direction]``: the next square that way on the flat board, or ``OFF_BOARD``."""


def squares_of(mask: Mask) -> Iterator[Square]:
    """Yield the squares of a mask in ascending index order (a1, b1, ... e5)."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def in_name_order(mask: Mask) -> list[Square]:
    """List the squares of a mask sorted by name (a1, a2, ... e5), the order of T-46."""
    return [s for s in NAME_ORDER if mask >> s & 1]


NAME_ORDER: tuple[Square, ...] = tuple(sorted(SQUARES, key=NAMES.__getitem__))


def mask_of(*names: str) -> Mask:
    """Build a mask from square names.

    Raises:
        KeyError: a name is not a square.
    """
    return _mask(BY_NAME[name] for name in names)


def neighbours_of(mask: Mask) -> Mask:
    """Return every square that neighbours at least one square of the mask."""
    around = NOWHERE
    while mask:
        low = mask & -mask
        around |= NEIGHBOURS[low.bit_length() - 1]
        mask ^= low
    return around
