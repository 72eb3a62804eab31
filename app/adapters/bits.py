"""Bytes written and read in order: numbers, texts, ids of commands."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode


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


# -- ids ----------------------------------------------------------------------------------------

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
