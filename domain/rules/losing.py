"""Who is still in the game, and what leaves the table with who is not (C-23, C-41)."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Fact, PowerLost, TokenRemoved, WorkerRemoved
from domain.board.geometry import NAMES, Side, Worker
from domain.board.position import Position
from domain.rules.turn import Outcome


def sides_left(position: Position) -> list[Side]:
    """List the sides that are still in the game."""
    table = position.table
    gone = {table.side(seat) for seat in position.out}
    return [side for side in sorted(set(table.sides)) if side not in gone]


def loss(position: Position, losers: Iterable[Side], reason: str) -> Outcome:
    """Return the outcome of sides losing: the last side left wins (C-23)."""
    losing = tuple(dict.fromkeys(losers))
    left = [side for side in sides_left(position) if side not in losing]
    return Outcome(winner=left[0] if len(left) == 1 else 0, losers=losing, reason=reason)


def elimination_facts(position: Position, side: Side) -> list[Fact]:
    """List what leaves the table with a side that is out (C-41): workers, tokens, powers."""
    facts: list[Fact] = [
        WorkerRemoved(position.workers[worker])
        for worker in _by_square(position)
        if position.figures[worker].side == side
    ]
    seats = position.table.seats_of(side)
    facts += [
        TokenRemoved(token.name, token.square, token.direction)
        for token in position.tokens
        if token.seat in seats
    ]
    facts += [PowerLost(h.seat, h.power, "eliminated") for h in position.held if h.seat in seats]
    return facts


def _by_square(position: Position) -> list[Worker]:
    standing = [(NAMES[sq], worker) for worker, sq in enumerate(position.workers) if sq >= 0]
    return [worker for _, worker in sorted(standing)]
