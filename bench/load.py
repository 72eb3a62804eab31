"""A load generator that costs little: ready-made requests on kept connections, one epoll loop.

The client shares the machine with the server it measures, so it does the least a client can: no
encoding while the time runs, no header objects, no threads. Every answer's status is checked.
"""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from bench.processes import processor_time, tree

PATIENCE = 30.0
"""Seconds without any answer after which a run is given up."""
CHUNK = 1 << 18


class Request(Struct, frozen=True):
    """One request as it goes over the wire, and the status that must come back."""

    wire: bytes
    status: int
    keep: bool = False
    """Whether the answer is wanted."""


def request(
    method: str,
    path: str,
    body: Any = None,
    *,
    status: int = 200,
    token: str = "",
    headers: Mapping[str, str] | None = None,
    keep: bool = False,
) -> Request:
    """Write a request once, to be sent as often as needed."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Accept: application/json"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    content = b""
    if body is not None:
        content = json.dumps(body, separators=(",", ":")).encode()
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return Request("\r\n".join([*lines, "", ""]).encode() + content, status, keep)


class Load(Struct, frozen=True):
    """What a run has shown."""

    requests: int
    seconds: float
    p50: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""
    cpu: dict[str, float]
    """Processor time for each request, in milliseconds, by what was watched and ``client``."""
    answers: tuple[tuple[bytes, ...], ...]
    """The answers that were wanted, head and body, in order, for each connection."""

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


class BadAnswer(Exception):
    """An answer was not what it must be: what was measured means nothing."""


class Connection:
    """One kept connection and the requests it still has to send."""

    __slots__ = ("_answer", "_current", "_left", "_length", "_sent", "answers", "sock", "times")

    def __init__(self, port: int, script: Iterable[Request]) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.setblocking(False)
        self.times: list[float] = []
        self.answers: list[bytes] = []
        self._left = deque(script)
        self._answer = b""
        self._length = 0

    def send(self) -> bool:
        """Send the next request; False when there is none."""
        if not self._left:
            return False
        self._current = self._left.popleft()
        self._sent = time.perf_counter()
        # The socket's buffer is empty, for the request before has been answered.
        if self.sock.send(self._current.wire) != len(self._current.wire):
            raise BadAnswer("A request was larger than the socket's buffer.")
        return True

    def read(self) -> bool:
        """Read what has come; True when the answer is complete."""
        data = self.sock.recv(CHUNK)
        if not data:
            raise BadAnswer(f"The server hung up on {self._current.wire[:300]!r}")
        self._answer += data
        self._length = self._length or self._told_length()
        if not self._length or len(self._answer) < self._length:
            return False
        self.times.append(time.perf_counter() - self._sent)
        if len(self._answer) > self._length:
            raise BadAnswer(f"More came than was told: {self._answer[:2000]!r}")
        if self._current.keep:
            self.answers.append(self._answer)
        self._answer, self._length = b"", 0
        return True

    def _told_length(self) -> int:
        """Return the length of head and body, or 0 while the head is incomplete."""
        end = self._answer.find(b"\r\n\r\n") + 4
        if end < 4:
            return 0
        status = int(self._answer[9:12])
        if status != self._current.status:
            raise BadAnswer(f"{self._current.wire[:300]!r} got {self._answer[:2000]!r}")
        if status in (204, 304):
            return end
        _, found, rest = self._answer[:end].lower().partition(b"\r\ncontent-length:")
        if not found:
            raise BadAnswer(f"An answer without a length: {self._answer[:2000]!r}")
        return end + int(rest.split(b"\r\n", 1)[0])


def drive(
    port: int, scripts: Sequence[Iterable[Request]], watched: Mapping[str, int] | None = None
) -> Load:
    """Let each script be sent over a connection of its own, request after answer.

    ``watched`` are processes by name; what they have started counts as theirs.

    Raises:
        BadAnswer: a status is not the one asked for, or the server hangs up or falls silent.
    """
    groups = {name: list(tree(pid)) for name, pid in (watched or {}).items()}
    connections = [Connection(port, script) for script in scripts]
    try:
        before = {name: processor_time(pids) for name, pids in groups.items()}
        own, begin = time.process_time(), time.perf_counter()
        _exchange(connections)
        taken, own = time.perf_counter() - begin, time.process_time() - own
        after = {name: processor_time(pids) for name, pids in groups.items()}
    finally:
        for connection in connections:
            connection.sock.close()
    times = sorted(one for connection in connections for one in connection.times)
    spent = {name: after[name] - before[name] for name in groups} | {"client": own}
    return Load(
        len(times),
        taken,
        _rank(times, 0.5),
        _rank(times, 0.99),
        {name: value / len(times) * 1_000 for name, value in spent.items()},
        tuple(tuple(connection.answers) for connection in connections),
    )


def _exchange(connections: Sequence[Connection]) -> None:
    with selectors.DefaultSelector() as selector:
        busy = 0
        for connection in connections:
            if connection.send():
                selector.register(connection.sock, selectors.EVENT_READ, connection)
                busy += 1
        while busy:
            ready = selector.select(PATIENCE)
            if not ready:
                raise BadAnswer(f"{busy} requests were not answered within {PATIENCE:g} s.")
            for key, _ in ready:
                if key.data.read() and not key.data.send():
                    selector.unregister(key.fileobj)
                    busy -= 1


def _rank(times: Sequence[float], part: float) -> float:
    return times[int(len(times) * part)] * 1_000
