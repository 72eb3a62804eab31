"""How events lie in the store: one compact blob for the events of one append.

What an envelope shares with its neighbours, or follows from its place, is not stored: game id,
version, the hash of the event before. The rest is compact JSON, deflated with a dictionary of
the words every log repeats; hashes, which do not compress, follow raw. ``unpack`` gives back
every envelope exactly, member order included.

A blob is a format byte, the number of events (two bytes, big endian), that many 32-byte hashes,
and the deflated JSON ``[at, command, [[type, seat, data, others], ...]]``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from app.adapters import chain, times
from app.adapters.upcasters import FIRST

FORMAT = b"\x01"
HASH_BYTES = 32
_HEAD = 3

# Part of the stored format 1: whoever changes a byte of it needs format 2 beside it.
_DICTIONARY = (
    b'["interrupt","worker_removed",{"at":"block_removed","count":1,"eliminated",{"seats":['
    b'["clock_restarted",{"reason":"outage"}["step_cancelled","exchanged",{"pairs":["passed",'
    b'["cancelled",{}["left",{}["rematch_created",{"game_id":"["power_lost","power_changed",'
    b'["power_gained",{"seat":1,"power":"mortal","state":{}},["token_removed","token_placed",'
    b'{"token":"["offered",{"powers":["final":true}["chosen",{"name":"power","value":"'
    b'["created",1,{"settings":{"variant":"duel","powers":{"mode":"none"},"placement":"free",'
    b'"start_seat":"random","turn_seconds":86400,"visibility":"public"},"imported":false},'
    b'["joined",2,{"name":"Player "},["started",null,{"start_seat":1,"powers":[null,null]},'
    b'["placed",1,{"to":"b2","sex":"f"},["placed",1,{"to":"d4","sex":"m"},"nonce":"","hidden":[]'
    b'["resigned",{}["timed_out",1,{"count":1},{"actor":"server"}],["finished",null,{"winners":'
    b'[1],"reason":"climb","losers":[{"seat":2,"reason":"stuck"}]},{"actor":"server","back":'
    b'["forced",1,{"from":"a1","to":"a2"},"a3a4a5b1c1c2c3c4c5d1d2d3d5e1e2e3e4e5'
    b'["turn_ended",2,{"number":1,"kind":"placement","explicit":false},{"actor":"server","back":'
    b'["turn_started",1,{"number":2,"kind":"normal","deadline":null},{"actor":"server","back":'
    b'["moved",1,{"from":"b4","to":"b3"}],["built",1,{"from":"b3","at":"b4","piece":"dome"}],'
    b'["moved",2,{"from":"c4","to":"c3"}],["built",2,{"from":"c3","at":"c4","piece":"block"}],'
    b'["turn_ended",2,{"number":1,"kind":"normal","explicit":false},{"actor":"server","back":'
    b'["turn_started",1,{"number":2,"kind":"normal","deadline":"2026-11-30T10:00:00.000Z"},'
    b'{"actor":"server","back":1}],'
)
_USUAL = {"schema": FIRST, "actor": "player"}
_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder().decode


class Damaged(ValueError):
    """A blob is not what was stored; ``version`` is that of its first event."""

    def __init__(self, version: int, problem: str) -> None:
        super().__init__(f"event {version}: {problem}")
        self.version = version
        self.problem = problem


def pack(events: Sequence[dict[str, Any]]) -> bytes:
    """Return the blob of consecutive, chained events."""
    at, command = events[0]["at"], events[0]["command"]
    items = [_item(event, at, command) for event in events]
    deflate = zlib.compressobj(9, wbits=-12, zdict=_DICTIONARY)
    text = _ENCODE([times.read(at), command, items])
    hashes = b"".join(bytes.fromhex(event["hash"][7:]) for event in events)
    counted = FORMAT + len(events).to_bytes(2, "big")
    return counted + hashes + deflate.compress(text) + deflate.flush()


def _item(event: dict[str, Any], at: str, command: str) -> list[Any]:
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


def count_of(blob: bytes) -> int:
    """Return the number of events in a blob."""
    return int.from_bytes(blob[1:_HEAD], "big")


def head_of(blob: bytes) -> str:
    """Return the hash of a blob's last event."""
    end = _HEAD + HASH_BYTES * count_of(blob)
    return f"sha256:{blob[end - HASH_BYTES : end].hex()}"


def unpack(blob: bytes, game_id: str, first: int, previous: str) -> list[dict[str, Any]]:
    """Return the events of a blob; ``first`` is the version of its first one.

    ``previous`` is the hash of the event before, empty for none.

    Raises:
        Damaged: the blob is of a format this release does not know, or not what was stored.
    """
    if blob[:1] != FORMAT:
        raise Damaged(first, f"stored in an unknown format {blob[:1]!r}")
    try:
        return _unpacked(blob, game_id, first, previous)
    except (*_UNREADABLE, zlib.error, msgspec.DecodeError) as error:
        raise Damaged(first, f"stored in a damaged block ({error})") from error


_UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)


def _unpacked(blob: bytes, game_id: str, first: int, previous: str) -> list[dict[str, Any]]:
    count = count_of(blob)
    body = _HEAD + HASH_BYTES * count
    text = zlib.decompressobj(wbits=-12, zdict=_DICTIONARY).decompress(blob[body:])
    stamp, command, items = _DECODE(text)
    if len(items) != count or len(blob) <= body:
        raise ValueError(f"{len(items)} events where {count} were stored")
    at = times.written(stamp)
    events = []
    for number, item in enumerate(items):
        start = _HEAD + HASH_BYTES * number
        mark = f"sha256:{blob[start : start + HASH_BYTES].hex()}"
        events.append(_event(item, game_id, first + number, at, command))
        settings = item[2].get("settings", {})
        events[-1]["prev_hash"] = previous or chain.genesis(game_id, settings)
        events[-1]["hash"] = previous = mark
    return events


def _event(item: list[Any], game_id: str, version: int, at: str, command: str) -> dict[str, Any]:
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


def unpack_all(
    blobs: Iterable[bytes], game_id: str, first: int, previous: str
) -> list[dict[str, Any]]:
    """Return the events of consecutive blobs."""
    events: list[dict[str, Any]] = []
    for blob in blobs:
        events += unpack(blob, game_id, first + len(events), previous)
        previous = head_of(blob)
    return events
