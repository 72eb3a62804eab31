"""Drawn boards: a picture of the table in, a turn out, and back.

A cell is a level and an occupant: ``.`` nobody, ``*`` a dome, a letter for a worker. A letter is a
seat (``A`` is seat 1), a capital a male worker, a small letter a female one. What stands behind or
below the ranks is the legend, its items two blanks apart::

    B to play      whose turn it is; ``A to play dionysus`` for an extra turn
    A athena=1     a power and its memory: the value of its only member, or ``name:value;...``
    talus b4       a token on a square; ``wind N``; ``ram c3 pan`` turns on Golden Fleece
    last moved b2  the worker its own side moved last
    pair b3-b4     the pair chosen by the side of the first worker
    out C          an eliminated seat
    trio           the variant, ``duel`` when nothing is said
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import Any

import domain.powers  # noqa: F401  (fills the registry)
from domain.board.position import VARIANTS, Position
from domain.rules.automatic import automatic_steps
from domain.rules.engine import Happening, legal_steps, legal_turns, open_turn, play
from domain.rules.lines import automatic_text
from domain.rules.positions import read_position
from domain.rules.power import REGISTRY
from domain.rules.step import Step, text_of
from domain.rules.turn import Turn

_RANK = re.compile(r"^\s*([1-5])\s+((?:[0-3][.*A-Da-d]\s*){5})(.*)$")
_TOKEN = re.compile(r"\{(\w+): ([^}]*)\}|(\([^)]*\)|\S+)")
_LOOSE = ("coin", "talus", "whirlpool")


def board(drawing: str) -> Turn:
    """Read a drawing (see the module) as the start of a turn, S1 and S2 done."""
    data: dict[str, Any] = {"variant": "duel", "powers_mode": "none", "domes": [], "workers": []}
    data |= {"powers": [], "tokens": [], "pending": {}, "to_move": {"seat": 1, "kind": "normal"}}
    ranks: dict[str, str] = {}
    legend: list[str] = []
    for line in drawing.splitlines():
        match = _RANK.match(line)
        if match:
            ranks[match[1]] = match[2]
            legend += re.split(r"\s{2,}", match[3].strip())
        elif len(ranks) == 5:
            legend += re.split(r"\s{2,}", line.strip())
    _draw(data, ranks)
    for item in legend:
        if item and not _read(data, item.split()):
            raise ValueError(f"no such legend: {item!r}")
    if data["powers"] and data["powers_mode"] == "none":
        data["powers_mode"] = "gods"
    position, seat, kind = read_position(data)
    return open_turn(position, seat, kind)


def _draw(data: dict[str, Any], ranks: dict[str, str]) -> None:
    levels = []
    for rank in "54321":
        for file, cell in zip("abcde", ranks[rank].split(), strict=True):
            square, level, occupant = file + rank, cell[0], cell[1]
            levels.append(level)
            if occupant == "*":
                data["domes"].append(square)
            elif occupant != ".":
                seat = "ABCD".index(occupant.upper()) + 1
                sex = "f" if occupant.islower() else "m"
                data["workers"].append({"square": square, "seat": seat, "sex": sex})
    data["levels"] = "".join(levels)
    data["workers"].sort(key=lambda worker: (worker["seat"], worker["sex"], worker["square"]))


def _read(data: dict[str, Any], words: list[str]) -> bool:
    match words:
        case [seat, "to", "play", *kind] if seat in "ABCD":
            kinds = kind or ["normal"]
            data["to_move"] = {"seat": "ABCD".index(seat) + 1, "kind": kinds[0]}
        case [seat, card] if seat in "ABCD":
            data["powers"].append({"seat": "ABCD".index(seat) + 1} | _card(card))
        case ["wind", direction]:
            data["tokens"].append({"name": "wind", "direction": direction})
        case ["ram", square, power]:
            data["powers_mode"] = "golden_fleece"
            data["ram"] = {"square": square, "power": power}
        case ["last", "moved", *squares]:
            sides = {worker["square"]: worker["seat"] for worker in data["workers"]}
            data["pending"]["last_moved"] = {str(sides[square]): square for square in squares}
        case ["pair", pair]:
            own, other = pair.split("-")
            data["pending"]["adonis"] = {"own": own, "other": other}
        case ["out", seat]:
            data["pending"].setdefault("eliminated", []).append("ABCD".index(seat) + 1)
        case [name, square] if name in _LOOSE:
            data["tokens"].append({"name": name, "square": square})
        case [variant] if variant in VARIANTS:
            data["variant"] = variant
        case _:
            return False
    return True


def _card(text: str) -> dict[str, Any]:
    key, _, memory = text.partition("=")
    power = REGISTRY[key]
    state = power.state(power.initial_note())
    if not memory:
        return {"key": key, "state": state}
    pairs = [part.split(":") for part in memory.split(";")] if ":" in memory else []
    given = {name: _value(value) for name, value in pairs} or {next(iter(state)): _value(memory)}
    return {"key": key, "state": state | given}


def _value(text: str) -> Any:
    if "+" in text:
        return [part for part in text.split("+") if part]
    try:
        return json.loads(text)
    except ValueError:
        return text


def show(position: Position) -> str:
    """Draw the board of a position, ranks 5 to 1, in the cells of this module."""
    rows = ["    a  b  c  d  e"]
    for rank in range(4, -1, -1):
        cells = []
        for square in range(rank * 5, rank * 5 + 5):
            occupant = "*" if position.domes >> square & 1 else "."
            worker = position.worker_at(square)
            if worker >= 0:
                figure = position.figures[worker]
                occupant = "abcd"[figure.seat - 1]
                occupant = occupant if figure.sex == "f" else occupant.upper()
            cells.append(f"{position.level(square)}{occupant}")
        rows.append(f"{rank + 1}   {' '.join(cells)}")
    return "\n".join(rows)


def on_board(test: Callable[..., None]) -> Callable[[], None]:
    """Hand a test the turn that its docstring draws."""

    @functools.wraps(test)
    def drawn() -> None:
        test(board(test.__doc__ or ""))

    del drawn.__wrapped__
    return drawn


def moves(turn: Turn) -> set[str]:
    """Write the legal steps of the seat to act."""
    return {text_of(step) for step in legal_steps(turn)}


def lines(turn: Turn) -> set[str]:
    """Write the canonical legal turns (T-63)."""
    return {legal.line for legal in legal_turns(turn, 100_000)[0]}


def words_of(line: str) -> list[tuple[str, str]]:
    """Split a line (T-60) into pairs of the interrupting seat, or nothing, and an event."""
    return [(m[1] or "", m[2] or m[3]) for m in _TOKEN.finditer(line)]


def step_named(turn: Turn, text: str) -> Step:
    """Return the legal step written like this.

    Raises:
        AssertionError: it is not legal.
    """
    found = {text_of(step): step for step in legal_steps(turn)}
    assert text in found, f"{text} is not among {sorted(found)}"
    return found[text]


def brackets(happenings: tuple[Happening, ...]) -> list[str]:
    """Write the automatic events among some happenings that have a form (T-60)."""
    texts = [automatic_text(happening.fact) for happening in happenings if happening.automatic]
    return [text for text in texts if text]


def after(turn: Turn, line: str) -> Turn:
    """Play a line and return the turn; the events in brackets must be exactly what happens.

    Raises:
        AssertionError: a step is illegal, or something else happens.
    """
    words = words_of(line)
    while words:
        asked, text = words.pop(0)
        if asked:
            assert turn.asked == "ABCD".index(asked) + 1
        turn, happenings, cancelled = play(turn, step_named(turn, text.removeprefix("!")))
        assert bool(cancelled) == text.startswith("!")
        expected = []
        while words and words[0][1].startswith("["):
            expected.append(words.pop(0)[1])
        assert brackets(happenings) == expected
    return turn


def clock(turn: Turn) -> str:
    """Write the steps the clock would play (C-36)."""
    return " ".join(text_of(step) for step in automatic_steps(turn))
