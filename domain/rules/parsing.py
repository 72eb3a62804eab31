"""Turn lines read back (T-60): from text to steps and the marks around them."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from domain.board.geometry import BY_NAME, DIRECTIONS, OFF_BOARD, Seat, Square
from domain.rules.step import (
    END,
    PASS,
    Build,
    Choose,
    Exchange,
    Force,
    Move,
    Place,
    PlaceToken,
    PlaceWorker,
    RemoveBlock,
    RemoveBlocks,
    RemoveWorker,
    Step,
    TakeToken,
)

_SQUARE = "[a-e][1-5]"
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Step]], ...]


class Word(Struct, frozen=True):
    """One event of a line: its step (None in brackets), who plays it, and how it is marked."""

    text: str
    step: Step | None = None
    automatic: bool = False
    cancelled: bool = False
    """Written ``!step``: it met a secret (P-39)."""
    seat: Seat = 0
    """The seat of an interrupt's answer; 0 for the active seat."""


class Line(Struct, frozen=True):
    """A turn line: its words, and the marks at its end."""

    words: tuple[Word, ...]
    clock: bool = False
    """``%``: played or completed by the clock."""
    result: str = ""
    """``#``, ``#S1`` or ``##S2`` (possibly several), or nothing."""

    @property
    def steps(self) -> tuple[tuple[Seat, Step], ...]:
        """The chosen steps in order, with 0 for the active seat or the seat of an interrupt."""
        return tuple((word.seat, word.step) for word in self.words if word.step is not None)


class BadNotation(ValueError):
    """A text that is no turn line: what is wrong, and which word (from 0)."""

    def __init__(self, index: int, word: str) -> None:
        super().__init__(f"word {index + 1} is not notation: {word[:40]!r}")
        self.index = index
        self.word = word


def _sq(name: str) -> Square:
    return BY_NAME[name]


def _pairs(match: re.Match[str]) -> Step:
    pairs = [pair.split("~") for pair in match[1].split(",")]
    return Exchange(tuple((_sq(a), _sq(b)) for a, b in pairs))


def _token(match: re.Match[str]) -> Step:
    name, place = match[1], match[2]
    if place == "-":
        return TakeToken(name)
    if place in DIRECTIONS:
        return PlaceToken(name, OFF_BOARD, place)
    return PlaceToken(name, _sq(place))


_PATTERNS = (
    (re.compile(rf"({_SQUARE})>({_SQUARE})"), lambda m: Move(_sq(m[1]), _sq(m[2]))),
    (
        re.compile(rf"({_SQUARE})\^({_SQUARE})(\*?)"),
        lambda m: Build(_sq(m[1]), _sq(m[2]), bool(m[3])),
    ),
    (re.compile(rf"({_SQUARE})~({_SQUARE})"), lambda m: Force(_sq(m[1]), _sq(m[2]))),
    (
        re.compile(rf"\(({_SQUARE}~{_SQUARE}(?:,{_SQUARE}~{_SQUARE})+)\)"),
        _pairs,
    ),
    (re.compile(rf"\+({_SQUARE})[fm]?"), lambda m: PlaceWorker(_sq(m[1]))),
    (re.compile(rf"--({_SQUARE})"), lambda m: RemoveBlocks(_sq(m[1]))),
    (re.compile(rf"-({_SQUARE})"), lambda m: RemoveBlock(_sq(m[1]))),
    (re.compile(rf"x({_SQUARE})"), lambda m: RemoveWorker(_sq(m[1]))),
    (re.compile(rf"@([a-z]+):(-|{_SQUARE}|[NSEW]{{1,2}})"), _token),
    (re.compile(r"=([a-z_]+):([A-Za-z0-9_-]+)"), lambda m: Choose(m[1], m[2])),
    (re.compile(r"\."), lambda m: END),
    (re.compile(r"-"), lambda m: PASS),
)


def parse_step(text: str, placing: bool = False) -> Step | None:
    """Read one chosen step; ``placing`` reads ``+b1`` as a setup placement. None if it is none."""
    for pattern, make in _PATTERNS:
        match = pattern.fullmatch(text)
        if match:
            step = make(match)
            return Place(step.to) if placing and isinstance(step, PlaceWorker) else step
    return None


_SUFFIX = re.compile(r"(%?)((?:##S[1-4])+|#S[1-4]|#)?$")
_INTERRUPT = re.compile(r"\{S([1-4]): ([^{}]*)\}")


def parse_line(text: str, placing: bool = False) -> Line:
    """Read a turn line or a piece of one.

    Raises:
        BadNotation: a word has none of the forms of T-60.
    """
    body = text.strip()
    suffix = _SUFFIX.search(body)
    clock, result = (suffix[1], suffix[2] or "") if suffix else ("", "")
    if suffix:
        body = body[: suffix.start()].rstrip()
    words: list[Word] = []
    position = 0
    while position < len(body):
        if body[position] == " ":
            position += 1
            continue
        interrupt = _INTERRUPT.match(body, position)
        if interrupt:
            words += _answers(interrupt, placing, len(words))
            position = interrupt.end()
            continue
        end = body.find(" ", position)
        word = body[position : end if end >= 0 else len(body)]
        words.append(_word(word, placing, len(words)))
        position += len(word)
    return Line(tuple(words), bool(clock), result)


def _answers(match: re.Match[str], placing: bool, index: int) -> list[Word]:
    seat = int(match[1])
    return [
        Word(word.text, word.step, word.automatic, word.cancelled, seat)
        for word in (_word(text, placing, index) for text in match[2].split())
    ]


def _word(text: str, placing: bool, index: int) -> Word:
    if text.startswith("[") and text.endswith("]"):
        if parse_step(text[1:-1]) is None:
            raise BadNotation(index, text)
        return Word(text, automatic=True)
    cancelled = text.startswith("!")
    step = parse_step(text[1:] if cancelled else text, placing)
    if step is None:
        raise BadNotation(index, text)
    return Word(text, step, cancelled=cancelled)
