"""The turns of a seat when nobody holds a power, without any search: move, then build (C-17).

The flat form of the general search for its commonest case. It knows no hooks, so it holds only
where there are none; what it lists is what the search lists, in the same order (a test holds the
two together on every position without powers that we know).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from domain.board.geometry import BITS, NAME_ORDER, NAMES, NEIGHBOURS, Mask, Square
from domain.board.position import Position
from domain.rules.candidates import own_crew
from domain.rules.keys import Outline
from domain.rules.ruleset import ruleset_for
from domain.rules.step import BLOCKS, DOMES, MOVES, Step
from domain.rules.turn import Turn

NAME_ORDERED_NEIGHBOURS: tuple[tuple[Square, ...], ...] = tuple(
    tuple(t for t in NAME_ORDER if NEIGHBOURS[s] >> t & 1) for s in range(25)
)


class PlainTurn(NamedTuple):
    """A whole turn: its two squares and its site, and the key of the position it leads to."""

    origin: Square
    target: Square
    site: Square
    """Where it builds; -1 when the move wins."""
    dome: bool
    key: str


def is_bare(turn: Turn) -> bool:
    """Say whether nothing but blocks, domes and workers is on the table, and no card beside it."""
    table = turn.position
    nothing_else = not (table.tokens or table.aside or table.pacts or table.last_moved)
    return nothing_else and ruleset_for(turn.opening, turn.seat, turn.kind).plain


def open_sites(position: Position) -> Mask:
    """Return the squares without a dome on which a piece in supply fits (C-9, C-10, C-20)."""
    sites = position.block_sites()
    if position.dome_left():
        sites |= position.levels[3]
    return sites & ~position.domes


def plain_moves(turn: Turn) -> tuple[Step, ...]:
    """List the first steps, sorted by notation: moves that win or can build."""
    position = turn.position
    levels, domes, occupied = position.levels, position.domes, position.occupied
    workers = position.workers
    crew = own_crew(position, turn.seat)
    sites = open_sites(position)
    free = ~(occupied | domes)
    starts = {}
    while crew:
        low = crew & -crew
        crew ^= low
        worker = low.bit_length() - 1
        starts[workers[worker]] = True
    steps: list[Step] = []
    top = levels[3]
    for square in NAME_ORDER if len(starts) > 1 else starts:
        if square not in starts:
            continue
        level = (levels[1] >> square & 1) + (levels[2] >> square & 1) + (levels[3] >> square & 1)
        targets = NEIGHBOURS[square] & free & ~levels[level + 2]
        row = MOVES[square]
        buildable = sites & (free | 1 << square)
        wins = top if level == 2 else 0
        for target in NAME_ORDERED_NEIGHBOURS[square]:
            bit = 1 << target
            if targets & bit and (wins & bit or NEIGHBOURS[target] & buildable):
                steps.append(row[target])
    return tuple(steps)


def plain_builds(turn: Turn) -> tuple[Step, ...]:
    """List the builds of the worker that has moved, sorted by notation: each ends the turn."""
    position = turn.position
    square = position.workers[turn.moves[-1].worker]
    sites = open_sites(position) & ~position.occupied
    blocks, domes, top = BLOCKS[square], DOMES[square], position.levels[3]
    return tuple(
        domes[site] if top >> site & 1 else blocks[site]
        for site in NAME_ORDERED_NEIGHBOURS[square]
        if sites >> site & 1
    )


def plain_completion(turn: Turn) -> tuple[Step, ...]:
    """Return the steps by which the clock completes a turn (C-36): a win, or the smallest line."""
    if turn.moves:
        return plain_builds(turn)[:1]
    position = turn.position
    found = [
        (not won, NAMES[origin], NAMES[target], origin, target, builds)
        for origin, target, builds, won in moves_and_sites(position, turn.seat)
    ]
    if not found:
        return ()
    *_, origin, target, builds = min(found)
    move = MOVES[origin][target]
    if not builds:
        return (move,)
    site = next(site for site in NAME_ORDERED_NEIGHBOURS[target] if builds >> site & 1)
    return move, (DOMES if position.levels[3] >> site & 1 else BLOCKS)[target][site]


def moves_and_sites(position: Position, seat: int) -> Iterator[tuple[Square, Square, Mask, int]]:
    """Yield (origin, target, build sites, wins) for every move.

    A winning move has no build sites; ``wins`` is 1 for it, else 0.
    """
    levels, domes, occupied = position.levels, position.domes, position.occupied
    free = ~(occupied | domes)
    sites = open_sites(position)
    top = levels[3]
    crew = own_crew(position, seat)
    while crew:
        low = crew & -crew
        crew ^= low
        origin = position.workers[low.bit_length() - 1]
        level = (levels[1] >> origin & 1) + (levels[2] >> origin & 1) + (top >> origin & 1)
        targets = NEIGHBOURS[origin] & free & ~levels[level + 2]
        wins = top if level == 2 else 0
        buildable = sites & (free | 1 << origin)
        while targets:
            bit = targets & -targets
            targets ^= bit
            target = bit.bit_length() - 1
            if wins & bit:
                yield origin, target, 0, 1
            else:
                builds = NEIGHBOURS[target] & buildable & ~bit
                if builds:
                    yield origin, target, builds, 0


def count_turns(position: Position, seat: int) -> tuple[int, int]:
    """Count the whole turns: (all, winning)."""
    total = wins = 0
    for _, _, builds, won in moves_and_sites(position, seat):
        total += won or builds.bit_count()
        wins += won
    return total, wins


def whole_turns(turn: Turn, follower: int) -> Iterator[PlainTurn]:
    """Yield every whole turn, each with a result of its own; ``follower`` is the next seat."""
    position = turn.position
    top = position.levels[3]
    for origin, target, builds, won in moves_and_sites(position, turn.seat):
        moved = _moved(position, origin, target)
        outline = Outline(moved, turn.seat if won else follower, turn.kind if won else "normal")
        if won:
            yield PlainTurn(origin, target, -1, False, outline.key())
        while builds:
            bit = builds & -builds
            builds ^= bit
            site = bit.bit_length() - 1
            yield PlainTurn(origin, target, site, bool(top & bit), outline.key_with(site))


def _moved(position: Position, origin: Square, target: Square) -> Position:
    workers = tuple(target if square == origin else square for square in position.workers)
    occupied = position.occupied ^ BITS[origin] ^ BITS[target]
    return replace(position, workers=workers, occupied=occupied)


def line_of(turn: PlainTurn) -> str:
    """Write a whole turn (T-60)."""
    origin, target = NAMES[turn.origin], NAMES[turn.target]
    if turn.site < 0:
        return f"{origin}>{target}#"
    return f"{origin}>{target} {target}^{NAMES[turn.site]}{'*' if turn.dome else ''}"


def steps_of(turn: PlainTurn) -> tuple[Step, ...]:
    """Return the steps of a whole turn."""
    move = MOVES[turn.origin][turn.target]
    if turn.site < 0:
        return (move,)
    return move, (DOMES if turn.dome else BLOCKS)[turn.target][turn.site]
