"""A store full of games, made fast: finished games copied under new names, with all their keys.

Whatever a game has left in Redis is looked for, not known: its own keys as they are stored, and its
entries in the keys it shares with others (lists, counts). So a copy costs Redis what a game costs,
in whatever form games are kept. Copies lie further and further back in time. Their logs are still
those of their models: they are stored and in the lists, but whoever reads one is told of damage.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

import redis
from msgspec import Struct

from app.adapters.store import shard_of
from app.services.tokens import ID_BYTES

BATCH = 500
APART = 1_000
"""Milliseconds between two copies."""
LISTS = b":list:"


class Piece(Struct, frozen=True):
    """One part of what makes a copy; a ``text`` names the game or its time, others do not."""

    wire: bytes
    text: bool


class Stencil(Struct, frozen=True):
    """All that one game has in Redis, as the commands that make it again."""

    game_id: bytes
    tag: bytes
    time: bytes
    """When it was listed; replaced in every score that equals it."""
    pieces: tuple[Piece, ...]
    commands: int

    def copy(self, game_id: bytes, time: int) -> bytes:
        """Return the commands that store the game under another name."""
        tag = b"{s%02d}" % shard_of(game_id.decode())
        return b"".join(
            piece.wire.replace(self.game_id, game_id)
            .replace(self.tag, tag)
            .replace(self.time, b"%013d" % time)
            if piece.text
            else piece.wire
            for piece in self.pieces
        )


def _wire(*words: bytes) -> bytes:
    head = b"*%d\r\n" % len(words)
    return head + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


def stencil(client: Any, game_id: str) -> Stencil:
    """Look for all that a game has in Redis."""
    name, tag = game_id.encode(), b"{s%02d}" % shard_of(game_id)
    pieces: list[Piece] = []
    count, time = 0, b""
    for key in client.scan_iter(match=b"*" + tag + b"*", count=1_000):
        if name in key:
            pieces += _restored(key, client.dump(key))
            count += 1
            continue
        for words in _entries(client, key, name):
            if LISTS in key:  # other scores are other times, as that of its end
                time = words[2]
            pieces.append(Piece(_wire(*words), True))
            count += 1
    assert time, "the game is in no list"
    return Stencil(name, tag, time, tuple(pieces), count)


def _restored(key: bytes, dumped: bytes) -> list[Piece]:
    """Write a RESTORE whose value, which has a checksum, is left as it is."""
    head = b"*4\r\n$7\r\nRESTORE\r\n$%d\r\n%s\r\n$1\r\n0\r\n" % (len(key), key)
    return [Piece(head, True), Piece(b"$%d\r\n%s\r\n" % (len(dumped), dumped), False)]


def _entries(client: Any, key: bytes, name: bytes) -> Iterator[list[bytes]]:
    """Yield the commands that put a game into a key it shares with others."""
    match client.type(key):
        case b"zset":
            for member, score in client.zscan_iter(key):
                if name in member:
                    yield [b"ZADD", key, repr(score).removesuffix(".0").encode(), member]
        case b"set":
            for member in client.sscan_iter(key):
                if name in member:
                    yield [b"SADD", key, member]
        case b"hash":
            for field, value in client.hscan_iter(key):
                if name in field:
                    yield [b"HSET", key, field, value]


def multiply(
    client: Any, templates: Sequence[Stencil], number: int, before: int = 0
) -> Iterator[list[str]]:
    """Store so many copies; yield the names of each batch once it is stored.

    ``before`` is how many copies there are already: the new ones lie further back.
    """
    turn = cycle(templates)
    first = min(int(one.time) for one in templates)
    with _raw(client) as raw, raw.makefile("rb", 1 << 20) as answers:
        for start in range(0, number, BATCH):
            names, sent, expected = [], [], 0
            for place in range(start, min(start + BATCH, number)):
                one = next(turn)
                names.append(_name(len(one.game_id)))
                sent.append(one.copy(names[-1], first - (before + place + 1) * APART))
                expected += one.commands
            raw.sendall(b"".join(sent))
            for _ in range(expected):
                answer = answers.readline()
                if answer[:1] == b"-":
                    raise SystemExit(f"Redis refused a copy: {answer.decode()}")
            yield [name.decode() for name in names]


def _name(length: int) -> bytes:
    while True:
        name = secrets.token_urlsafe(ID_BYTES)[:length]
        if name[0] not in "-_":
            return name.encode()


def _raw(client: redis.Redis) -> socket.socket:
    """Open a connection of our own to the server of a client."""
    given = client.connection_pool.connection_kwargs
    raw = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    raw.connect(given["path"])
    return raw
