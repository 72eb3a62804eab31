"""What a player chooses (T-1): one small value per kind of step, naming squares."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from domain.board.geometry import NAMES, OFF_BOARD, SQUARES, Square


class Place(Struct, frozen=True):
    """Put the next setup worker (or the Ram) on a square."""

    to: Square


class Move(Struct, frozen=True):
    """Move the worker on ``origin``; swaps, pushes and jumps are moves too."""

    origin: Square
    to: Square


class Build(Struct, frozen=True):
    """Build a block or a dome with the worker on ``origin`` (T-5, T-6)."""

    origin: Square
    at: Square
    dome: bool = False


class BuildEither(Build, frozen=True):
    """A build whose piece was left out: right where only one piece is legal (contract)."""


class Force(Struct, frozen=True):
    """Relocate a worker by a power."""

    origin: Square
    to: Square


class Exchange(Struct, frozen=True):
    """Let workers change places in one step; pairs of (from, to) sorted by the name of from."""

    pairs: tuple[tuple[Square, Square], ...]


class RemoveBlock(Struct, frozen=True):
    """Take the top block of a square."""

    at: Square


class RemoveBlocks(Struct, frozen=True):
    """Take all blocks from under the worker on a square."""

    at: Square


class RemoveWorker(Struct, frozen=True):
    """Remove the worker on a square from the game."""

    at: Square


class PlaceWorker(Struct, frozen=True):
    """Bring a worker from a card or the bank."""

    to: Square


class PlaceToken(Struct, frozen=True):
    """Put a token on a square, or beside the board in a direction."""

    token: str
    at: Square = OFF_BOARD
    direction: str = ""


class TakeToken(Struct, frozen=True):
    """Take a token back onto its card."""

    token: str


class Choose(Struct, frozen=True):
    """Name something: a power, a start seat, a fate square, a pair of workers."""

    name: str
    value: str


class Pass(Struct, frozen=True):
    """Decline one offered step without closing the turn (T-10a, T-50)."""


class End(Struct, frozen=True):
    """Close the turn, or decline an extra one (T-11, T-45)."""


Step: TypeAlias = (
    Place
    | Move
    | Build
    | Force
    | Exchange
    | RemoveBlock
    | RemoveBlocks
    | RemoveWorker
    | PlaceWorker
    | PlaceToken
    | TakeToken
    | Choose
    | Pass
    | End
)

END = End()
PASS = Pass()
MOVES: tuple[tuple[Move, ...], ...] = tuple(tuple(Move(o, t) for t in SQUARES) for o in SQUARES)
BLOCKS: tuple[tuple[Build, ...], ...] = tuple(tuple(Build(o, t) for t in SQUARES) for o in SQUARES)
DOMES: tuple[tuple[Build, ...], ...] = tuple(
    tuple(Build(o, t, dome=True) for t in SQUARES) for o in SQUARES
)
"""Ready-made steps, indexed by origin and target: the search makes none of its own."""


def text_of(step: Step) -> str:
    """Write a step as its event stands in a turn line (T-60), without any suffix."""
    match step:
        case Move(origin, to):
            return f"{NAMES[origin]}>{NAMES[to]}"
        case Build(origin, at, dome):
            return f"{NAMES[origin]}^{NAMES[at]}{'*' if dome else ''}"
        case Place(to) | PlaceWorker(to):
            return f"+{NAMES[to]}"
        case Force(origin, to):
            return f"{NAMES[origin]}~{NAMES[to]}"
        case Exchange(pairs):
            return "(" + ",".join(f"{NAMES[a]}~{NAMES[b]}" for a, b in pairs) + ")"
        case RemoveBlock(at):
            return f"-{NAMES[at]}"
        case RemoveBlocks(at):
            return f"--{NAMES[at]}"
        case RemoveWorker(at):
            return f"x{NAMES[at]}"
        case PlaceToken(token, at, direction):
            return f"@{token}:{direction or NAMES[at]}"
        case TakeToken(token):
            return f"@{token}:-"
        case Choose(name, value):
            return f"={name}:{value}"
        case Pass():
            return "-"
        case End():
            return "."
    raise AssertionError(step)
