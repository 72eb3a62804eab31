"""Streams over a real gunicorn with eight threads: hundreds of them, and clients of every kind."""

from __future__ import annotations

import json
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.security.gunicorn import Web, web
from tests.strangers.duel import Duel

pytestmark = pytest.mark.end_to_end

LONG = 20.0
CROWD = 300


class Stream:
    """A stream as it comes over the wire; chunks are checked as they come."""

    def __init__(self, server: Web, path: str, *headers: str, version: str = "1.1") -> None:
        self.sock = server.connect(LONG)
        self._file = self.sock.makefile("rb")
        lines = [f"GET {path} HTTP/{version}", "Host: x", "Accept: text/event-stream", *headers]
        self.sock.sendall("\r\n".join([*lines, "", ""]).encode())
        self.status = int(self._file.readline().split()[1])
        self.headers: dict[str, str] = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(": ")
            self.headers[name.title()] = value
        self.chunked = self.headers.get("Transfer-Encoding") == "chunked"
        self.ended = False
        """Whether the end was told, not only met."""
        self._text = b""

    def close(self) -> None:
        self._file.close()
        self.sock.close()

    def _more(self) -> bytes:
        if not self.chunked:
            return self._file.readline()
        head = self._file.readline()
        if not head:
            return b""
        part = self._file.read(int(head, 16))
        assert self._file.read(2) == b"\r\n"
        self.ended = not part
        return part

    def events(self) -> Iterator[Any]:
        """Yield events as they come, to the end."""
        while part := self._more():
            *blocks, self._text = (self._text + part).split(b"\n\n")
            for block in blocks:
                for line in block.splitlines():
                    if line.startswith(b"data: "):
                        yield json.loads(line[6:])

    def up_to(self, version: int) -> list[Any]:
        """Read up to the event of this version."""
        found = []
        for event in self.events():
            found.append(event)
            if event["version"] >= version:
                return found
        raise AssertionError("the stream ended early")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Run one process with eight threads, for tests that leave it whole."""
    folder = tmp_path_factory.mktemp("streams")
    with web(folder, SANTORINI_RATE_LIMITS="off") as one:
        yield one


@contextmanager
def crowd(server: Web, path: str, size: int, *headers: str) -> Iterator[list[Stream]]:
    with ExitStack() as stack:
        streams = []
        for _ in range(size):
            streams.append(Stream(server, path, *headers))
            stack.callback(streams[-1].close)
        yield streams


def duel(server: Web, **settings: Any) -> Duel:
    found = Duel(server.url, start_seat=1, **settings)
    found.join()
    return found


def events_of(found: Duel) -> str:
    return f"{found.path}/events"


def open_streams(server: Web) -> float:
    text = requests.get(f"{server.url}/metrics", timeout=LONG).text
    (line,) = [line for line in text.splitlines() if line.startswith("santorini_waiting_requests")]
    return float(line.split()[1])


def until(true: Callable[[], bool]) -> None:
    limit = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.05)


def reset_at_close(sock: socket.socket) -> None:
    """Let a connection end as that of a killed process does: with a reset."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def log(server: Web, found: Duel, token: str = "") -> list[Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    address = f"{server.url}{events_of(found)}"
    return list(requests.get(address, headers=headers, timeout=LONG).json()["events"])


def test_hundreds_watch_while_eight_threads_play_on(server: Web) -> None:
    """Nobody waits for a thread; all hear the same; all seats are given back."""
    until(lambda: open_streams(server) == 0)
    game, other = duel(server), duel(server)
    with crowd(server, events_of(game), CROWD) as streams:
        assert {stream.status for stream in streams} == {200}
        assert open_streams(server) == CROWD
        other.step(4)
        game.step(4)
        game.resign()
        heard = [list(stream.events()) for stream in streams]
        assert all(stream.ended for stream in streams)
        whole = log(server, game)
        assert all(one == whole for one in heard)
    until(lambda: open_streams(server) == 0)


def test_clients_that_vanish_give_their_seats_back(server: Web) -> None:
    game = duel(server)
    with crowd(server, events_of(game), 40) as streams:
        until(lambda: open_streams(server) == 40)
        for number, stream in enumerate(streams):
            if number % 2:
                reset_at_close(stream.sock)
            stream.close()
        until(lambda: open_streams(server) == 0)
    game.step(2)


def test_clients_that_vanish_before_the_answer_leave_no_seat_taken(server: Web) -> None:
    """Some are gone when the head is written, some when the hub has just taken over."""
    path = events_of(duel(server))
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
    for number in range(60):
        with server.connect(LONG) as one:
            one.sendall(request)
            if number % 2:
                reset_at_close(one)
            time.sleep(number % 5 * 0.002)
    with crowd(server, path, 1):
        until(lambda: open_streams(server) == 1)
    until(lambda: open_streams(server) == 0)


def test_who_does_not_read_holds_up_nobody(server: Web) -> None:
    game = duel(server)
    lazy = server.connect(LONG)
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    request = f"GET {events_of(game)} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
    lazy.sendall(request.encode())
    with lazy, crowd(server, events_of(game), 20) as streams:
        for _ in range(6):
            game.step()
            for stream in streams:
                stream.up_to(game.version)


def test_each_hears_what_it_may_know(server: Web) -> None:
    """Hecate's workers are secret: her seat, its foe and the public follow the same game."""
    game = duel(server, powers={"mode": "fixed", "seats": ["apollo", "hecate"]})
    tokens = ["", game.tokens[1], game.tokens[2]]
    bearers = [(f"Authorization: Bearer {token}",) if token else () for token in tokens]
    with ExitStack() as stack:
        streams = []
        for bearer in bearers:
            streams.append(Stream(server, events_of(game), *bearer))
            stack.callback(streams[-1].close)
        game.step(4)
        views = []
        for token, stream in zip(tokens, streams, strict=True):
            views.append(stream.up_to(game.version))
            assert views[-1] == log(server, game, token)
        assert views[0] == views[1] != views[2]
        assert any(event.get("redacted") for event in views[0])
        assert not any(event.get("redacted") for event in views[2])


def test_a_renewed_token_ends_the_stream_it_opened(server: Web) -> None:
    game = duel(server, visibility="private")
    bearer = f"Authorization: Bearer {game.tokens[1]}"
    with crowd(server, events_of(game), 1, bearer) as (stream,):
        stream.up_to(game.version)
        renewed = requests.post(
            f"{server.url}{game.path}/seats/1/token",
            headers={"Authorization": f"Bearer {game.tokens[1]}"},
            timeout=LONG,
        )
        game.tokens[1] = renewed.json()["token"]
        game.step()
        assert list(stream.events()) == []
        assert stream.ended
    with crowd(server, events_of(game), 1, bearer) as (stream,):
        assert stream.status == 404


def test_old_clients_get_no_chunks(server: Web) -> None:
    game = duel(server)
    stream = Stream(server, events_of(game), version="1.0")
    assert not stream.chunked
    assert stream.headers["Connection"] == "close"
    game.step(2)
    game.resign()
    assert list(stream.events()) == log(server, game)
    stream.close()


def test_a_stream_bears_what_every_answer_bears(server: Web) -> None:
    game = duel(server)
    with crowd(server, events_of(game), 1, "X-Request-ID: abc-1") as (stream,):
        assert stream.headers["X-Request-Id"] == "abc-1"
        assert stream.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["Cache-Control"] == "no-store"
        assert stream.headers["X-Content-Type-Options"] == "nosniff"
        assert stream.headers["Connection"] == "close"


def test_heads_and_ended_logs_leave_the_connection_open(server: Web) -> None:
    game = duel(server)
    game.resign()
    with requests.Session() as session:
        address, headers = f"{server.url}{events_of(game)}", {"Accept": "text/event-stream"}
        assert session.head(address, headers=headers, timeout=LONG).status_code == 200
        ended = session.get(f"{address}?after={game.version}", headers=headers, timeout=LONG)
        assert ended.status_code == 204
        assert ended.headers["Connection"] == "keep-alive"
    until(lambda: open_streams(server) == 0)


def test_requests_behind_a_stream_are_not_answered(server: Web) -> None:
    """The stream is the last answer on its connection, and says so."""
    game = duel(server)
    with crowd(server, events_of(game), 1) as (stream,):
        stream.sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        game.resign()
        assert list(stream.events()) == log(server, game)
        assert stream._file.read() == b""


def test_streams_are_let_go_when_the_server_is_told_to_stop(tmp_path: Path) -> None:
    with ExitStack() as stack, web(tmp_path, SANTORINI_RATE_LIMITS="off") as server:
        game = duel(server)
        streams = stack.enter_context(crowd(server, events_of(game), 100))
        until(lambda: open_streams(server) == 100)
        server.process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        for stream in streams:
            assert [event["version"] for event in stream.events()][-1] == game.version
            assert stream.ended
        assert server.process.wait(LONG) == 0
        assert time.monotonic() - start < LONG / 2
        assert "Traceback" not in server.logged


def test_streams_outlive_redis(tmp_path: Path) -> None:
    """Without Redis there is no news; with it they go on, and miss nothing."""
    with web(tmp_path, SANTORINI_RATE_LIMITS="off") as server:
        game = duel(server)
        with crowd(server, events_of(game), 30) as streams:
            game.step()
            assert {len(stream.up_to(game.version)) for stream in streams} == {game.version}
            server.redis.kill()
            with pytest.raises(AssertionError):
                game.step()
            server.redis.start()
            until(lambda: requests.get(f"{server.url}/readyz", timeout=LONG).ok)
            game.step(2)
            whole = log(server, game)
            for stream in streams:
                heard = stream.up_to(game.version)
                assert heard == whole[-len(heard) :]


def test_an_address_has_half_of_the_seats_at_most(tmp_path: Path) -> None:
    with web(tmp_path, SANTORINI_STREAMS="6") as server:
        game = duel(server)
        with crowd(server, events_of(game), 3) as streams:
            refused = Stream(server, events_of(game))
            assert refused.status == 429
            assert refused.headers["Retry-After"] == "5"
            refused.close()
            streams[0].close()
            until(lambda: open_streams(server) == 2)
            again = Stream(server, events_of(game))
            assert again.status == 200
            again.close()
