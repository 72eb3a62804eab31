"""The record of a game: plain text, written for a viewer and read back (T-62)."""

from __future__ import annotations

import re

from msgspec import Struct

from domain.board.geometry import Seat
from domain.board.position import VARIANTS
from domain.game.lines import UNKNOWN, shown
from domain.game.settings import powers_mode
from domain.game.state import ALL, Game
from domain.rules.engine import BadNotation, parse_line
from domain.rules.parsing import Line

_DRAFT = re.compile(r"S[1-4] \[?=(offer|night_power|power|start_power|start_seat):")
_TURN = re.compile(r"(?:([1-9][0-9]*)\.)?S([1-4]) (.+)")
_OUT = re.compile(r"out S([1-4]) (resignation|timeouts)")
_RESULT = re.compile(r"result S([1-4]) ([a-z_]+)")
_HOLDING = re.compile(r"(S[1-4]|night|ram)=([a-z]+)")
_DECK = re.compile(r"([a-z]+)=([a-z]+(?:[+/][a-z]+)*)")


class Play(Struct, frozen=True):
    """One line of a record: a turn when it has a number, else a draft or setup decision."""

    number: int
    seat: Seat
    line: Line
    text: str


class Exit(Struct, frozen=True):
    """A seat that left the game by itself (C-34, C-37), and why."""

    seat: Seat
    reason: str


class Record(Struct, frozen=True):
    """A record read back. ``powers`` has the keys ``S1`` .. ``S4``, ``night`` and ``ram``.

    ``decks`` tells for a power that has one the orders it was shuffled into, the first one first.
    """

    variant: str
    mode: str
    powers: dict[str, str]
    start: Seat | None
    draft: tuple[Play, ...]
    plays: tuple[Play | Exit, ...]
    result: tuple[Seat, str] | None
    decks: dict[str, tuple[tuple[str, ...], ...]]


class BadRecord(ValueError):
    """A text that is no record of a game: which line (from 1), and what is wrong with it."""

    def __init__(self, number: int, detail: str) -> None:
        super().__init__(f"line {number}: {detail}")
        self.number = number
        self.detail = detail


def record_text(game: Game, viewer: Seat | str | None = None) -> str:
    """Write the record as a viewer may know it: a seat, None for the public, or ``"all"``."""
    lines = [shown(game, line, viewer) for line in game.lines]
    drafted = [line for line in lines if _DRAFT.match(line)]
    rest = [line for line in lines if not _DRAFT.match(line)]
    head = [f"variant {game.settings.variant}/{powers_mode(game.settings)}"]
    start = [] if game.start_seat is None else [f"start S{game.start_seat}"]
    tail = []
    if game.result is not None:
        tail = [f"result S{game.result.winners[0]} {game.result.reason}"]
    return "\n".join([*head, *drafted, *_powers(game, viewer), *start, *rest, *tail]) + "\n"


def _powers(game: Game, viewer: Seat | str | None) -> list[str]:
    words = [f"S{chair.seat}={chair.power}" for chair in game.chairs if chair.power]
    if game.night_power:
        words.append(f"night={game.night_power}")
    if game.ram_power:
        words.append(f"ram={game.ram_power}")
    if viewer == ALL:
        words += _decks(game)
    return [" ".join(["powers", *words])] if words else []


def _decks(game: Game) -> list[str]:
    """Tell the orders of decks, which nobody may know before the end (T-51)."""
    return [
        f"{power}=" + "/".join("+".join(order) for name, order in game.shuffles if name == power)
        for power in dict.fromkeys(name for name, _ in game.shuffles)
    ]


def parse_record(text: str) -> Record:
    """Read a record.

    Raises:
        BadRecord: a line is none of a record, or something in it is secret (``?``).
    """
    found = _Reading()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line:
            found.take(number, line)
    return found.done()


class _Reading:
    """What has been read of a record so far."""

    def __init__(self) -> None:
        self.variant = self.mode = ""
        self.powers: dict[str, str] = {}
        self.start: Seat | None = None
        self.draft: list[Play] = []
        self.plays: list[Play | Exit] = []
        self.result: tuple[Seat, str] | None = None
        self.decks: dict[str, tuple[tuple[str, ...], ...]] = {}

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        if self.result is not None:
            raise BadRecord(number, "Nothing follows the result.")
        word = line.partition(" ")[0]
        if not self.variant and word != "variant":
            raise BadRecord(number, "A record begins with its variant.")
        match word:
            case "variant":
                self._variant(number, line)
            case "powers":
                self._holdings(number, line)
            case "start" if re.fullmatch(r"start S[1-4]", line):
                self.start = int(line[-1])
            case "result" if (match := _RESULT.fullmatch(line)) is not None:
                self.result = int(match[1]), match[2]
            case "out" if (match := _OUT.fullmatch(line)) is not None:
                self.plays.append(Exit(int(match[1]), match[2]))
            case _:
                self._play(number, line)

    def done(self) -> Record:
        """Return the whole record."""
        if not self.variant:
            raise BadRecord(1, "A record begins with its variant.")
        return Record(
            self.variant,
            self.mode,
            self.powers,
            self.start,
            tuple(self.draft),
            tuple(self.plays),
            self.result,
            self.decks,
        )

    def _variant(self, number: int, line: str) -> None:
        variant, _, mode = line.removeprefix("variant").strip().partition("/")
        if self.variant or variant not in VARIANTS or mode not in ("none", "gods", "golden_fleece"):
            raise BadRecord(number, "The variant reads like: variant duel/none.")
        self.variant, self.mode = variant, mode

    def _holdings(self, number: int, line: str) -> None:
        for word in line.split()[1:]:
            if (match := _HOLDING.fullmatch(word)) is not None:
                self.powers[match[1]] = match[2]
            elif (match := _DECK.fullmatch(word)) is not None:
                orders = (tuple(order.split("+")) for order in match[2].split("/"))
                self.decks[match[1]] = tuple(orders)
            else:
                raise BadRecord(number, f"{word[:40]!r} names no seat and power.")

    def _play(self, number: int, line: str) -> None:
        match = _TURN.fullmatch(line)
        if match is None:
            raise BadRecord(number, "A line begins with its seat, a turn with number and seat.")
        if UNKNOWN in line:
            raise BadRecord(number, "A record with secrets in it cannot be played again.")
        try:
            read = parse_line(match[3], placing=match[1] is None)
        except BadNotation as error:
            raise BadRecord(number, f"{error}.") from None
        play = Play(int(match[1] or 0), int(match[2]), read, line)
        if _DRAFT.match(line):
            self.draft.append(play)
        else:
            self.plays.append(play)
