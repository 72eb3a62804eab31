"""Other worlds: the same table with another secret, and all that somebody is told about it."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

from msgspec.structs import replace

from domain.board.geometry import EVERYWHERE, squares_of
from domain.board.position import Held, Position
from domain.rules.engine import (
    automatic_steps,
    explain,
    legal_steps,
    legal_turns,
    open_turn,
    position_key,
)
from domain.rules.perception import believed, disclosed, perceived
from domain.rules.power import REGISTRY, overrides
from domain.rules.step import BLOCKS, DOMES, MOVES
from domain.rules.turn import Turn


def _elsewhere(position: Position, held: Held, dice: random.Random) -> Position:
    """Move the workers that only one seat sees to other squares."""
    theirs = REGISTRY[held.power].hides(position, held)
    shut = position.domes | position.token_squares() | position.occupied
    free = EVERYWHERE & ~(shut & ~position.squares_of_crew(theirs))
    places = dice.sample(list(squares_of(free)), theirs.bit_count())
    workers = tuple(
        places.pop() if theirs >> worker & 1 else square
        for worker, square in enumerate(position.workers)
    )
    occupied = sum(1 << square for square in workers if square >= 0)
    return replace(position, workers=workers, occupied=occupied)


def other_world(position: Position, key: str, dice: random.Random) -> Position:
    """Return the same table with another secret of this card."""
    held = position.holding(key)
    assert held is not None
    power = REGISTRY[key]
    if overrides(power, "hides"):
        return _elsewhere(position, held, dice)
    if power.deck_secret:
        state = dict(power.state(held.note))
        state["deck"] = dice.sample(state["deck"], len(state["deck"]))
        note = power.note_from(state)
    else:
        note = dice.choice([s for s in range(20) if s % 5 < 4])
    other = Held(key, held.seat, note)
    return replace(position, held=tuple(other if h is held else h for h in position.held))


def other_turn(turn: Turn, key: str, dice: random.Random) -> Turn:
    """Return the same opening with another secret of this card."""
    return open_turn(other_world(turn.position, key, dice), turn.seat, turn.kind)


Viewer: TypeAlias = int | None


def secrets_from(turn: Turn, viewer: Viewer) -> list[str]:
    """List the cards on the table with a secret that this viewer may not know (T-51)."""
    return [
        held.power
        for held in turn.position.held
        if REGISTRY[held.power].hidden_information
        and (held.seat != viewer or REGISTRY[held.power].deck_secret)
    ]


def viewers(turn: Turn) -> list[Viewer]:
    """List who may look on: a spectator, then the seats."""
    return [None, *range(1, turn.position.table.seats + 1)]


def shown(turn: Turn, viewer: Viewer) -> tuple[str, Position]:
    """Return the key and the table as a viewer is shown them."""
    key = position_key(turn.position, turn.seat, turn.kind, viewer)
    return key, disclosed(turn.position, viewer)


def told(turn: Turn, limit: int = 5_000) -> dict[str, Any]:
    """Return all that the seat to act is told about its turn."""
    seat = turn.seat
    steps = legal_steps(turn)
    stepping = (*MOVES[6], *BLOCKS[12], *DOMES[18])
    decks = any(REGISTRY[held.power].deck_secret for held in turn.position.held)
    return {
        "steps": steps,
        "turns": None if decks else legal_turns(perceived(turn, seat), limit),
        "clock": automatic_steps(turn),
        "key": position_key(turn.position, seat, turn.kind, seat),
        "public": position_key(turn.position, seat, turn.kind, None),
        "table": None if decks else believed(turn.position, seat),
        "reasons": [explain(turn, step) for step in stepping if step not in steps],
    }
