"""The forms in which shorthand writes events: a mark, and a square or two.

The forms and their numbers are part of every stored log: new ones may be added, none may change.
A form is only used where reading it gives the very same JSON again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import msgspec

from app.adapters import times
from app.adapters.upcasters import FIRST
from domain.board.geometry import BY_NAME, NAMES

Event: TypeAlias = dict[str, Any]
SQUARES = len(NAMES)
_ENCODE = msgspec.json.Encoder().encode
_NONCE = re.compile("[0-9a-f]{32}")


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
            self.seat = small(event["seat"], self.seat)
            self.number = small(data.get("number"), self.number)

    def deadline(self) -> str | None:
        """Return the deadline of a turn that begins now."""
        return times.written(self.at + self.span) if self.span else None


def small(value: object, otherwise: int) -> int:
    """Return a value that can be written as a number; ``True`` is none."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        return otherwise
    return value


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
JSON = 0
_OTHER_ACTOR, WITH_NONCE, WITH_HIDDEN = 0x20, 0x40, 0x80
FORM_BITS = 0x1F
_OTHER = {"player": "server", "server": "player"}


def mark_of(event: Event, context: Context) -> tuple[int, tuple[int, ...]] | None:
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
        found = told_by(mark | flags, picked, context, event["version"])
        if _same(found, event):
            return mark | flags, picked
    return None


def _flags(event: Event) -> int | None:
    nonce, hidden = event.get("nonce"), event.get("hidden")
    if nonce is not None and not (isinstance(nonce, str) and _NONCE.fullmatch(nonce)):
        return None
    if hidden not in (None, []) or event["actor"] not in _OTHER:
        return None
    return (WITH_NONCE if "nonce" in event else 0) | (WITH_HIDDEN if "hidden" in event else 0)


def told_by(mark: int, picked: tuple[int, ...], context: Context, version: int) -> Event:
    """Return type, schema, seat, actor, cause and data of a marked event."""
    form = FORMS[mark & FORM_BITS]
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
