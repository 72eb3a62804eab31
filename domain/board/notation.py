"""Text boards: a position drawn for people (C-1), square by square."""

from __future__ import annotations

from domain.board.geometry import BITS, NAMES
from domain.board.position import Position

LETTERS = "ABCD"


def cell(position: Position, square: int) -> str:
    """Draw one square in two characters: level, then ``*`` dome, worker letter or ``.``.

    A side's letter is capital for its first (female) worker's sex and small for males.
    """
    level = str(position.level(square))
    bit = BITS[square]
    if position.domes & bit:
        return level + "*"
    worker = position.worker_at(square)
    if worker < 0:
        return level + "."
    figure = position.figures[worker]
    letter = LETTERS[figure.side - 1]
    return level + (letter.lower() if figure.sex == "f" else letter)


def text_board(position: Position) -> str:
    """Draw the board with rank 5 on top; tokens and their places stand below it."""
    lines = ["    a  b  c  d  e"]
    for rank in range(4, -1, -1):
        cells = " ".join(cell(position, rank * 5 + file) for file in range(5))
        lines.append(f"{rank + 1}   {cells}")
    words = []
    for token in position.tokens:
        place = token.direction or NAMES[token.square]
        words.append(f"{token.name}@{place}{'=' + token.card if token.card else ''}")
    if words:
        lines.append("tokens " + " ".join(sorted(words)))
    return "\n".join(lines) + "\n"
