"""The board as a picture: SVG that a person, a screen reader and a diff can read."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from app.services.types import Snapshot
from app.views.sight import Viewer, seen
from domain.board.geometry import BITS, NAMES, SQUARES, WIDTH
from domain.board.position import Position
from domain.game.state import Game

CELL = 100
MARGIN = 40
LEGEND_LINE = 26
BOARD = CELL * WIDTH

SIDE_COLOURS = {1: "#1d5fa8", 2: "#c2571a", 3: "#2e7d4f", 4: "#7a3e9d"}
SIDE_WORDS = {1: "blue", 2: "orange", 3: "green", 4: "purple"}
_STOREYS = ((8, "#f4f1e8"), (18, "#e3dcc8"), (28, "#cfc4a6"))
"""Inset in pixels and colour of the first, second and third storey."""
_STYLE = (
    "text{font-family:system-ui,sans-serif;fill:#26302b}"
    ".coordinate{font-size:16px;text-anchor:middle}"
    ".level{font-size:13px;fill:#5a5344}"
    ".token{font-size:14px;text-anchor:middle}"
    ".worker text{font-size:22px;font-weight:700;text-anchor:middle;fill:#fff}"
    ".legend{font-size:16px}"
)


def board_svg(snapshot: Snapshot, viewer: Viewer) -> str:
    """Draw the board with levels, domes, workers, tokens and who is who."""
    game = snapshot.game
    assert game.position is not None
    position = seen(game.position, viewer)
    width = BOARD + 2 * MARGIN
    height = BOARD + 2 * MARGIN + LEGEND_LINE * (len(game.chairs) + 1)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="title desc">'
    )
    parts = [
        opening,
        f'<title id="title">{escape(_title(snapshot))}</title>',
        f'<desc id="desc">{escape(_description(position))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fffdf6"/>',
        *_coordinates(),
        *(line for square in SQUARES for line in _square(position, square)),
        *_beside(position),
        *_legend(game),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(snapshot: Snapshot) -> str:
    game = snapshot.game
    return f"Santorini, {game.settings.variant}, {game.status}, version {game.version}"


def _description(position: Position) -> str:
    """Say in words what the picture shows."""
    sentences = []
    for square in SQUARES:
        level, dome = position.level(square), position.domes & BITS[square]
        if level or dome:
            sentences.append(f"{NAMES[square]} level {level}{' with a dome' if dome else ''}.")
    for figure, square in zip(position.figures, position.workers, strict=True):
        if square >= 0:
            sentences.append(f"{NAMES[square]} {_worker_words(figure.side, figure.sex)}.")
    return " ".join(sentences) or "The board is empty."


def _worker_words(side: int, sex: str) -> str:
    return f"{'female' if sex == 'f' else 'male'} worker of side {side} ({SIDE_WORDS[side]})"


def _corner(square: int) -> tuple[int, int]:
    """Return the upper left corner of a square; rank 1 is at the bottom."""
    file, rank = square % WIDTH, square // WIDTH
    return MARGIN + file * CELL, MARGIN + (WIDTH - 1 - rank) * CELL


def _coordinates() -> Iterator[str]:
    for index in range(WIDTH):
        x = MARGIN + index * CELL + CELL // 2
        y = MARGIN + (WIDTH - 1 - index) * CELL + CELL // 2
        yield f'<text class="coordinate" x="{x}" y="{MARGIN + BOARD + 24}">{"abcde"[index]}</text>'
        yield f'<text class="coordinate" x="{MARGIN - 18}" y="{y + 6}">{index + 1}</text>'


def _square(position: Position, square: int) -> Iterator[str]:
    x, y = _corner(square)
    level = position.level(square)
    yield f'<g id="{NAMES[square]}">'
    yield (
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#8fb56c" stroke="#5f7f45"/>'
    )
    for inset, colour in _STOREYS[:level]:
        side = CELL - 2 * inset
        yield (
            f'<rect x="{x + inset}" y="{y + inset}" width="{side}" height="{side}" rx="4" '
            f'fill="{colour}" stroke="#8a7f63"/>'
        )
    if level:
        yield f'<text class="level" x="{x + 12}" y="{y + 22}">{level}</text>'
    if position.domes & BITS[square]:
        yield (
            f'<circle cx="{x + CELL // 2}" cy="{y + CELL // 2}" r="20" fill="#2d6cdf" '
            'stroke="#173f8a" stroke-width="2"/>'
        )
    yield from _on_square(position, square, x + CELL // 2, y + CELL // 2)
    yield "</g>"


def _on_square(position: Position, square: int, x: int, y: int) -> Iterator[str]:
    for token in position.tokens:
        if token.square == square:
            yield f'<text class="token" x="{x}" y="{y + 34}">{escape(token.name)}</text>'
    for figure, place in zip(position.figures, position.workers, strict=True):
        if place == square:
            letter = "F" if figure.sex == "f" else "M"
            yield (
                f'<g class="worker"><title>{_worker_words(figure.side, figure.sex)}</title>'
                f'<circle cx="{x}" cy="{y}" r="21" fill="{SIDE_COLOURS[figure.side]}" '
                f'stroke="#fff" stroke-width="3"/>'
                f'<text x="{x}" y="{y + 8}">{letter}</text></g>'
            )


def _beside(position: Position) -> Iterator[str]:
    words = [f"{t.name} {t.direction}" for t in position.tokens if t.direction]
    if words:
        x = MARGIN + BOARD // 2
        yield f'<text class="token" x="{x}" y="{MARGIN - 14}">{escape(", ".join(words))}</text>'


def _legend(game: Game) -> Iterator[str]:
    """List the seats: colour, name, power, and whose turn it is."""
    y = MARGIN + BOARD + MARGIN + 18
    for chair in game.chairs:
        name = "free" if chair.name is None else chair.name
        notes = [chair.power] if chair.power else []
        if chair.status == "eliminated":
            notes.append("eliminated")
        if game.clock is not None and game.clock.seat == chair.seat:
            notes.append("to act")
        if game.result is not None and chair.seat in game.result.winners:
            notes.append("won")
        text = f"S{chair.seat} {name}" + (f" ({', '.join(notes)})" if notes else "")
        yield (
            f'<circle cx="{MARGIN + 8}" cy="{y - 5}" r="8" fill="{SIDE_COLOURS[chair.side]}"/>'
            f'<text class="legend" x="{MARGIN + 26}" y="{y}">{escape(text)}</text>'
        )
        y += LEGEND_LINE
