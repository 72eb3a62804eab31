"""What the scripts answer, read back into the store's own values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.adapters import compaction, packing
from app.adapters.store import (
    Append,
    Appended,
    Copy,
    Due,
    Envelope,
    Loaded,
    Meta,
    Millis,
    Record,
    Sealed,
)


def millis(time: Any) -> Millis:
    """Read the answer of ``TIME``."""
    seconds, micros = time
    return int(seconds) * 1000 + int(micros) // 1000


def gap(text: bytes | None) -> tuple[Millis, Millis] | None:
    """Read a remembered gap: from when to when nobody watched."""
    if text is None:
        return None
    begin, _, end = text.decode().partition(":")
    return int(begin), int(end)


def record(text: bytes) -> Record | None:
    """Read what is kept of a command; empty for none."""
    if not text:
        return None
    fingerprint, first, last = text.decode().split(":")
    return Record(fingerprint, int(first), int(last))


def meta_of(told: Any) -> Meta:
    """Read a game's meta, field by field as ``load.lua`` asks for it."""
    version, head, status, deadline, visibility, created, updated, secret = (
        part.decode() for part in told
    )
    return Meta(
        int(version),
        f"sha256:{head}",
        status,
        int(deadline) if deadline else None,
        visibility,
        int(created),
        int(updated),
        secret,
    )


def loaded(
    reply: Any,
    game_id: str,
    after: int,
    limit: int | None,
    names: Sequence[str] = (),
    token_hash: str = "",
) -> Loaded | None:
    """Read the answer of ``load.lua``; None when there is no such game."""
    now, paused, meta, base, before, blocks, command, role, box, whole = reply
    if whole:
        game = compaction.opened(whole, game_id)
        return game.loaded(now, bool(paused), after, limit, names, token_hash, box or None)
    if meta[0] is None:
        return None
    return Loaded(
        now,
        meta_of(meta),
        _events(blocks, base, before, game_id)[
            after - base : None if limit is None else after - base + limit
        ],
        bool(paused),
        record(command),
        role.decode() or None,
        box or None,
    )


def _events(blocks: Any, base: int, before: bytes, game_id: str) -> tuple[Envelope, ...]:
    """Unpack blocks that follow version ``base``, whose block is the one ``before``."""
    previous = packing.head_of(before) if before else ""
    return tuple(packing.unpack_all(blocks, game_id, base + 1, previous))


def appended(reply: Any, change: Append) -> Appended:
    """Read the answer of ``append.lua``."""
    verdict, version, now, kept, fingerprint, box = reply
    answer = None
    if box:
        assert change.answer is not None
        answer = Sealed(change.answer.id, fingerprint.decode(), box)
    return Appended(verdict.decode(), version, now, record(kept), answer)


def due(time: Any, games: Any, marks: Any) -> Due:
    """Read what a shard says of its clocks: ``TIME``, the due index, and three marks."""
    paused, watermark, silence = marks
    return Due(
        millis(time),
        tuple((game_id.decode(), int(deadline)) for game_id, deadline in games),
        paused is not None,
        int(watermark or 0),
        gap(silence),
    )


def copy(reply: Any, game_id: str) -> Copy | None:
    """Read the answer of ``dump.lua``; None when there is no such game."""
    secret, blocks, commands, seats, whole = reply
    if whole:
        return compaction.opened(whole, game_id).copy()
    if secret is None:
        return None
    records = [(name.decode(), record(text)) for name, text in _pairs(commands)]
    return Copy(
        game_id,
        secret.decode(),
        tuple(sorted((hash_.decode(), role.decode()) for hash_, role in _pairs(seats))),
        tuple(sorted(((n, r) for n, r in records if r is not None), key=lambda one: one[1].first)),
        _events(blocks, 0, b"", game_id),
    )


def _pairs(flat: Any) -> Iterator[tuple[bytes, bytes]]:
    """Pair names and values, whichever protocol brought them."""
    items = flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)
    yield from items
