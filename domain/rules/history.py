"""What a turn remembers of its facts: one function, used by play and by replay alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.board.facts import (
    BlockRemoved,
    Built,
    Chosen,
    Exchanged,
    Fact,
    Forced,
    Moved,
    TokenPlaced,
    TokenRemoved,
    WorkerPlaced,
    WorkerRemoved,
    apply,
)
from domain.rules.step import (
    PASS,
    Choose,
    Exchange,
    Force,
    PlaceToken,
    PlaceWorker,
    RemoveBlock,
    RemoveBlocks,
    RemoveWorker,
    Step,
    TakeToken,
)
from domain.rules.turn import Arrival, Raised, Turn


def _moved(turn: Turn, fact: Moved) -> Turn:
    position = turn.position
    worker = position.worker_at(fact.origin)
    rise = position.level(fact.to) - position.level(fact.origin)
    arrival = Arrival(worker, fact.origin, fact.to, rise)
    moves, again = turn.moves, turn.again
    if turn.moved >> worker & 1:
        again |= 1 << worker
        moves = tuple(move for move in moves if move.worker != worker)
    return Turn(
        turn.seat,
        turn.kind,
        turn.opening,
        apply(position, fact),
        turn.first or arrival,
        (*moves, arrival),
        turn.moved | 1 << worker,
        turn.climbed or rise > 0,
        turn.descended or rise < 0,
        turn.builds,
        turn.other,
        turn.fallen,
        "move",
        turn.asked,
        again=again,
    )


def _built(turn: Turn, fact: Built) -> Turn:
    position = turn.position
    build = Raised(
        position.worker_at(fact.origin), fact.origin, fact.at, fact.dome, position.level(fact.at)
    )
    return Turn(
        turn.seat,
        turn.kind,
        turn.opening,
        apply(position, fact),
        turn.first,
        turn.moves,
        turn.moved,
        turn.climbed,
        turn.descended,
        (*turn.builds, build),
        turn.other,
        turn.fallen,
        "build",
        turn.asked,
        again=turn.again,
    )


def step_of(turn: Turn, fact: Any) -> Step:
    """Return the chosen step behind a fact that is neither a move nor a build."""
    match fact:
        case Forced(origin, to):
            return Force(origin, to)
        case Exchanged(pairs):
            return Exchange(pairs)
        case BlockRemoved(at):
            occupied = turn.position.occupied >> at & 1
            return RemoveBlocks(at) if occupied else RemoveBlock(at)
        case WorkerRemoved(at):
            return RemoveWorker(at)
        case WorkerPlaced(_, to):
            return PlaceWorker(to)
        case TokenPlaced(token, _, at, direction):
            return PlaceToken(token, at, direction)
        case TokenRemoved(token):
            return TakeToken(token)
        case Chosen(_, name, value):
            return Choose(name, value)
    raise AssertionError(fact)


_OTHER = (
    Forced, Exchanged, BlockRemoved, WorkerRemoved, WorkerPlaced, TokenPlaced, TokenRemoved, Chosen,
)  # fmt: skip
_CHOSEN: dict[type[Any], Callable[[Turn, Any], Turn]] = {Moved: _moved, Built: _built}


def record(turn: Turn, fact: Fact, chosen: bool) -> Turn:
    """Return the turn after one fact; ``chosen`` facts are steps, the others only change the table.

    Steps of an interrupt are not part of the active seat's history (T-50).
    """
    if chosen:
        special = _CHOSEN.get(type(fact))
        if special is not None:
            return special(turn, fact)
        if turn.asked == 0 and isinstance(fact, _OTHER):
            other = (*turn.other, step_of(turn, fact))
            turn = replace(turn, other=other, fresh="other")
    if isinstance(fact, WorkerRemoved):
        worker = turn.position.worker_at(fact.at)
        turn = replace(turn, fallen=(*turn.fallen, (worker, fact.at)))
    return replace(turn, position=apply(turn.position, fact))


def record_pass(turn: Turn) -> Turn:
    """Return the turn after its seat declined an offered step (T-10a)."""
    if turn.asked:
        return replace(turn, asked=0)
    return replace(turn, other=(*turn.other, PASS), fresh="other")


def ask(turn: Turn, seat: int) -> Turn:
    """Return the turn suspended by an interrupt of this seat (T-50), or resumed with seat 0."""
    return replace(turn, asked=seat)
