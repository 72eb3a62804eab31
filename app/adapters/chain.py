"""The hash chain of a log: SHA-256 over canonical JSON (RFC 8785), each event bound to the last.

It proves the past to anyone who kept an older head; it does not bind an operator who never
published one.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

import msgspec
import rfc8785
from msgspec import Struct

_SORTED = msgspec.json.Encoder(order="sorted").encode
_UNUSUAL = re.compile(rb'(?:":|[\[,])-?(?:[0-9]{16}|[0-9]+[.eE])')
"""A number that the two encoders may write differently, or something in a text that looks so."""


class Flawed(Struct, frozen=True):
    """The first event at which a log stops being what was written, and why."""

    version: int
    problem: str


def canonical(value: dict[str, Any]) -> bytes:
    """Return a value's canonical JSON (RFC 8785).

    The fast encoder writes it where text is ASCII and numbers are short integers, as in nearly
    every event; sorting and numbers beyond that are left to the package that knows all of it.

    Raises:
        ValueError: the value has no canonical form.
    """
    with contextlib.suppress(ValueError, OverflowError, TypeError):
        text = _SORTED(value)
        if text.isascii() and not _UNUSUAL.search(text):
            return text
    return rfc8785.dumps(value)


def digest(value: dict[str, Any]) -> str:
    """Return ``sha256:`` and the hex hash of a value's canonical JSON.

    Raises:
        ValueError: the value has no canonical form.
    """
    return f"sha256:{sha256(canonical(value)).hexdigest()}"


def genesis(game_id: str, settings: dict[str, Any]) -> str:
    """Return the ``prev_hash`` of event 1: it binds the log to its game and its settings."""
    return digest({"game_id": game_id, "settings": settings})


def sealed(body: dict[str, Any], previous: str) -> dict[str, Any]:
    """Return a body of ours with ``prev_hash`` and ``hash`` added.

    Ours hold no number that is not short and whole, so nobody looks for one; who verifies does.
    """
    linked = {**body, "prev_hash": previous}
    text = _SORTED(linked)
    if not text.isascii():
        text = rfc8785.dumps(linked)
    linked["hash"] = f"sha256:{sha256(text).hexdigest()}"
    return linked


def link(bodies: Iterable[dict[str, Any]], previous: str) -> list[dict[str, Any]]:
    """Chain bodies without hashes on to the hash of the event before them.

    An empty ``previous`` starts a log: its first body is then a ``created`` event.
    """
    linked = []
    for body in bodies:
        previous = previous or genesis(body["game_id"], body["data"]["settings"])
        linked.append(sealed(body, previous))
        previous = linked[-1]["hash"]
    return linked


def flaw_of(envelopes: Sequence[dict[str, Any]], game_id: str, head: str = "") -> Flawed | None:
    """Name the first version that is out of order or does not bear the hash it should.

    ``head``, when given, is the hash the last event must have.
    """
    previous = ""
    for version, envelope in enumerate(envelopes, 1):
        problem = _problem(envelope, version, game_id, previous)
        if problem:
            return Flawed(version, problem)
        previous = envelope["hash"]
    if head and previous != head:
        return Flawed(len(envelopes) or 1, "the last event is not the published head")
    return None


def _problem(envelope: dict[str, Any], version: int, game_id: str, previous: str) -> str:
    if envelope.get("version") != version:
        return f"version {envelope.get('version')} stands where {version} belongs"
    if envelope.get("game_id") != game_id:
        return "the event belongs to another game"
    if version == 1:
        data = envelope.get("data")
        if envelope.get("type") != "created" or not isinstance(data, dict):
            return "the log does not begin with a created event"
        previous = genesis(game_id, data.get("settings", {}))
    if envelope.get("prev_hash") != previous:
        return "prev_hash is not the hash of the event before"
    content = {name: value for name, value in envelope.items() if name != "hash"}
    try:
        right = digest(content)
    except (ValueError, TypeError) as error:
        return f"the event has no canonical form ({error})"
    return "" if envelope.get("hash") == right else "the event is not the one that was hashed"
