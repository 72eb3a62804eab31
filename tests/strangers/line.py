"""A TCP line to the service that can be cut in the middle of an answer."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock, Thread
from types import TracebackType
from typing import Self


class Line:
    """Carries bytes to a port of this machine and back; ``cut`` drops what is connected."""

    def __init__(self, port: int) -> None:
        self._to = ("127.0.0.1", port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self._porter = Thread(target=self._answer, daemon=True)
        self._carriers: list[Thread] = []
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self.calls = 0
        """Connections so far."""

    def __enter__(self) -> Self:
        self._porter.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._porter.join()
        self._door.close()
        self.cut()
        for thread in self._carriers:
            thread.join()

    def cut(self) -> None:
        """Drop every connection, both ways, without a word."""
        with self._lock:
            for one in self._open:
                _hang_up(one)

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                self.calls += 1
                thread = Thread(target=self._connect, args=(near,), daemon=True)
                self._carriers.append(thread)
                thread.start()

    def _connect(self, near: socket.socket) -> None:
        with near, socket.create_connection(self._to) as far:
            pair = {near, far}
            with self._lock:
                self._open |= pair
            back = Thread(target=_carry, args=(far, near), daemon=True)
            back.start()
            _carry(near, far)
            back.join()
            with self._lock:
                self._open -= pair


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for one in (source, target):
        _hang_up(one)


def _hang_up(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
