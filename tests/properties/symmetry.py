"""The eight symmetries of the board, applied to tables and steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.board.geometry import BY_NAME, DIRECTION_OF, DIRECTIONS, NAMES, Square, squares_of
from domain.board.position import Held, Position, Token
from domain.rules.engine import open_turn
from domain.rules.power import REGISTRY
from domain.rules.step import (
    Build,
    Choose,
    Exchange,
    Force,
    Move,
    PlaceToken,
    PlaceWorker,
    RemoveBlock,
    RemoveBlocks,
    RemoveWorker,
    Step,
)
from domain.rules.turn import Turn

Turning = Callable[[int, int], tuple[int, int]]

SYMMETRIES: dict[str, Turning] = {
    "turn": lambda x, y: (y, -x),
    "half turn": lambda x, y: (-x, -y),
    "three quarters": lambda x, y: (-y, x),
    "left right": lambda x, y: (-x, y),
    "up down": lambda x, y: (x, -y),
    "diagonal": lambda x, y: (y, x),
    "antidiagonal": lambda x, y: (-y, -x),
}


def square(turning: Turning, place: Square) -> Square:
    """Return where a square goes; what is off the board stays there."""
    if place < 0:
        return place
    x, y = turning(place % 5 - 2, place // 5 - 2)
    return (y + 2) * 5 + x + 2


def direction(turning: Turning, name: str) -> str:
    """Return where a compass direction points afterwards."""
    return DIRECTION_OF[turning(*DIRECTIONS[name])] if name else ""


def mask(turning: Turning, squares: int) -> int:
    """Return where a set of squares goes."""
    turned = 0
    for place in squares_of(squares):
        turned |= 1 << square(turning, place)
    return turned


def _held(turning: Turning, held: Held) -> Held:
    """Return a card whose memory names the turned places."""
    power = REGISTRY[held.power]
    state: dict[str, Any] = dict(power.state(held.note))
    if state.get("direction"):
        state["direction"] = direction(turning, state["direction"])
    if state.get("abyss"):
        state["abyss"] = NAMES[square(turning, BY_NAME[state["abyss"]])]
    if state.get("fate"):
        corner = BY_NAME[state["fate"]]
        state["fate"] = NAMES[min(square(turning, corner + offset) for offset in (0, 1, 5, 6))]
    return Held(held.power, held.seat, power.note_from(state)) if state else held


def turned(turning: Turning, turn: Turn) -> Turn:
    """Return the same opening on a turned board."""
    position: Position = turn.opening
    levels = tuple(mask(turning, level) for level in position.levels)
    moved = replace(
        position,
        levels=levels,
        domes=mask(turning, position.domes),
        workers=tuple(square(turning, place) for place in position.workers),
        occupied=mask(turning, position.occupied),
        held=tuple(_held(turning, held) for held in position.held),
        aside=tuple(_held(turning, held) for held in position.aside),
        tokens=tuple(
            Token(
                t.name, t.seat, square(turning, t.square), direction(turning, t.direction), t.card
            )
            for t in position.tokens
        ),
    )
    return open_turn(moved, turn.seat, turn.kind)


def turned_step(turning: Turning, step: Step) -> Step:
    """Return the same step on a turned board."""

    def there(place: Square) -> Square:
        return square(turning, place)

    match step:
        case Move(origin, to) | Force(origin, to):
            return type(step)(there(origin), there(to))
        case Build(origin, at, dome):
            return Build(there(origin), there(at), dome)
        case RemoveBlock(at) | RemoveBlocks(at) | RemoveWorker(at):
            return type(step)(there(at))
        case PlaceWorker(to):
            return PlaceWorker(there(to))
        case PlaceToken(token, at, name):
            return PlaceToken(token, there(at), direction(turning, name))
        case Exchange(pairs):
            moved = [(there(a), there(b)) for a, b in pairs]
            return Exchange(tuple(sorted(moved, key=lambda pair: NAMES[pair[0]])))
        case Choose("pair", value):
            names = (NAMES[there(BY_NAME[name])] for name in value.split("-"))
            return Choose("pair", "-".join(names))
    return step
