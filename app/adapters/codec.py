"""Domain entries to event envelopes and back (contract, section 6).

One table says how each kind of data is written: attribute, member, form. A ``seat`` that is not
among the members stands in the envelope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from app.adapters import times, upcasters
from app.adapters.settings_codec import settings_from, settings_json
from domain.board import facts
from domain.board.facts import Fact
from domain.board.geometry import BY_NAME, NAMES, OFF_BOARD
from domain.game import events
from domain.game.events import PLAYER, SERVER, Created, Data, Entry, Loser
from domain.game.state import RAM

Json: TypeAlias = dict[str, Any]


class UnreadableEvent(ValueError):
    """An envelope that is none of ours; the message says what is wrong with it."""


class Form(NamedTuple):
    """How one kind of value is written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def _moment(value: int | None) -> str | None:
    return None if value is None else times.written(value)


def _millis(value: str | None) -> int | None:
    return None if value is None else times.read(value)


def _pairs(value: Iterable[tuple[int, int]]) -> list[list[str]]:
    return [[NAMES[a], NAMES[b]] for a, b in value]


def _losers(value: Iterable[Loser]) -> list[Json]:
    return [{"seat": loser.seat, "reason": loser.reason} for loser in value]


PLAIN = Form(_same, _same)
LIST = Form(list, tuple)
SQUARE = Form(NAMES.__getitem__, BY_NAME.__getitem__)
PIECE = Form(lambda dome: "dome" if dome else "block", {"dome": True, "block": False}.__getitem__)
TIME = Form(_moment, _millis)
PAIRS = Form(_pairs, lambda value: tuple((BY_NAME[a], BY_NAME[b]) for a, b in value))
LOSERS = Form(_losers, lambda value: tuple(Loser(one["seat"], one["reason"]) for one in value))
SETTINGS = Form(settings_json, settings_from)


class Member(NamedTuple):
    """One member of an event's ``data``; left out when the value is the ``blank`` one."""

    attribute: str
    name: str
    form: Form = PLAIN
    blank: Any = ...


class Shape(NamedTuple):
    """The name of an event type and the members of its data, in order."""

    type: str
    members: tuple[Member, ...] = ()


_NUMBERED = (Member("number", "number"), Member("kind", "kind"))
_HOLDING = (Member("seat", "seat"), Member("power", "power"))
_CARD = Member("card", "card", blank="")

SHAPES: dict[type[Any], Shape] = {
    events.Created: Shape(
        "created", (Member("settings", "settings", SETTINGS), Member("imported", "imported"))
    ),
    events.Joined: Shape("joined", (Member("name", "name"),)),
    events.Left: Shape("left"),
    events.Started: Shape(
        "started", (Member("start_seat", "start_seat"), Member("powers", "powers", LIST))
    ),
    events.Offered: Shape("offered", (Member("powers", "powers", LIST), Member("final", "final"))),
    facts.Chosen: Shape("chosen", (Member("name", "name"), Member("value", "value"))),
    facts.Placed: Shape("placed", (Member("to", "to", SQUARE), Member("sex", "sex"))),
    facts.WorkerPlaced: Shape("worker_placed", (Member("to", "to", SQUARE), Member("sex", "sex"))),
    facts.Moved: Shape("moved", (Member("origin", "from", SQUARE), Member("to", "to", SQUARE))),
    facts.Forced: Shape("forced", (Member("origin", "from", SQUARE), Member("to", "to", SQUARE))),
    facts.Exchanged: Shape("exchanged", (Member("pairs", "pairs", PAIRS),)),
    facts.Built: Shape(
        "built",
        (
            Member("origin", "from", SQUARE),
            Member("at", "at", SQUARE),
            Member("dome", "piece", PIECE),
        ),
    ),
    facts.BlockRemoved: Shape(
        "block_removed", (Member("at", "at", SQUARE), Member("count", "count"))
    ),
    facts.WorkerRemoved: Shape("worker_removed", (Member("at", "at", SQUARE),)),
    facts.TokenPlaced: Shape(
        "token_placed",
        (
            Member("token", "token"),
            Member("at", "at", SQUARE, OFF_BOARD),
            Member("direction", "direction", blank=""),
            Member("card", "power", blank=""),
        ),
    ),
    facts.TokenRemoved: Shape(
        "token_removed",
        (
            Member("token", "token"),
            Member("at", "at", SQUARE, OFF_BOARD),
            Member("direction", "direction", blank=""),
        ),
    ),
    facts.PowerGained: Shape("power_gained", (*_HOLDING, Member("note", "state"), _CARD)),
    facts.PowerChanged: Shape("power_changed", (*_HOLDING, Member("note", "state"), _CARD)),
    facts.PowerLost: Shape("power_lost", (*_HOLDING, Member("reason", "reason"))),
    events.StepCancelled: Shape(
        "step_cancelled", (Member("step", "step"), Member("square", "square"))
    ),
    events.Passed: Shape("passed"),
    events.Resigned: Shape("resigned"),
    events.Cancelled: Shape("cancelled"),
    events.TurnStarted: Shape("turn_started", (*_NUMBERED, Member("deadline", "deadline", TIME))),
    events.TurnEnded: Shape("turn_ended", (*_NUMBERED, Member("explicit", "explicit"))),
    events.TimedOut: Shape("timed_out", (Member("count", "count"),)),
    events.ClockRestarted: Shape(
        "clock_restarted", (Member("deadline", "deadline", TIME), Member("reason", "reason"))
    ),
    events.Eliminated: Shape(
        "eliminated", (Member("seats", "seats", LIST), Member("reason", "reason"))
    ),
    events.Finished: Shape(
        "finished",
        (
            Member("winners", "winners", LIST),
            Member("reason", "reason"),
            Member("losers", "losers", LOSERS),
        ),
    ),
    events.RematchCreated: Shape("rematch_created", (Member("game_id", "game_id"),)),
}
_BY_TYPE: dict[str, type[Any]] = {shape.type: data for data, shape in SHAPES.items()}
_SEATED: frozenset[type[Any]] = frozenset(
    data
    for data, shape in SHAPES.items()
    if "seat" in data.__struct_fields__ and "seat" not in {m.attribute for m in shape.members}
)
TYPES: tuple[str, ...] = tuple(_BY_TYPE)
"""Every event type, in the contract's order."""


def data_json(data: Data) -> Json:
    """Write the ``data`` member of an event."""
    written: Json = {}
    for attribute, name, form, blank in SHAPES[type(data)].members:
        value = getattr(data, attribute)
        if attribute == "note":
            assert isinstance(data, facts.PowerGained | facts.PowerChanged)
            value = _power(data.power).state(value)
        if blank is ... or value != blank:
            written[name] = form.write(value)
    return written


def data_from(type_name: str, seat: int | None, written: Json) -> Data:
    """Read the data of an event of today's schema back.

    Raises:
        UnreadableEvent: an unknown type, or members that are missing or wrong.
    """
    kind = _BY_TYPE.get(type_name)
    if kind is None:
        raise UnreadableEvent(f"unknown event type {type_name!r}")
    values: Json = {"seat": seat} if kind in _SEATED else {}
    if kind is Created:
        values["creator_seat"] = seat
    try:
        for attribute, name, form, blank in SHAPES[kind].members:
            if blank is not ... and name not in written:
                continue
            value = form.read(written[name])
            if attribute == "note":
                value = _note(_power(written["power"]), value)
            values[attribute] = value
        if kind is facts.TokenPlaced and values["token"] == RAM:
            values["seat"] = 0  # the Ram is nobody's; the envelope names who put it down
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableEvent(f"{type_name}: wrong or missing member ({error})") from error
    data: Data = kind(**values)
    return data


def _power(key: str) -> Any:
    from domain.powers import CATALOGUE

    return CATALOGUE[key]


def _note(power: Any, state: Json) -> Any:
    """Read a card's memory; the one it starts with may be too little to play on with."""
    first = power.initial_note()
    return first if state == power.state(first) else power.note_from(state)


def seat_of(entry: Entry) -> int | None:
    """Return the seat an envelope names: that of the data where it has one of its own."""
    if type(entry.data) in _SEATED:
        return getattr(entry.data, "seat", None) or entry.seat
    if isinstance(entry.data, Created):
        return entry.data.creator_seat
    return entry.seat


def _hidden_json(fact: Fact, seat: int | None) -> Json:
    own = getattr(fact, "seat", seat) if type(fact) in _SEATED else seat
    return {"type": SHAPES[type(fact)].type, "seat": own, "data": data_json(fact)}


def body_of(entry: Entry, game_id: str, version: int, at: int, command: str) -> Json:
    """Write one entry as an envelope without hashes."""
    seat = seat_of(entry)
    body: Json = {
        "game_id": game_id,
        "version": version,
        "type": SHAPES[type(entry.data)].type,
        "schema": upcasters.schema_of(SHAPES[type(entry.data)].type),
        "at": times.written(at),
        "seat": seat,
        "actor": entry.actor,
        "cause": version - entry.back,
        "command": command,
        "data": data_json(entry.data),
    }
    if entry.nonce:
        body["nonce"] = entry.nonce
    if entry.hidden is not None:
        body["hidden"] = [_hidden_json(fact, seat) for fact in entry.hidden]
    return body


def entry_of(body: Json) -> Entry:
    """Read an envelope of any schema back into the domain's entry.

    Raises:
        UnreadableEvent: the envelope is none of ours.
    """
    try:
        type_name, data = upcasters.current(body["type"], body["schema"], body["data"])
        hidden = body.get("hidden")
        if body["actor"] not in (PLAYER, SERVER):
            raise UnreadableEvent(f"unknown actor {body['actor']!r}")
        return Entry(
            data_from(type_name, body["seat"], data),
            body["seat"],
            body["actor"],
            body["version"] - body["cause"],
            None if hidden is None else tuple(_hidden_from(one) for one in hidden),
            body.get("nonce", ""),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableEvent(f"wrong or missing member ({error})") from error


def _hidden_from(written: Json) -> Fact:
    found = data_from(written["type"], written["seat"], written["data"])
    if not isinstance(found, Fact):
        raise UnreadableEvent(f"{written['type']} is not what can happen unseen")
    return found
