"""Shorthand: consecutive events in a few bytes each, given back exactly, member order included.

What an event shares with its neighbours, or follows from its place, is not written: game id,
version, whose turn it is, its number, the time it is given. What remains is a mark and a square
or two. An event of no known form is written as JSON, so everything can be written; a form is
only used where reading it gives the very same JSON. Hashes are not written: the chain tells them.

Events of one time and one command are a *run*. Runs are written into columns, which a block keeps
as one and a whole log apart, because like bytes compress better side by side. The forms and their
numbers are part of every stored log: new ones may be added, none may change.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from app.adapters import times
from app.adapters.upcasters import FIRST
from domain.board.geometry import BY_NAME, NAMES

Event: TypeAlias = dict[str, Any]
Column = TypeVar("Column")
SQUARES = len(NAMES)

_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder().decode
_USUAL = {"schema": FIRST, "actor": "player"}
_NONCE = re.compile("[0-9a-f]{32}")
_NONCE_BYTES = 16


class Reader:
    """Bytes being read, from the first to the last.

    Every method raises ``ValueError`` where there are too few.
    """

    __slots__ = ("_data", "_place")

    def __init__(self, data: bytes) -> None:
        """Begin at the beginning."""
        self._data = data
        self._place = 0

    def byte(self) -> int:
        """Read one byte."""
        return self.take(1)[0]

    def take(self, count: int) -> bytes:
        """Read so many bytes."""
        start, self._place = self._place, self._place + count
        if self._place > len(self._data):
            raise ValueError("it ends too early")
        return self._data[start : self._place]

    def number(self) -> int:
        """Read a number as ``put`` wrote it."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number has no end")

    def text(self) -> bytes:
        """Read bytes that stand behind their number."""
        return self.take(self.number())

    @property
    def place(self) -> int:
        """How many bytes were read."""
        return self._place

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self._place == len(self._data)


def put(column: bytearray, value: int) -> None:
    """Write a number of at least 0, seven bits a byte, the low ones first."""
    while value > 0x7F:
        column.append(value & 0x7F | 0x80)
        value >>= 7
    column.append(value)


def put_text(column: bytearray, text: bytes) -> None:
    """Write bytes behind their number."""
    put(column, len(text))
    column += text


class Sheet(NamedTuple, Generic[Column]):
    """The columns of written events."""

    heads: Column
    times: Column
    commands: Column
    marks: Column
    squares: Column
    nonces: Column
    texts: Column


def one_column(column: Column) -> Sheet[Column]:
    """Return a sheet that keeps everything in one column."""
    return Sheet(*[column] * len(Sheet._fields))


class Context:
    """What is known of the events before: whose turn it is, its number, where a worker stands."""

    __slots__ = ("at", "caused", "number", "seat", "span", "square")

    def __init__(self) -> None:
        """Know nothing yet."""
        self.seat = self.number = self.span = self.at = self.square = self.caused = 0

    def follow(self, event: Event) -> None:
        """Learn from an event, written or read."""
        data = event["data"]
        if event["cause"] == event["version"]:
            self.caused = event["version"]
        if event["type"] == "moved":
            self.square = BY_NAME.get(data.get("to"), self.square)
        elif event["type"] == "turn_started":
            self.seat = _small(event["seat"], self.seat)
            self.number = _small(data.get("number"), self.number)

    def deadline(self) -> str | None:
        """Return the deadline of a turn that begins now."""
        return times.written(self.at + self.span) if self.span else None


def _small(value: object, otherwise: int) -> int:
    """Return a value that can be written as a number; ``True`` is none."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        return otherwise
    return value


# -- forms --------------------------------------------------------------------------------------


class Form(NamedTuple):
    """How events of one type and usual data are written.

    ``pick`` takes from the data what must be written, square numbers or seats; ``build`` makes the
    data of it again.
    """

    type: str
    actor: str
    width: int
    pick: Callable[[Event, Context], tuple[int, ...]]
    build: Callable[[tuple[int, ...], Context], dict[str, Any]]


def _way(first: int, second: int) -> int:
    return (second - first) % SQUARES


def _pick_way(event: Event, context: Context) -> tuple[int, ...]:
    start = BY_NAME[event["data"]["from"]]
    return start, _way(start, BY_NAME[event["data"]["to"]])


def _build_way(picked: tuple[int, ...], context: Context) -> dict[str, Any]:
    start, way = picked
    return {"from": NAMES[start], "to": NAMES[(start + way) % SQUARES]}


def _pick_site(event: Event, context: Context) -> tuple[int, ...]:
    return (_way(context.square, BY_NAME[event["data"]["at"]]),)


def _pick_sites(event: Event, context: Context) -> tuple[int, ...]:
    start = BY_NAME[event["data"]["from"]]
    return start, _way(start, BY_NAME[event["data"]["at"]])


def _builder(piece: str) -> Callable[[tuple[int, ...], Context], dict[str, Any]]:
    def build(picked: tuple[int, ...], context: Context) -> dict[str, Any]:
        start, way = (context.square, *picked) if len(picked) == 1 else picked
        return {"from": NAMES[start], "at": NAMES[(start + way) % SQUARES], "piece": piece}

    return build


def _placer(sex: str) -> Callable[[tuple[int, ...], Context], dict[str, Any]]:
    return lambda picked, context: {"to": NAMES[picked[0]], "sex": sex}


def _pick_place(event: Event, context: Context) -> tuple[int, ...]:
    return (BY_NAME[event["data"]["to"]],)


def _pick_nothing(event: Event, context: Context) -> tuple[int, ...]:
    return ()


def _ender(kind: str, explicit: bool) -> Callable[[tuple[int, ...], Context], dict[str, Any]]:
    return lambda picked, context: {
        "number": context.number,
        "kind": kind,
        "explicit": explicit,
    }


def _pick_seat(event: Event, context: Context) -> tuple[int, ...]:
    return (int(event["seat"]),)


def _starter(kind: str, step: int) -> Callable[[tuple[int, ...], Context], dict[str, Any]]:
    return lambda picked, context: {
        "number": context.number + step,
        "kind": kind,
        "deadline": context.deadline(),
    }


FORMS: dict[int, Form] = {
    1: Form("moved", "player", 2, _pick_way, _build_way),
    2: Form("built", "player", 1, _pick_site, _builder("block")),
    3: Form("built", "player", 1, _pick_site, _builder("dome")),
    4: Form("built", "player", 2, _pick_sites, _builder("block")),
    5: Form("built", "player", 2, _pick_sites, _builder("dome")),
    6: Form("turn_ended", "server", 0, _pick_nothing, _ender("normal", False)),
    7: Form("turn_started", "server", 1, _pick_seat, _starter("normal", 1)),
    8: Form("forced", "server", 2, _pick_way, _build_way),
    9: Form("placed", "player", 1, _pick_place, _placer("f")),
    10: Form("placed", "player", 1, _pick_place, _placer("m")),
    11: Form("turn_ended", "server", 0, _pick_nothing, _ender("placement", False)),
    12: Form("turn_started", "server", 1, _pick_seat, _starter("placement", 0)),
    13: Form("turn_ended", "player", 0, _pick_nothing, _ender("normal", True)),
}
_OF_TYPE = {
    kind: [(mark, form) for mark, form in FORMS.items() if form.type == kind]
    for kind in {form.type for form in FORMS.values()}
}
_JSON = 0
_OTHER_ACTOR, _WITH_NONCE, _WITH_HIDDEN = 0x20, 0x40, 0x80
_FORM = 0x1F
_OTHER = {"player": "server", "server": "player"}


def _mark_of(event: Event, context: Context) -> tuple[int, tuple[int, ...]] | None:
    """Return the mark of an event and what goes with it; None where no form fits."""
    rest = _flags(event)
    if rest is None:
        return None
    for mark, form in _OF_TYPE.get(event["type"], ()):
        try:
            picked = form.pick(event, context)
        except (KeyError, TypeError, ValueError):
            continue
        if len(picked) != form.width or not all(0 <= one < 0x80 for one in picked):
            continue
        flags = rest | (_OTHER_ACTOR if event["actor"] != form.actor else 0)
        built = _built(mark | flags, picked, context, event["version"])
        if _same(built, event):
            return mark | flags, picked
    return None


def _flags(event: Event) -> int | None:
    nonce, hidden = event.get("nonce"), event.get("hidden")
    if nonce is not None and not (isinstance(nonce, str) and _NONCE.fullmatch(nonce)):
        return None
    if hidden not in (None, []) or event["actor"] not in _OTHER:
        return None
    return (_WITH_NONCE if "nonce" in event else 0) | (_WITH_HIDDEN if "hidden" in event else 0)


def _built(mark: int, picked: tuple[int, ...], context: Context, version: int) -> Event:
    """Return type, schema, seat, actor, cause and data of a marked event."""
    form = FORMS[mark & _FORM]
    actor = _OTHER[form.actor] if mark & _OTHER_ACTOR else form.actor
    return {
        "type": form.type,
        "schema": FIRST,
        "seat": picked[0] if form.pick is _pick_seat else context.seat or None,
        "actor": actor,
        "cause": version if actor == "player" else context.caused,
        "data": form.build(picked, context),
    }


def _same(built: Event, event: Event) -> bool:
    """Compare as JSON: to Python, 1 is True and the order of members does not matter."""
    return _ENCODE(list(built.values())) == _ENCODE([event[name] for name in built])


def item_of(event: Event, at: str, command: str) -> list[Any]:
    """Return what must be written of an event of any form: type, seat, data, and the unusual."""
    others = {name: event[name] for name, usual in _USUAL.items() if event[name] != usual}
    if event["at"] != at:
        others["at"] = event["at"]
    if event["command"] != command:
        others["command"] = event["command"]
    if event["cause"] != event["version"]:
        others["back"] = event["version"] - event["cause"]
    for name in ("nonce", "hidden"):
        if name in event:
            others[name] = event[name]
    item = [event["type"], event["seat"], event["data"]]
    return [*item, others] if others else item


def event_of(item: list[Any], game_id: str, version: int, at: str, command: str) -> Event:
    """Return the event, without hashes, of which ``item_of`` made this."""
    others = item[3] if len(item) > 3 else {}
    event = {
        "game_id": game_id,
        "version": version,
        "type": item[0],
        "schema": others.get("schema", FIRST),
        "at": others.get("at", at),
        "seat": item[1],
        "actor": others.get("actor", "player"),
        "cause": version - others.get("back", 0),
        "command": others.get("command", command),
        "data": item[2],
    }
    for name in ("nonce", "hidden"):
        if name in others:
            event[name] = others[name]
    return event


# -- runs ---------------------------------------------------------------------------------------


def runs_of(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Part events where their time or their command changes."""
    for _, run in groupby(events, key=lambda event: (event["at"], event["command"])):
        yield list(run)


_SEAT, _NUMBER, _SPAN = 1, 2, 4


def write_run(run: Sequence[Event], context: Context, sheet: Sheet[bytearray]) -> None:
    """Write events of one time and one command behind those the context has followed."""
    at = times.read(run[0]["at"])
    _write_head(run, at, context, sheet)
    put_command(sheet.commands, run[0]["command"], run[0]["version"] - 1)
    context.caused = run[0]["version"]
    for event in run:
        marked = _mark_of(event, context)
        if marked is None:
            sheet.marks.append(_JSON)
            put_text(sheet.texts, _ENCODE(item_of(event, event["at"], event["command"])))
        else:
            mark, picked = marked
            sheet.marks.append(mark)
            sheet.squares.extend(picked)
            if mark & _WITH_NONCE:
                sheet.nonces.extend(bytes.fromhex(event["nonce"]))
        context.follow(event)


def _write_head(run: Sequence[Event], at: int, context: Context, sheet: Sheet[bytearray]) -> None:
    values = (_small(run[0]["seat"], 0), _number_in(run, context), _span_in(run, at, context))
    known = (context.seat, context.number, context.span)
    put(sheet.heads, len(run))
    flags = sum(1 << n for n in range(3) if values[n] != known[n])
    sheet.heads.append(flags)
    for n in range(3):
        if flags >> n & 1:
            put(sheet.heads, values[n])
    put(sheet.times, _zigzag(at - context.at))
    context.seat, context.number, context.span = values
    context.at = at


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _zagzig(value: int) -> int:
    return -((value + 1) >> 1) if value & 1 else value >> 1


def _number_in(run: Sequence[Event], context: Context) -> int:
    """Return the number of the turn that goes on as a run begins, where the run tells it."""
    for event in run:
        if event["type"] in ("turn_ended", "turn_started"):
            begins = (event["type"], event["data"].get("kind")) == ("turn_started", "normal")
            number = _small(event["data"].get("number"), context.number + begins)
            return max(0, number - begins)
    return context.number


def _span_in(run: Sequence[Event], at: int, context: Context) -> int:
    """Return the milliseconds a turn that begins in the run is given, 0 for no end of time."""
    for event in run:
        if event["type"] == "turn_started" and "deadline" in event["data"]:
            deadline = event["data"]["deadline"]
            return 0 if deadline is None else max(0, times.read(deadline) - at)
    return context.span


def read_run(game_id: str, first: int, context: Context, sheet: Sheet[Reader]) -> list[Event]:
    """Read the next run, whose first event is ``first``; events without hashes.

    Raises:
        ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError: it is damaged.
    """
    count = _read_head(context, sheet)
    at, command = times.written(context.at), read_command(sheet.commands, first - 1)
    context.caused = first
    events = []
    for version in range(first, first + count):
        mark = sheet.marks.byte()
        if mark == _JSON:
            event = event_of(_DECODE(sheet.texts.text()), game_id, version, at, command)
        else:
            event = _read_marked(mark, game_id, version, at, command, context, sheet)
        context.follow(event)
        events.append(event)
    return events


def _read_head(context: Context, sheet: Sheet[Reader]) -> int:
    count, flags = sheet.heads.number(), sheet.heads.byte()
    if not count:
        raise ValueError("a run without events")
    if flags & _SEAT:
        context.seat = sheet.heads.number()
    if flags & _NUMBER:
        context.number = sheet.heads.number()
    if flags & _SPAN:
        context.span = sheet.heads.number()
    context.at += _zagzig(sheet.times.number())
    return count


def _read_marked(
    mark: int,
    game_id: str,
    version: int,
    at: str,
    command: str,
    context: Context,
    sheet: Sheet[Reader],
) -> Event:
    picked = tuple(sheet.squares.take(FORMS[mark & _FORM].width))
    told = _built(mark, picked, context, version)
    event = {
        "game_id": game_id,
        "version": version,
        "type": told["type"],
        "schema": told["schema"],
        "at": at,
        "seat": told["seat"],
        "actor": told["actor"],
        "cause": told["cause"],
        "command": command,
        "data": told["data"],
    }
    if mark & _WITH_NONCE:
        event["nonce"] = sheet.nonces.take(_NONCE_BYTES).hex()
    if mark & _WITH_HIDDEN:
        event["hidden"] = []
    return event


# -- words --------------------------------------------------------------------------------------

_PLAIN = 0
_VERSIONED = {1: "timeout-", 2: "outage-"}
_RAW = 128


def raw_of(text: str) -> bytes | None:
    """Return the bytes of unpadded URL-safe base64; None for what is no such text."""
    if len(text) % 4 == 1:
        return None
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return raw if text_of(raw) == text else None


def text_of(raw: bytes) -> str:
    """Return the unpadded URL-safe base64 of bytes."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def put_command(column: bytearray, command: str, version: int) -> None:
    """Write the id of a command to a game at a version."""
    for kind, word in _VERSIONED.items():
        if command == f"{word}{version}":
            column.append(kind)
            return
    raw = raw_of(command)
    if raw and len(raw) < _RAW and len(command) >= 8:
        column.append(_RAW | len(raw))
        column += raw
    else:
        column.append(_PLAIN)
        put_text(column, command.encode())


def read_command(column: Reader, version: int) -> str:
    """Read the id of a command as ``put_command`` wrote it."""
    kind = column.byte()
    if kind & _RAW:
        return text_of(column.take(kind & ~_RAW))
    if kind == _PLAIN:
        return column.text().decode()
    return f"{_VERSIONED[kind]}{version}"
