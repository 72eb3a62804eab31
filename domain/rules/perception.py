"""What each seat is allowed to see (turn model, section 8): one place for every secret."""

from __future__ import annotations

from msgspec.structs import replace

from domain.board.geometry import OFF_BOARD, Crew, Seat
from domain.board.position import Position
from domain.rules.power import REGISTRY, overrides
from domain.rules.turn import Turn


def hidden_crew(position: Position, seat: Seat | str | None) -> Crew:
    """Return the workers this seat cannot see; None is a spectator (T-51)."""
    crew = 0
    for held in position.held:
        power = REGISTRY[held.power]
        if overrides(power, "hides") and held.seat != seat:
            crew |= power.hides(position, held)
    return crew


def believed(position: Position, seat: Seat | str | None) -> Position:
    """Return the table as this seat sees it: workers it cannot see are not there (T-38)."""
    crew = hidden_crew(position, seat)
    if not crew:
        return position
    workers = tuple(
        OFF_BOARD if crew >> worker & 1 else square
        for worker, square in enumerate(position.workers)
    )
    occupied = 0
    for square in workers:
        if square >= 0:
            occupied |= 1 << square
    return replace(position, workers=workers, occupied=occupied)


def perceived(turn: Turn, seat: Seat | str | None) -> Turn:
    """Return a turn as this seat sees it."""
    if not turn.position.held:
        return turn
    opening = believed(turn.opening, seat)
    position = believed(turn.position, seat)
    if opening is turn.opening and position is turn.position:
        return turn
    return replace(turn, opening=opening, position=position)
