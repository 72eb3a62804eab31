"""Questions about the table that several powers ask: who is targetable, what lies higher."""

from __future__ import annotations

from functools import cache

from domain.board.geometry import EVERYWHERE, NEIGHBOURS, NOWHERE, Crew, Mask, Seat, Square, Worker
from domain.board.position import Position
from domain.rules.power import REGISTRY, overrides
from domain.rules.turn import Turn


def dome_view(position: Position, seat: Seat) -> Mask:
    """Return the squares this seat reads as domes although they hold none (T-22, V-6)."""
    mask = position.rams if position.tokens else NOWHERE
    for held in position.held:
        if _shows_domes(held.power):
            side = position.table.side(seat)
            mask |= REGISTRY[held.power].shows_dome(position, held, side)
    return mask


@cache
def _shows_domes(power: str) -> bool:
    return overrides(REGISTRY[power], "shows_dome")


def shut_to(position: Position, seat: Seat) -> Mask:
    """Return the squares that are occupied for this seat (C-8, T-22, T-23)."""
    return position.occupied | position.domes | dome_view(position, seat)


def open_to(position: Position, seat: Seat) -> Mask:
    """Return the squares that are unoccupied for this seat (C-8, T-22)."""
    return EVERYWHERE & ~shut_to(position, seat)


def targetable_foes(position: Position, seat: Seat) -> Crew:
    """Return the foes' workers this seat can act upon: not those under a seen dome (T-22)."""
    crew = position.foes_of(position.table.side(seat))
    seen = dome_view(position, seat)
    if not seen:
        return crew
    for worker, square in enumerate(position.workers):
        if square >= 0 and seen >> square & 1:
            crew &= ~(1 << worker)
    return crew


def above(position: Position, worker: Worker) -> Mask:
    """Return every square higher than the one the worker stands on."""
    return position.levels[position.level(position.workers[worker]) + 1]


def below(position: Position, worker: Worker) -> Mask:
    """Return every square lower than the one the worker stands on."""
    return EVERYWHERE & ~position.levels[position.level(position.workers[worker])]


def workers_around(position: Position, square: Square, crew: Crew) -> Crew:
    """Return the workers of a crew that stand next to a square."""
    found, around = 0, NEIGHBOURS[square]
    for worker, place in enumerate(position.workers):
        if place >= 0 and crew >> worker & 1 and around >> place & 1:
            found |= 1 << worker
    return found


def may_still_rise(turn: Turn) -> bool:
    """Say whether a move up can still follow, as far as the active seat's cards tell."""
    return all(
        REGISTRY[held.power].may_rise(turn, held)
        for held in turn.position.held
        if held.seat == turn.seat
    )


def acts_at_the_end(turn: Turn) -> bool:
    """Say whether a card of the active seat has something to do after the builds."""
    return any(
        held.seat == turn.seat and "end_of_turn" in REGISTRY[held.power].phases
        for held in turn.position.held
    )
