"""The board as a picture: SVG that a person, a screen reader and a diff can read."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from app.services.types import Snapshot
from app.views.pieces import (
    CELL,
    DEFINITIONS,
    SIDE_COLOURS,
    STYLE,
    arrow,
    chip,
    dome,
    square_ground,
    storeys,
    tag,
    token,
    worker,
    worker_words,
)
from app.views.sight import Viewer, seen
from domain.board.geometry import BITS, DIRECTIONS, NAMES, SQUARES, WIDTH
from domain.board.position import Position
from domain.game.pool import catalogue
from domain.game.state import Chair, Game

MARGIN = 46
TOP = 40
"""Height of the caption above the board."""
ROW = 46
BOARD = CELL * WIDTH
PAGE = BOARD + 2 * MARGIN
LONG_NAME = 26
"""Names of more characters are set smaller, so that the longest fits."""


def board_svg(snapshot: Snapshot, viewer: Viewer) -> str:
    """Draw the board with levels, domes, workers, tokens and who is who."""
    game = snapshot.game
    assert game.position is not None
    position = seen(game.position, viewer)
    key = _token_words(position)
    height = TOP + PAGE + ROW * len(game.chairs) + (26 if key else 12)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE} {height}" '
        f'width="{PAGE}" height="{height}" role="img" aria-labelledby="title desc">'
    )
    parts = [
        opening,
        f'<title id="title">{escape(_title(snapshot))}</title>',
        f'<desc id="desc">{escape(_description(position))}</desc>',
        f"<style>{STYLE}</style>",
        DEFINITIONS,
        f'<rect class="paper" width="{PAGE}" height="{height}"/>',
        f'<rect class="sea" x="6" y="{TOP + 6}" width="{PAGE - 12}" height="{PAGE - 12}" rx="16"/>',
        *_caption(game),
        *_coordinates(),
        *(_square(position, square) for square in SQUARES),
        *_beside(position),
        *_seats(game),
        f'<text class="notes" x="{MARGIN}" y="{height - 14}">{escape(key)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(snapshot: Snapshot) -> str:
    game = snapshot.game
    return f"Santorini, {game.settings.variant}, {game.status}, version {game.version}"


def _description(position: Position) -> str:
    """Say in words what the picture shows."""
    sentences = [
        f"{NAMES[square]} {_square_words(position, square)}."
        for square in SQUARES
        if position.level(square) or _things_on(position, square)
    ]
    sentences += [f"{t.name} {t.direction}." for t in position.tokens if t.direction]
    return " ".join(sentences) or "The board is empty."


def _square_words(position: Position, square: int) -> str:
    return ", ".join([f"level {position.level(square)}", *_things_on(position, square)])


def _things_on(position: Position, square: int) -> list[str]:
    """Name what stands and lies on a square."""
    words = ["dome"] if position.domes & BITS[square] else []
    for figure, place in zip(position.figures, position.workers, strict=True):
        if place == square:
            words.append(worker_words(figure.side, figure.sex))
    words += [
        f"{each.name} with {each.card}" if each.card else each.name
        for each in position.tokens
        if each.square == square
    ]
    return words


def _corner(square: int) -> tuple[int, int]:
    """Return the upper left corner of a square; rank 1 is at the bottom."""
    file, rank = square % WIDTH, square // WIDTH
    return MARGIN + file * CELL, TOP + MARGIN + (WIDTH - 1 - rank) * CELL


def _caption(game: Game) -> Iterator[str]:
    """Say above the board which game this is and how far it has come."""
    yield (
        f'<text class="caption" x="{MARGIN}" y="28"><tspan class="said">Santorini</tspan> · '
        f"{game.settings.variant.replace('_', ' ')}</text>"
    )
    number = f"turn {game.clock.number} · " if game.clock and game.clock.number else ""
    yield (
        f'<text class="caption end" x="{PAGE - MARGIN}" y="28">{number}version {game.version} · '
        f'<tspan class="said">{game.status}</tspan></text>'
    )


def _coordinates() -> Iterator[str]:
    for index in range(WIDTH):
        x = MARGIN + index * CELL + CELL // 2
        y = TOP + MARGIN + (WIDTH - 1 - index) * CELL + CELL // 2 + 6
        below = TOP + MARGIN + BOARD + 25
        yield f'<text class="coordinate" x="{x}" y="{below}">{"abcde"[index]}</text>'
        yield f'<text class="coordinate" x="{MARGIN - 20}" y="{y}">{index + 1}</text>'


def _square(position: Position, square: int) -> str:
    x, y = _corner(square)
    parts = [
        f'<g id="{NAMES[square]}">',
        f"<title>{NAMES[square]}: {_square_words(position, square)}</title>",
        square_ground(x, y, dark=square % 2 == 0),
        storeys(x, y, position.level(square)),
    ]
    if position.domes & BITS[square]:
        parts.append(dome(x + CELL // 2, y + CELL // 2))
    places = zip(position.figures, position.workers, strict=True)
    here = [figure for figure, place in places if place == square]
    for index, figure in enumerate(here):
        aside = 32 * index - 16 * (len(here) - 1)
        parts.append(worker(x + CELL // 2 + aside, y + CELL // 2, figure.side, figure.sex))
    lying = [each.name for each in position.tokens if each.square == square]
    for index, name in enumerate(lying):
        parts.append(token(x + 21, y + 21 + 32 * index, name))
    return "".join([*parts, "</g>"])


def _beside(position: Position) -> Iterator[str]:
    """Draw what lies beside the board on the side it points to."""
    middle, reach = BOARD // 2, BOARD // 2 + 23
    for each in position.tokens:
        if each.direction:
            dx, dy = DIRECTIONS[each.direction]
            x, y = MARGIN + middle + dx * reach, TOP + MARGIN + middle - dy * reach
            yield arrow(x, y, each.name, each.direction)


def _token_words(position: Position) -> str:
    """Explain the tokens there are, each kind once."""
    words = {}
    for each in position.tokens:
        mark = {"whirlpool": "spiral"}.get(each.name, each.name[0].upper())
        if each.direction:
            words[each.name] = f"arrow: {each.name} {each.direction}"
        elif each.card:
            words[each.name] = f"{mark}: {each.name}, with {_named(each.card)}"
        else:
            words[each.name] = f"{mark}: {each.name}"
    return " · ".join(words[name] for name in sorted(words))


def _named(power: str) -> str:
    """Write the name of a power."""
    found = catalogue().get(power)
    return found.name if found else power


def _seats(game: Game) -> Iterator[str]:
    """List the seats: colour, name, power, and what is to be said of each now."""
    y = TOP + PAGE + 18
    for chair in game.chairs:
        name = "free seat" if chair.name is None else chair.name
        size = "name long" if len(name) > LONG_NAME else "name"
        yield chip(MARGIN + 14, y, chair.side)
        yield f'<text class="{size}" x="{MARGIN + 38}" y="{y - 1}">{escape(name)}</text>'
        yield f'<text class="notes" x="{MARGIN + 38}" y="{y + 16}">{_notes(chair)}</text>'
        word, colour = _standing(game, chair)
        if word:
            yield tag(PAGE - MARGIN, y, word, colour)
        y += ROW


def _notes(chair: Chair) -> str:
    return f"seat {chair.seat}" + (f" · {escape(_named(chair.power))}" if chair.power else "")


def _standing(game: Game, chair: Chair) -> tuple[str, str]:
    """Return what is to be said of a seat now, and in which colour; mostly nothing."""
    if game.result is not None and chair.seat in game.result.winners:
        return "won", "#9a7410"
    if chair.status == "eliminated":
        return "eliminated", "#6b7280"
    if game.clock is not None and game.clock.seat == chair.seat:
        return "to act", SIDE_COLOURS[chair.side]
    return "", ""
