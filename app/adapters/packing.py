"""How events lie in the store: one compact blob for the events of one append.

What an envelope shares with its neighbours, or follows from its place, is not stored: game id,
version, the hash of the event before. ``unpack`` gives back every envelope exactly, member order
included.

Format 2, which is written: a format byte, the number of events (two bytes, big endian), the first
two bytes of the hash of each event but the last, the whole hash of the last, a byte that says
whether the rest is deflated, and the events in shorthand. Reading hashes the events anew: a block
that was changed does not come to its last hash, and the first event to differ is named.

Format 1, which today's release only reads: all hashes whole, then the deflated JSON
``[at, command, [[type, seat, data, others], ...]]``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from app.adapters import chain, times
from app.adapters.bits import Reader
from app.adapters.forms import Context
from app.adapters.shorthand import (
    event_of,
    item_of,
    one_column,
    read_run,
    runs_of,
    write_run,
)

OLD, FORMAT = b"\x01", b"\x02"
HASH_BYTES = 32
CHECK_BYTES = 2
_HEAD = 3
_PLAIN, _DEFLATED = 0, 1
SHORT = 48
"""Events in so few bytes are all marks and squares, of which nothing can be deflated."""

# Part of both stored formats: whoever changes a byte of it needs another format beside them.
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
_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder().decode


def deflated(data: bytes) -> bytes:
    """Return bytes deflated with the dictionary of the words every log repeats."""
    deflate = zlib.compressobj(9, wbits=-12, zdict=_DICTIONARY)
    return deflate.compress(data) + deflate.flush()


def inflated(data: bytes) -> bytes:
    """Return what was deflated.

    Raises:
        ValueError: it is not all there.
        zlib.error: it is damaged.
    """
    inflate = zlib.decompressobj(wbits=-12, zdict=_DICTIONARY)
    plain = inflate.decompress(data)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("it ends too early or too late")
    return plain


class Damaged(ValueError):
    """A blob is not what was stored; ``version`` is that of its first event."""

    def __init__(self, version: int, problem: str) -> None:
        super().__init__(f"event {version}: {problem}")
        self.version = version
        self.problem = problem


def pack(events: Sequence[dict[str, Any]]) -> bytes:
    """Return the blob of consecutive, chained events."""
    column, context = bytearray(), Context()
    for run in runs_of(events):
        write_run(run, context, one_column(column))
    *others, last = (bytes.fromhex(event["hash"][7:]) for event in events)
    checks = b"".join(hash_[:CHECK_BYTES] for hash_ in others)
    counted = FORMAT + len(events).to_bytes(2, "big") + checks + last
    plain = bytes(column)
    small = deflated(plain) if len(plain) > SHORT else plain
    if len(small) < len(plain):
        return counted + bytes([_DEFLATED]) + small
    return counted + bytes([_PLAIN]) + plain


def pack_old(events: Sequence[dict[str, Any]]) -> bytes:
    """Return the blob as the first release wrote it: tests make logs of that time with it."""
    at, command = events[0]["at"], events[0]["command"]
    text = _ENCODE([times.read(at), command, [item_of(event, at, command) for event in events]])
    hashes = b"".join(bytes.fromhex(event["hash"][7:]) for event in events)
    return OLD + len(events).to_bytes(2, "big") + hashes + deflated(text)


def count_of(blob: bytes) -> int:
    """Return the number of events in a blob."""
    return int.from_bytes(blob[1:_HEAD], "big")


def _hashes_end(blob: bytes) -> int:
    """Return where the hashes of a blob end and its events begin."""
    width = HASH_BYTES if blob[:1] == OLD else CHECK_BYTES
    return _HEAD + HASH_BYTES + width * (count_of(blob) - 1)


def head_of(blob: bytes) -> str:
    """Return the hash of a blob's last event."""
    end = _hashes_end(blob)
    return f"sha256:{blob[end - HASH_BYTES : end].hex()}"


def unpack(blob: bytes, game_id: str, first: int, previous: str) -> list[dict[str, Any]]:
    """Return the events of a blob; ``first`` is the version of its first one.

    ``previous`` is the hash of the event before, empty for none.

    Raises:
        Damaged: the blob is of a format this release does not know, or not what was stored.
    """
    read = {OLD: _unpacked_old, FORMAT: _unpacked}.get(blob[:1])
    if read is None:
        raise Damaged(first, f"stored in an unknown format {blob[:1]!r}")
    try:
        return read(blob, game_id, first, previous)
    except Damaged:
        raise
    except UNREADABLE as error:
        raise Damaged(first, f"stored in a damaged block ({error})") from error


UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    zlib.error,
    msgspec.DecodeError,
)
"""What reading a damaged block may meet."""


def _unpacked(blob: bytes, game_id: str, first: int, previous: str) -> list[dict[str, Any]]:
    count, end = count_of(blob), _hashes_end(blob)
    body = blob[end + 1 :]
    reader, context = Reader(inflated(body) if blob[end] == _DEFLATED else body), Context()
    sheet, events = one_column(reader), list[dict[str, Any]]()
    while len(events) < count:
        events += read_run(game_id, first + len(events), context, sheet)
    if len(events) != count or not reader.done or blob[end] > _DEFLATED:
        raise ValueError(f"{len(events)} events where {count} were stored")
    checks = [blob[at : at + CHECK_BYTES] for at in range(_HEAD, end - HASH_BYTES, CHECK_BYTES)]
    return linked(events, previous, [*checks, blob[end - HASH_BYTES : end]])


def linked(
    events: Sequence[dict[str, Any]], previous: str, checks: Sequence[bytes]
) -> list[dict[str, Any]]:
    """Return events with their hashes, which must begin with the bytes given.

    Raises:
        Damaged: the first event that is not the one that was hashed.
    """
    chained = chain.link(events, previous)
    for event, check in zip(chained, checks, strict=True):
        if not event["hash"].startswith(check.hex(), 7):
            raise Damaged(event["version"], "the event is not the one that was hashed")
    return chained


def _unpacked_old(blob: bytes, game_id: str, first: int, previous: str) -> list[dict[str, Any]]:
    count, body = count_of(blob), _hashes_end(blob)
    text = zlib.decompressobj(wbits=-12, zdict=_DICTIONARY).decompress(blob[body:])
    stamp, command, items = _DECODE(text)
    if len(items) != count or len(blob) <= body:
        raise ValueError(f"{len(items)} events where {count} were stored")
    at = times.written(stamp)
    events = []
    for number, item in enumerate(items):
        start = _HEAD + HASH_BYTES * number
        mark = f"sha256:{blob[start : start + HASH_BYTES].hex()}"
        events.append(event_of(item, game_id, first + number, at, command))
        settings = item[2].get("settings", {})
        events[-1]["prev_hash"] = previous or chain.genesis(game_id, settings)
        events[-1]["hash"] = previous = mark
    return events


def unpack_all(
    blobs: Iterable[bytes], game_id: str, first: int, previous: str
) -> list[dict[str, Any]]:
    """Return the events of consecutive blobs."""
    events: list[dict[str, Any]] = []
    for blob in blobs:
        events += unpack(blob, game_id, first + len(events), previous)
        previous = head_of(blob)
    return events
