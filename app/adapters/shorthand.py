"""Shorthand: consecutive events in a few bytes each, given back exactly, member order included.

What an event shares with its neighbours, or follows from its place, is not written: game id,
version, whose turn it is, its number, the time it is given. What remains is a mark and a square
or two (``forms``). An event of no known form is written as JSON, so everything can be written.
Hashes are not written: the chain tells them.

Events of one time and one command are a *run*. Runs are written into columns, which a block keeps
as one and a whole log apart, because like bytes compress better side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from app.adapters import times
from app.adapters.bits import Reader, put, put_command, put_text, read_command
from app.adapters.forms import (
    FORM_BITS,
    FORMS,
    JSON,
    WITH_HIDDEN,
    WITH_NONCE,
    Context,
    Event,
    mark_of,
    small,
    told_by,
)
from app.adapters.upcasters import FIRST

Column = TypeVar("Column")
_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder().decode
_USUAL = {"schema": FIRST, "actor": "player"}
_NONCE_BYTES = 16


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
        marked = mark_of(event, context)
        if marked is None:
            sheet.marks.append(JSON)
            put_text(sheet.texts, _ENCODE(item_of(event, event["at"], event["command"])))
        else:
            mark, picked = marked
            sheet.marks.append(mark)
            sheet.squares.extend(picked)
            if mark & WITH_NONCE:
                sheet.nonces.extend(bytes.fromhex(event["nonce"]))
        context.follow(event)


def _write_head(run: Sequence[Event], at: int, context: Context, sheet: Sheet[bytearray]) -> None:
    values = (small(run[0]["seat"], 0), _number_in(run, context), _span_in(run, at, context))
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
            number = small(event["data"].get("number"), context.number + begins)
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
        if mark == JSON:
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
    picked = tuple(sheet.squares.take(FORMS[mark & FORM_BITS].width))
    told = told_by(mark, picked, context, version)
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
    if mark & WITH_NONCE:
        event["nonce"] = sheet.nonces.take(_NONCE_BYTES).hex()
    if mark & WITH_HIDDEN:
        event["hidden"] = []
    return event
