"""What each seat is allowed to see (turn model, section 8): one place for every secret."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from domain.board.geometry import UNSEEN, Crew, Seat
from domain.board.position import Held, Position
from domain.rules.power import REGISTRY, overrides
from domain.rules.turn import Turn


@cache
def _secretive(power: str) -> bool:
    rules = REGISTRY[power]
    return overrides(rules, "hides") or overrides(rules, "veiled")


def _veils(position: Position, seat: Seat | str | None) -> bool:
    """Say whether a card on the table has a secret from this seat."""
    for held in position.held:
        if held.seat != seat and _secretive(held.power):
            return True
    return any(held.seat != seat and _secretive(held.power) for held in position.aside)


def hidden_crew(position: Position, seat: Seat | str | None) -> Crew:
    """Return the workers this seat cannot see; None is a spectator (T-51)."""
    crew = 0
    if position.held and _veils(position, seat):
        for held in position.held:
            if held.seat != seat:
                crew |= REGISTRY[held.power].hides(position, held)
    return crew


def _veiled(holdings: tuple[Held, ...], seat: Seat | str | None) -> tuple[Held, ...]:
    return tuple(
        Held(held.power, held.seat, REGISTRY[held.power].veiled(held.note))
        if held.seat != seat and _secretive(held.power)
        else held
        for held in holdings
    )


def believed(position: Position, seat: Seat | str | None) -> Position:
    """Return the table as this seat sees it (T-38).

    A worker it cannot see is on no square (``UNSEEN``); a card's secret memory is veiled.
    """
    if not (position.held or position.aside) or not _veils(position, seat):
        return position
    crew = hidden_crew(position, seat)
    workers = tuple(
        UNSEEN if crew >> worker & 1 else square for worker, square in enumerate(position.workers)
    )
    return replace(
        position,
        workers=workers,
        occupied=position.occupied & ~position.squares_of_crew(crew),
        held=_veiled(position.held, seat),
        aside=_veiled(position.aside, seat),
    )


def told(held: Held, seat: Seat | str | None) -> Held:
    """Return a card as this seat may be told of it: no secret memory, no deck in its order."""
    rules = REGISTRY[held.power]
    if held.seat != seat and _secretive(held.power):
        return Held(held.power, held.seat, rules.veiled(held.note))
    return Held(held.power, held.seat, rules.unordered(held.note)) if rules.deck_secret else held


def disclosed(position: Position, seat: Seat | str | None) -> Position:
    """Return the table as this seat may be told of it: as believed, and no deck in its order.

    Nothing that is worked out from it can depend on what the seat may not know (T-52).
    """
    position = believed(position, seat)
    if not any(REGISTRY[held.power].deck_secret for held in (*position.held, *position.aside)):
        return position
    return replace(
        position,
        held=tuple(told(held, seat) for held in position.held),
        aside=tuple(told(held, seat) for held in position.aside),
    )


def perceived(turn: Turn, seat: Seat | str | None) -> Turn:
    """Return a turn as this seat sees it."""
    opening = believed(turn.opening, seat)
    position = believed(turn.position, seat)
    if opening is turn.opening and position is turn.position:
        return turn
    return replace(turn, opening=opening, position=position)
