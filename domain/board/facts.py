"""The atomic outcomes (T-2) and the one way the table changes: ``apply(position, fact)``.

Facts name squares, seats and powers, never workers by index, so that they read like the log.
``apply`` trusts its input: a fact is true once it has been decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.board.geometry import BITS, BY_NAME, OFF_BOARD, Seat, Square, Worker
from domain.board.position import Figure, Held, Note, Pact, Position, Token


class Placed(Struct, frozen=True):
    """A seat put a setup worker on the board (C-14)."""

    seat: Seat
    to: Square
    sex: str


class WorkerPlaced(Struct, frozen=True):
    """A worker entered later, from a card or the bank (T-1 ``place_worker``)."""

    seat: Seat
    to: Square
    sex: str = "m"


class Moved(Struct, frozen=True):
    """A worker moved by a seat's own choice; only this can win by climbing (C-21)."""

    origin: Square
    to: Square
    seat: Seat = 0
    """The seat that made the move; it decides what counts as moved last (T-29)."""


class Forced(Struct, frozen=True):
    """A worker was relocated by a power; it has not moved (T-26)."""

    origin: Square
    to: Square


class Exchanged(Struct, frozen=True):
    """Workers changed places all at once; pairs of (from, to), sorted by name."""

    pairs: tuple[tuple[Square, Square], ...]


class Built(Struct, frozen=True):
    """A builder put one block or dome on a square."""

    origin: Square
    at: Square
    dome: bool = False


class BlockRemoved(Struct, frozen=True):
    """The top ``count`` blocks of a square went back to the supply."""

    at: Square
    count: int = 1


class WorkerRemoved(Struct, frozen=True):
    """The worker on a square left the game for good."""

    at: Square


class TokenPlaced(Struct, frozen=True):
    """A token was put on a square, or beside the board in a direction."""

    token: str
    seat: Seat = 0
    at: Square = OFF_BOARD
    direction: str = ""
    card: str = ""


class TokenRemoved(Struct, frozen=True):
    """A token left the board."""

    token: str
    at: Square = OFF_BOARD
    direction: str = ""


class PowerGained(Struct, frozen=True):
    """A seat holds a power from now on, with this memory."""

    seat: Seat
    power: str
    note: Note = None
    card: str = ""


class PowerLost(Struct, frozen=True):
    """A seat no longer holds a power.

    ``reason`` is ``spent``, ``stolen``, ``returned``, ``replaced``, ``set_aside``, ``ram`` or
    ``eliminated``.
    """

    seat: Seat
    power: str
    reason: str


class PowerChanged(Struct, frozen=True):
    """The memory of a held power is now this."""

    seat: Seat
    power: str
    note: Note = None
    card: str = ""


class Chosen(Struct, frozen=True):
    """A seat named something: a pair of workers, a power, a start seat, a square."""

    seat: Seat
    name: str
    value: str


Fact: TypeAlias = (
    Placed
    | WorkerPlaced
    | Moved
    | Forced
    | Exchanged
    | Built
    | BlockRemoved
    | WorkerRemoved
    | TokenPlaced
    | TokenRemoved
    | PowerGained
    | PowerLost
    | PowerChanged
    | Chosen
)


def _relocated(position: Position, worker: Worker, to: Square) -> Position:
    workers = position.workers
    origin = workers[worker]
    moved = (*workers[:worker], to, *workers[worker + 1 :])
    occupied = position.occupied | BITS[to]
    if origin not in moved:
        occupied ^= BITS[origin]
    return Position(
        position.levels,
        position.domes,
        moved,
        occupied,
        position.figures,
        position.table,
        position.held,
        position.tokens,
        position.last_moved,
        position.pacts,
        position.aside,
        position.out,
    )


def _moved(position: Position, fact: Moved) -> Position:
    worker = position.worker_at(fact.origin)
    crowded = position.occupied & BITS[fact.to]
    after = _relocated(position, worker, fact.to)
    last = position.last_moved
    if last:
        side = position.figures[worker].side
        if fact.seat and position.table.side(fact.seat) == side:
            last = (*last[: side - 1], worker, *last[side:])
            after = replace(after, last_moved=last)
    return replace(after, intruder=worker) if crowded else after


def _forced(position: Position, fact: Forced) -> Position:
    return _relocated(position, position.worker_at(fact.origin), fact.to)


def _exchanged(position: Position, fact: Exchanged) -> Position:
    targets = dict(fact.pairs)
    workers = tuple(targets.get(square, square) for square in position.workers)
    return replace(position, workers=workers)


def _built(position: Position, fact: Built) -> Position:
    bit = BITS[fact.at]
    domes, levels = position.domes, position.levels
    if fact.dome:
        domes |= bit
    else:
        l1, l2, l3 = levels[1], levels[2], levels[3]
        if not l1 & bit:
            l1 |= bit
        elif not l2 & bit:
            l2 |= bit
        else:
            l3 |= bit
        levels = (levels[0], l1, l2, l3, 0, 0)
    return Position(
        levels,
        domes,
        position.workers,
        position.occupied,
        position.figures,
        position.table,
        position.held,
        position.tokens,
        position.last_moved,
        position.pacts,
        position.aside,
        position.out,
    )


def _block_removed(position: Position, fact: BlockRemoved) -> Position:
    bit = BITS[fact.at]
    l1, l2, l3 = position.levels[1:4]
    for _ in range(fact.count):
        if l3 & bit:
            l3 ^= bit
        elif l2 & bit:
            l2 ^= bit
        else:
            l1 ^= bit
    return replace(position, levels=(position.levels[0], l1, l2, l3, 0, 0))


def _worker_removed(position: Position, fact: WorkerRemoved) -> Position:
    worker = position.worker_at(fact.at)
    workers = list(position.workers)
    workers[worker] = OFF_BOARD
    occupied = position.occupied
    if fact.at not in workers:
        occupied &= ~BITS[fact.at]
    return replace(
        position,
        workers=tuple(workers),
        occupied=occupied,
        last_moved=tuple(-1 if w == worker else w for w in position.last_moved),
        pacts=tuple(p for p in position.pacts if worker not in (p.own, p.other)),
    )


def _placed(position: Position, fact: Placed | WorkerPlaced) -> Position:
    side = position.table.side(fact.seat)
    return replace(
        position,
        workers=(*position.workers, fact.to),
        figures=(*position.figures, Figure(fact.seat, side, fact.sex)),
        occupied=position.occupied | BITS[fact.to],
    )


def _token_placed(position: Position, fact: TokenPlaced) -> Position:
    token = Token(fact.token, fact.seat, fact.at, fact.direction, fact.card)
    return replace(position, tokens=(*position.tokens, token))


def _token_removed(position: Position, fact: TokenRemoved) -> Position:
    gone = next(
        (
            token
            for token in position.tokens
            if (token.name, token.square, token.direction) == (fact.token, fact.at, fact.direction)
        ),
        None,
    )
    return replace(position, tokens=tuple(t for t in position.tokens if t is not gone))


def _power_gained(position: Position, fact: PowerGained) -> Position:
    aside = tuple(h for h in position.aside if (h.seat, h.power) != (fact.seat, fact.power))
    held = (*position.held, Held(fact.power, fact.seat, fact.note))
    return replace(position, held=held, aside=aside)


def _power_lost(position: Position, fact: PowerLost) -> Position:
    lost = [h for h in position.held if (h.seat, h.power) == (fact.seat, fact.power)]
    held = tuple(h for h in position.held if h not in lost)
    aside = position.aside
    if fact.reason == "set_aside":
        aside = (*aside, *lost)
    return replace(position, held=held, aside=aside)


def _power_changed(position: Position, fact: PowerChanged) -> Position:
    return replace(
        position,
        held=tuple(
            Held(h.power, h.seat, fact.note) if (h.seat, h.power) == (fact.seat, fact.power) else h
            for h in position.held
        ),
    )


def _chosen(position: Position, fact: Chosen) -> Position:
    if fact.name != "pair":
        return position
    own, other = (position.worker_at(BY_NAME[name]) for name in fact.value.split("-"))
    return replace(position, pacts=(*position.pacts, Pact("pair", fact.seat, own, other)))


_APPLY: dict[type[Any], Callable[[Position, Any], Position]] = {
    Placed: _placed,
    WorkerPlaced: _placed,
    Moved: _moved,
    Forced: _forced,
    Exchanged: _exchanged,
    Built: _built,
    BlockRemoved: _block_removed,
    WorkerRemoved: _worker_removed,
    TokenPlaced: _token_placed,
    TokenRemoved: _token_removed,
    PowerGained: _power_gained,
    PowerLost: _power_lost,
    PowerChanged: _power_changed,
    Chosen: _chosen,
}


def apply(position: Position, fact: Fact) -> Position:
    """Return the position after one fact: search, play and replay all come through here."""
    return _APPLY[type(fact)](position, fact)


def apply_all(position: Position, facts: Iterable[Fact]) -> Position:
    """Apply facts in order."""
    for fact in facts:
        position = _APPLY[type(fact)](position, fact)
    return position
