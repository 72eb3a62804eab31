"""A game that is over, as one immutable value: meta, tokens, commands and the whole log.

The log is written in shorthand, like bytes side by side, and deflated; random bytes, which do not
compress, stand behind it as they are. No hash of an event is kept but the last: reading chains
the events anew, and a value that was changed does not come to its head.

    format, checksum of what follows
    meta and tokens          what most readings need, and can have without the rest
    log, random bytes, fingerprints, commands: each behind its length

Of a command's fingerprint the first six characters are kept. The list of commands is left out
where it follows from the log: one command to a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct

from app.adapters.bits import Reader, put, put_text, raw_of, text_of
from app.adapters.forms import Context
from app.adapters.packing import HASH_BYTES, UNREADABLE, Damaged, deflated, inflated, linked
from app.adapters.shorthand import Sheet, read_run, runs_of, write_run
from app.adapters.store import Copy, Envelope, Loaded, Meta, Millis, Record

FORMAT = b"\x01"
FINGERPRINT = 6
"""Characters kept of a command's fingerprint."""
CLOSED = ("finished", "cancelled")
_VISIBILITIES = ("public", "unlisted", "private")
_ROLES = ("seat", "creator", "host", "invite", "retired", "reserved")
_MARK = 5
"""Bytes of a fingerprint: six characters of base64 are 36 bits."""
_CHECKSUM = 4
_HEAD = 1 + _CHECKSUM
_RANDOM = ("commands", "nonces")
_WORDS = tuple(name for name in Sheet._fields if name not in _RANDOM)
_RAW, _TEXT = 0, 1


class Compacted(Struct, frozen=True):
    """The part of a compacted game that most readings need; ``body`` holds the rest."""

    game_id: str
    meta: Meta
    roles: dict[str, str]
    """Token hashes and their roles."""
    body: bytes

    def events(self) -> tuple[Envelope, ...]:
        """Return the whole log.

        Raises:
            Damaged: the value is not what was stored.
        """
        try:
            return self._events()
        except Damaged:
            raise
        except UNREADABLE as error:
            raise Damaged(1, f"stored in a damaged value ({error})") from error

    def _events(self) -> tuple[Envelope, ...]:
        log, random, _, _ = _parts(self.body)
        sheet, context = _opened(log, random), Context()
        events: list[Envelope] = []
        while len(events) < self.meta.version:
            events += read_run(self.game_id, len(events) + 1, context, sheet)
        if len(events) != self.meta.version or not all(column.done for column in sheet):
            raise ValueError(f"{len(events)} events where {self.meta.version} were stored")
        chained = linked(events, "", [b""] * len(events))
        if chained[-1]["hash"] != self.meta.head:
            raise Damaged(self.meta.version, "the last event is not the published head")
        return tuple(chained)

    def commands(self) -> tuple[tuple[str, Record], ...]:
        """Return command ids and what they appended, in order.

        Raises:
            Damaged: the value is not what was stored.
        """
        try:
            return self._commands()
        except UNREADABLE as error:
            raise Damaged(1, f"stored in a damaged value ({error})") from error

    def _commands(self) -> tuple[tuple[str, Record], ...]:
        log, random, prints, listed = _parts(self.body)
        if listed:
            told = msgspec.json.decode(inflated(listed), type=list[tuple[str, str, int, int]])
            return tuple((name, Record(mark, first, last)) for name, mark, first, last in told)
        sheet, context = _opened(log, random), Context()
        found: list[tuple[str, int, int]] = []
        version = 0
        while version < self.meta.version:
            run = read_run(self.game_id, version + 1, context, sheet)
            found.append((run[0]["command"], version + 1, version + len(run)))
            version += len(run)
        marks = _marks(prints, len(found))
        return tuple(
            (name, Record(mark, first, last))
            for (name, first, last), mark in zip(found, marks, strict=True)
        )

    def copy(self) -> Copy:
        """Return everything, as a backup keeps it.

        Raises:
            Damaged: the value is not what was stored.
        """
        roles = tuple(sorted(self.roles.items()))
        return Copy(self.game_id, self.meta.secret, roles, self.commands(), self.events())

    def loaded(
        self,
        now: Millis,
        paused: bool,
        after: int,
        limit: int | None,
        names: Sequence[str] = (),
        token_hash: str = "",
        box: bytes | None = None,
    ) -> Loaded:
        """Return a reading, as of a game that is not compacted; see ``Store.load``.

        ``names`` are ids of the command asked about.
        """
        events: tuple[Envelope, ...] = ()
        if after < self.meta.version:
            events = self.events()[after : None if limit is None else after + limit]
        asked = [name for name in names if name]
        known = dict(self.commands()) if asked else {}
        record = next((known[name] for name in asked if name in known), None)
        role = self.roles.get(token_hash)
        return Loaded(now, self.meta, events, paused, record, role, box, True)


def compact(copy: Copy, meta: Meta) -> bytes:
    """Return a game that is over as one value.

    Raises:
        ValueError: it is not over.
    """
    if meta.status not in CLOSED:
        raise ValueError(f"a game that is {meta.status} goes on")
    content = _head(copy, meta) + _body(copy)
    return FORMAT + crc32(content).to_bytes(_CHECKSUM, "big") + content


def shortened(copy: Copy) -> Copy:
    """Return a copy as it is after compaction: with less of each fingerprint."""
    commands = tuple(
        (name, Record(record.fingerprint[:FINGERPRINT], record.first, record.last))
        for name, record in copy.commands
    )
    return Copy(copy.game_id, copy.secret, copy.roles, commands, copy.events)


def _head(copy: Copy, meta: Meta) -> bytes:
    head = bytearray()
    head.append(CLOSED.index(meta.status) | _VISIBILITIES.index(meta.visibility) << 1)
    for number in (meta.version, meta.created, meta.updated):
        put(head, number)
    head += bytes.fromhex(meta.head[7:])
    _put_word(head, meta.secret)
    put(head, len(copy.roles))
    for hash_, role in copy.roles:
        kind, _, seat = role.partition(":")
        _put_word(head, hash_)
        head.append(_ROLES.index(kind) | (int(seat) + 1 if seat else 0) << 3)
    return bytes(head)


def _put_word(column: bytearray, word: str) -> None:
    """Write a secret or a hash: the bytes that its hex or base64 stands for, else its text."""
    raw = raw_of(word)
    if len(word) == 32 and all(digit in "0123456789abcdef" for digit in word):
        column.append(_RAW)
        column += bytes.fromhex(word)
    elif raw is not None and len(raw) == 32:
        column.append(len(raw))
        column += raw
    else:
        column.append(_TEXT)
        put_text(column, word.encode())


def _word(reader: Reader) -> str:
    kind = reader.byte()
    if kind == _RAW:
        return reader.take(16).hex()
    if kind == _TEXT:
        return reader.text().decode()
    return text_of(reader.take(kind))


def _body(copy: Copy) -> bytes:
    sheet, context = Sheet(*(bytearray() for _ in Sheet._fields)), Context()
    derived = []
    for run in runs_of(copy.events):
        write_run(run, context, sheet)
        derived.append((run[0]["command"], run[0]["version"], run[-1]["version"]))
    words, random = bytearray(), bytearray()
    for names, joined in ((_WORDS, words), (_RANDOM, random)):
        for name in names:
            put_text(joined, bytes(getattr(sheet, name)))
    prints, listed = _prints(copy, derived)
    parts = (deflated(bytes(words)), bytes(random), prints, listed)
    body = bytearray()
    for part in parts:
        put_text(body, part)
    return bytes(body)


def _prints(copy: Copy, derived: Sequence[tuple[str, int, int]]) -> tuple[bytes, bytes]:
    """Return the fingerprints alone, or the whole list where it does not follow from the log."""
    told = [(name, record.first, record.last) for name, record in copy.commands]
    marks = [record.fingerprint[:FINGERPRINT] for _, record in copy.commands]
    if told == list(derived) and not any(marks):
        return b"", b""
    raws = [_raw_mark(mark) for mark in marks]
    if told == list(derived) and None not in raws:
        given = sum(1 << place for place, mark in enumerate(marks) if mark)
        bits = given.to_bytes(_bitmap(len(marks)), "little")
        return bits + b"".join(raw for raw in raws if raw), b""
    rows = [
        (name, mark, first, last) for (name, first, last), mark in zip(told, marks, strict=True)
    ]
    return b"", deflated(msgspec.json.encode(rows))


def _marks(prints: bytes, count: int) -> list[str]:
    """Return the fingerprints of so many commands."""
    if not prints:
        return [""] * count
    reader = Reader(prints)
    given = int.from_bytes(reader.take(_bitmap(count)), "little")
    return [
        text_of(reader.take(_MARK) + b"\0")[:FINGERPRINT] if given >> place & 1 else ""
        for place in range(count)
    ]


def _bitmap(count: int) -> int:
    """Return how many bytes hold a bit for each command."""
    return (count + 7) // 8


def _raw_mark(mark: str) -> bytes | None:
    """Return the 36 bits of a fingerprint, nothing for none; None for what is no fingerprint."""
    if not mark:
        return b""
    raw = raw_of(mark + "AA") if len(mark) == FINGERPRINT else None
    return None if raw is None else raw[:_MARK]


def _parts(body: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    reader = Reader(body)
    parts = reader.text(), reader.text(), reader.text(), reader.text()
    if not reader.done:
        raise ValueError("something follows")
    return parts


def _opened(log: bytes, random: bytes) -> Sheet[Reader]:
    columns: dict[str, Reader] = {}
    for names, joined in ((_WORDS, Reader(inflated(log))), (_RANDOM, Reader(random))):
        for name in names:
            columns[name] = Reader(joined.text())
    return Sheet(**columns)


def opened(value: bytes, game_id: str) -> Compacted:
    """Read meta and tokens of a compacted game.

    Raises:
        Damaged: the value is of a format this release does not know, or not what was stored.
    """
    if value[:1] != FORMAT:
        raise Damaged(1, f"stored in an unknown format {value[:1]!r}")
    content = value[_HEAD:]
    if crc32(content).to_bytes(_CHECKSUM, "big") != value[1:_HEAD]:
        raise Damaged(1, "stored in a damaged value (its checksum is wrong)")
    try:
        return _opened_head(content, game_id)
    except UNREADABLE as error:
        raise Damaged(1, f"stored in a damaged value ({error})") from error


def _opened_head(content: bytes, game_id: str) -> Compacted:
    reader = Reader(content)
    kinds = reader.byte()
    version, created, updated = reader.number(), reader.number(), reader.number()
    head, secret = reader.take(HASH_BYTES).hex(), _word(reader)
    roles: dict[str, str] = {}
    for _ in range(reader.number()):
        hash_, kind = _word(reader), reader.byte()
        seat = kind >> 3
        roles[hash_] = f"{_ROLES[kind & 7]}:{seat - 1}" if seat else _ROLES[kind & 7]
    meta = Meta(
        version,
        f"sha256:{head}",
        CLOSED[kinds & 1],
        None,
        _VISIBILITIES[kinds >> 1],
        created,
        updated,
        secret,
    )
    return Compacted(game_id, meta, roles, content[reader.place :])


def fits(value: bytes, copy: Copy, meta: Meta) -> bool:
    """Say whether reading a compacted value gives back all that it was made of."""
    try:
        found = opened(value, copy.game_id)
        return found.meta == meta and _json(found.copy()) == _json(shortened(copy))
    except Damaged:
        return False


def _json(copy: Copy) -> Any:
    return msgspec.json.encode(copy)
