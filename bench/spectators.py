"""Many spectators in one process of their own, so that they disturb what they watch little.

``python -m bench.spectators PORT`` reads ``COUNT PATH`` lines, opens so many streams of each path
and says ``ready``; when its input ends it tells what was heard, as JSON.
"""

from __future__ import annotations

import re
import selectors
import socket
import sys
import time
from datetime import datetime

import msgspec
from msgspec import Struct

AT_ONCE = 50
"""Streams that are being opened at a time."""
PATIENCE = 60.0
CHUNK = 1 << 16
_AT = re.compile(rb'"at":"([^"]+)"')


class Heard(Struct):
    """What spectators heard: milliseconds from an event's own time to the last byte of its news."""

    delays: list[float]
    """One for each piece of news and spectator."""
    ended: int
    """Streams that ended while they were watched."""
    cpu: float
    """Processor time that the spectators themselves took, in seconds."""


class Crowd:
    """Spectators, each with a connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._times: dict[bytes, float] = {}
        self._opening: dict[socket.socket, bytes] = {}
        self.heard = Heard([], 0, 0.0)

    def open(self, paths: list[str]) -> None:
        """Open a stream of each path, from its present end on."""
        left = paths[::-1]
        end = time.monotonic() + PATIENCE
        while left or self._opening:
            while left and len(self._opening) < AT_ONCE:
                self._connect(left.pop())
            self._listen()
            if time.monotonic() > end:
                raise SystemExit(f"{len(left) + len(self._opening)} streams did not open")

    def _connect(self, path: str) -> None:
        sock = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
        sock.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()
        )
        sock.setblocking(False)
        self._opening[sock] = b""
        self._selector.register(sock, selectors.EVENT_READ)

    def watch(self) -> None:
        """Listen until the input ends."""
        self._selector.register(sys.stdin.fileno(), selectors.EVENT_READ, "end")
        begin = time.process_time()
        while self._listen():
            pass
        self.heard.cpu = time.process_time() - begin

    def _listen(self) -> bool:
        for key, _ in self._selector.select(1.0):
            if key.data == "end":
                return False
            assert isinstance(key.fileobj, socket.socket)
            self._read(key.fileobj)
        return True

    def _read(self, sock: socket.socket) -> None:
        data = sock.recv(CHUNK)
        now = time.time()
        if not data or data.endswith(b"\r\n0\r\n\r\n"):
            self._selector.unregister(sock)
            self.heard.ended += 1
            return
        if sock in self._opening:
            self._open_further(sock, data)
        elif (at := self._time_of(data)) is not None:
            self.heard.delays.append((now - at) * 1_000)

    def _open_further(self, sock: socket.socket, data: bytes) -> None:
        head = self._opening[sock] + data
        if b"retry:" not in head:
            self._opening[sock] = head
            return
        if b" 200 " not in head[:15]:
            raise SystemExit(head[:500].decode())
        del self._opening[sock]

    def _time_of(self, data: bytes) -> float | None:
        """Return when the first event of a piece of news was; None for a comment."""
        if data not in self._times:
            found = _AT.search(data)
            if found is None:
                return None
            if len(self._times) > 5_000:
                self._times.clear()
            self._times[data] = datetime.fromisoformat(found[1].decode()).timestamp()
        return self._times[data]


def main() -> None:
    """Be the crowd."""
    crowd = Crowd(int(sys.argv[1]))
    paths: list[str] = []
    for line in iter(sys.stdin.readline, "\n"):
        count, path = line.split()
        paths += [path] * int(count)
    crowd.open(paths)
    print("ready", flush=True)
    crowd.watch()
    sys.stdout.write(msgspec.json.encode(crowd.heard).decode())


if __name__ == "__main__":
    main()
