"""gunicorn's threaded worker with bounded patience, and with our own words for its refusals.

A connection on which nothing has come yet holds no thread; one that sends slowly holds one for
``READ_SECONDS`` at most, and one address never holds more than half of them that way. A client
that does not take its answer, or does not hang up after it, delays nobody but itself.

Threads take turns at running Python, and every call that may wait begins a new turn. So an answer
goes out in one call, and a thread waits a moment for the next request of its client before it gives
the connection back to the loop that watches all of them. ``PLACES`` requests run at once, in the
order they came; whoever has to wait for a client, or for news, gives its place away first.
"""

from __future__ import annotations

import contextlib
import errno
import select
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Semaphore
from time import monotonic
from typing import Any

import msgspec
from gunicorn import util
from gunicorn.http.errors import (
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    NoMoreData,
    ParseException,
)
from gunicorn.workers import gthread

from app.http.event_lines import Wish
from app.http.exchange import SAFETY
from app.http.naming import unique_hex
from app.http.problems import PROBLEM_TYPE, TABLE
from app.launch.hub import LINGER_SECONDS, Hub
from app.launch.turnstile import Turnstile

GLANCE_SECONDS = 0.02
"""Time a thread waits for the first byte of a new connection, which mostly is there."""
READ_SECONDS = 10.0
"""Time for a request to arrive, head and body, once its first byte has."""
SEND_SECONDS = 60.0
"""Time for one piece of an answer to be taken."""
STAY_SECONDS = 0.01
"""Time a thread waits for the next request of a client it has just answered."""
PLACES = 6
"""Requests that run at once in a process: enough while some of them wait for Redis."""


class Gate:
    """Counts, for each address, the threads that wait for its bytes."""

    def __init__(self, most: int) -> None:
        """Let ``most`` threads wait for one address."""
        self._most = most
        self._lock = Lock()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def passed(self, address: str) -> Iterator[None]:
        """Wait for an address.

        Raises:
            NoMoreData: too many threads do already.
        """
        with self._lock:
            if self._waiting[address] >= self._most:
                raise NoMoreData
            self._waiting[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[address] -= 1
                if not self._waiting[address]:
                    del self._waiting[address]


class Patient(socket.socket):
    """A client's socket; its reads share one deadline, each of its writes has one."""

    wish: Wish | None = None
    """What the hub is to go on with, once the answer has begun."""
    _turnstile: Turnstile | None = None
    """Where this request holds a place."""
    _answering = False
    """Whether the next thing that is written is the head of an answer."""
    _head = b""
    """The head of an answer, until its body comes."""

    def admit(self, gate: Gate, address: str) -> None:
        """Let one more request come in, through a gate."""
        self._gate, self._address = gate, address
        self._until = monotonic() + READ_SECONDS

    def enter(self, turnstile: Turnstile) -> None:
        """Let the request that has come run, when it is its turn."""
        if turnstile.enter():
            self._turnstile = turnstile

    def step_aside(self) -> None:
        """Give the place away, for the rest of this request."""
        if self._turnstile is not None:
            self._turnstile.leave()
            self._turnstile = None

    def asked(self, request: Any) -> None:
        """Note the request that is being answered."""
        self._request = request
        self._answering = True

    @property
    def chunked(self) -> bool:
        """Whether an answer without a length comes in chunks here."""
        return bool(self._request.version > (1, 0))

    def hand_over(self, opening: bytes, wish: Wish) -> HandedOver:
        """Return an answer of which we send the opening, and the hub the rest.

        It is the last answer on this connection: nobody reads requests from it any more.
        """
        self._request.force_close()
        return HandedOver(self, opening, wish)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Read as ``socket.recv`` does, until the request's time is over.

        Raises:
            NoMoreData: it is over, or the caller's address has too many slow connections.
        """
        left = self._until - monotonic()
        if left <= 0:
            raise NoMoreData
        before = self.gettimeout()
        # Where there is a timeout, Python would wait for it whatever the flags say.
        with contextlib.suppress(BlockingIOError), self._bounded(0) if before else _as_it_is:
            return super().recv(size, flags | socket.MSG_DONTWAIT)
        self.step_aside()
        with self._gate.passed(self._address), self._bounded(left):
            try:
                return super().recv(size, flags)
            except TimeoutError:
                if before is None or before > left:
                    raise NoMoreData from None
                raise

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Write as ``socket.sendall`` does; the head of an answer waits for what follows it.

        Raises:
            BrokenPipeError: the client does not take it in time.
        """
        if self._answering:
            self._answering, self._head = False, bytes(data)
            return
        self._put(self._head + data if self._head else data, flags)

    def flush(self) -> None:
        """Send the head of an answer that has no body.

        Raises:
            BrokenPipeError: the client does not take it in time.
        """
        if self._head:
            self._put(self._head, 0)

    def answered(self) -> None:
        """Be done with a request, however it ended: what is written next stands for itself."""
        self._answering, self._head = False, b""
        self.step_aside()

    def _put(self, data: Any, flags: int) -> None:
        self._head = b""
        sent = 0
        with (
            contextlib.suppress(BlockingIOError),
            self._bounded(0) if self.gettimeout() else _as_it_is,
        ):
            sent = super().send(data, flags | socket.MSG_DONTWAIT)
        if sent == len(data):
            return
        self.step_aside()
        with self._bounded(SEND_SECONDS):
            try:
                super().sendall(memoryview(data)[sent:], flags)
            except TimeoutError:
                raise BrokenPipeError(errno.EPIPE, "the client takes nothing") from None

    @contextmanager
    def _bounded(self, seconds: float) -> Iterator[None]:
        before = self.gettimeout()
        self.settimeout(seconds if before is None else min(before, seconds))
        try:
            yield
        finally:
            self.settimeout(before)


_as_it_is = contextlib.nullcontext()


class Handed(OSError):
    """The rest of an answer is somebody else's.

    As an error of the connection, which gunicorn takes for the end of an answer that could not be
    finished: it writes no last chunk, and logs nothing.
    """

    def __init__(self) -> None:
        super().__init__(errno.EPIPE, "handed over")


class HandedOver:
    """An answer that begins here and goes on elsewhere, or never begins."""

    def __init__(self, sock: Patient, opening: bytes, wish: Wish) -> None:
        self._sock, self._opening, self._wish = sock, opening, wish

    def __iter__(self) -> Iterator[bytes]:
        """Yield the opening; headers go with it."""
        yield self._opening
        self._sock.wish = self._wish
        raise Handed

    def close(self) -> None:
        """Give the seat back when the connection was lost before."""
        if self._sock.wish is None:
            self._wish.leave()


class PatientWorker(gthread.ThreadWorker):
    """Serves requests; slow and broken ones cost their sender only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gate = Gate(max(1, self.cfg.threads // 2))
        self._turnstile = Turnstile(PLACES)
        self._staying = Semaphore(max(1, self.cfg.threads // 2))
        self._lock = Lock()
        self._queued = 0

    def load_wsgi(self) -> None:
        """Load the application, and make what carries its streams."""
        super().load_wsgi()
        services = getattr(self.wsgi, "extensions", {}).get("santorini")
        if services is not None:  # another application hands nothing over
            self.hub = Hub(services)

    def enqueue_req(self, conn: Any) -> None:
        """Take a connection that just came, or that something can be read from."""
        if not isinstance(conn.sock, Patient):
            conn.sock = Patient(fileno=conn.sock.detach())
        self._queue(1)
        super().enqueue_req(conn)

    def _queue(self, by: int) -> None:
        """Count the connections that wait for a thread."""
        with self._lock:
            self._queued += by

    def handle(self, conn: Any) -> Any:
        """Serve requests that follow each other closely, in a thread of the pool."""
        self._queue(-1)
        if not (conn.initialized or conn.data_ready or conn.wait_for_data(GLANCE_SECONDS)):
            return gthread._DEFER
        kept = self._serve(conn)
        while kept and self._stays(conn):
            kept = self._serve(conn)
        return kept

    def _stays(self, conn: Any) -> bool:
        """Wait for the next request, unless others need the thread; say whether it comes."""
        waiting = self._queued or conn.parser.unreader.buf.getvalue()
        if waiting or not self.alive or not self._staying.acquire(blocking=False):
            return False
        try:
            coming = select.poll()
            coming.register(conn.sock, select.POLLIN)
            return bool(coming.poll(STAY_SECONDS * 1000))
        finally:
            self._staying.release()

    def _serve(self, conn: Any) -> Any:
        """Serve one request; say whether there may be another."""
        address = conn.client[0] if isinstance(conn.client, tuple) else ""
        conn.sock.admit(self._gate, address)
        kept = super().handle(conn)
        if conn.sock.wish is not None:
            conn.close = _closed
            wish, chunked = conn.sock.wish, conn.sock.chunked
            self.hub.take(wish, socket.socket(fileno=conn.sock.detach()), chunked)
        elif not kept:
            # Here, not in the loop that accepts: it would wait for every client that lingers.
            conn.sock.admit(self._gate, address)
            conn.sock.setblocking(True)
            util.close_graceful(conn.sock, LINGER_SECONDS)
            conn.close = _closed
        return kept

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer one request."""
        conn.sock.asked(req)
        conn.sock.enter(self._turnstile)
        try:
            kept = super().handle_request(req, conn)
            conn.sock.flush()
        finally:
            conn.sock.answered()
        return kept

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer what gunicorn refuses, or what broke it, with a problem.

        The log names the kind of error alone: its text quotes the request, tokens included.
        """
        ours = isinstance(exc, InvalidResponseHeader | InvalidResponseHeaderName)
        if isinstance(exc, ParseException) and not ours:
            kind = type(exc).__name__
            self.log.warning("refused an unreadable request of %s: %s", (addr or ("?",))[0], kind)
            code, detail = "malformed_request", "The request is not HTTP as it is read here."
        else:
            self.log.error("a request broke the server", exc_info=exc)
            code, detail = "internal_error", "Something broke here; the request was not at fault."
        try:
            util.write_nonblock(client, refusal(code, detail))
        except OSError:
            self.log.debug("nobody heard a refusal")


def _closed(graceful: bool = False) -> None:
    """Stand for the ``close`` of a connection that is closed."""


def refusal(code: str, detail: str) -> bytes:
    """Write a whole answer: a problem, with the headers that every answer bears."""
    kind = TABLE[code]
    body = msgspec.json.encode(
        {
            "type": f"/docs/problems/{code}",
            "title": kind.title,
            "status": kind.status,
            "detail": detail,
            "instance": "/",
            "code": code,
        }
    )
    headers = {
        "Connection": "close",
        "Content-Type": PROBLEM_TYPE,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Request-ID": unique_hex(),
        **SAFETY,
    }
    lines = [f"HTTP/1.1 {kind.status} {kind.title}", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body
