"""The hub: one thread tells everybody, waits for nobody, and forgets nobody."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.adapters.store import StoreUnavailable
from app.config import Config
from app.http.event_lines import Wish
from app.launch import followers, hub
from app.launch.hub import Hub
from app.wiring import build_services
from tests.app.http.conftest import Table
from tests.security.conftest import started

LONG = 10.0
ENDS = (b"\n\n", b"\n\n\r\n")
"""How an event ends, as it is and in a chunk."""


@pytest.fixture
def app():
    config = Config(rate_limits="off")
    app = create_app(config, build_services(config, MemoryStore()))
    app.extensions["hub"] = Hub(app.extensions["santorini"])
    yield app
    app.extensions["hub"].close(LONG)


@pytest.fixture
def duel(app) -> Table:
    table = started(app.test_client())
    table.play("+b2 +d4", 1)
    table.play("+b4 +d2", 2)
    return table


@pytest.fixture
def listen(app):
    """Let somebody follow a game: ``listen(table, after, token)``."""
    with ExitStack() as stack:

        def listen(table: Table, after: int, token: str | None = None, **more) -> Listener:
            listener = Listener(app, table, after, token, **more)
            stack.enter_context(listener.sock)
            return listener

        yield listen


class Listener:
    """A client of the hub, and the seat it holds."""

    def __init__(self, app, table: Table, after: int, token: str | None = None, **more) -> None:
        self.left = 0
        self.sock, given = socket.socketpair()
        self.sock.settimeout(LONG)
        if "buffer" in more:
            given.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, more["buffer"])
        wish = Wish(table.id, token, after, more.get("backlog", b""), self._leave)
        app.extensions["hub"].take(wish, given, more.get("chunked", False))

    def _leave(self) -> None:
        self.left += 1

    def read(self, last: int | None = None) -> bytes:
        """Read up to the event of this version, or to the end."""
        text = b""
        while last is None or f"id: {last}\n".encode() not in text or not text.endswith(ENDS):
            part = self.sock.recv(1 << 16)
            if not part:
                break
            text += part
        return text

    def gone(self) -> bool:
        """Wait until the hub has given up on it."""
        limit = time.monotonic() + LONG
        while not self.left and time.monotonic() < limit:
            time.sleep(0.01)
        return self.left == 1


def settle(app) -> None:
    """Wait until the hub has nothing to do."""
    hub, limit = app.extensions["hub"], time.monotonic() + LONG
    while hub._inbox or hub._wanted or any(c.reading for c in tuple(hub._circles.values())):
        assert time.monotonic() < limit
        time.sleep(0.01)
    seen = Event()
    hub._post(seen.set)
    assert seen.wait(LONG)
    if hub._wanted or any(circle.reading for circle in tuple(hub._circles.values())):
        settle(app)


def events(text: bytes) -> list[dict]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith(b"data: ")]


def log(table: Table, after: int = 0) -> list[dict]:
    return table.get(f"/events?after={after}").json["events"]


def unchunked(data: bytes) -> bytes:
    """Undo the chunks, each of which must be right, the last one empty and the end."""
    text, rest = b"", data
    while True:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        assert rest[length : length + 2] == b"\r\n"
        if not length:
            assert rest == b"\r\n"
            return text
        text, rest = text + rest[:length], rest[length + 2 :]


def test_many_followers_cost_one_reading(app, listen, duel, monkeypatch) -> None:
    reader = app.extensions["santorini"].reader
    version, read, readings = duel.game()["version"], reader.events, []
    crowd = [listen(duel, version) for _ in range(200)]
    settle(app)
    monkeypatch.setattr(reader, "events", lambda *a: readings.append(a) or read(*a))
    duel.play("b2>b3 b3^c3", 1)
    newest = duel.game()["version"]
    texts = {listener.read(newest) for listener in crowd}
    assert len(texts) == 1
    assert events(texts.pop()) == log(duel, version)
    assert [seen[2] for seen in readings if seen[0] == duel.id and seen[3] is None] == [version]


def test_each_follower_hears_every_event_once_from_where_it_was(app, listen, duel) -> None:
    """They come in while the game goes on, each from another version."""
    crowd = []
    for line in ("b2>b3 b3^c3", "b4>c4 c4^c5", "b3>b2 b2^b3"):
        version = duel.game()["version"]
        crowd += [(after, listen(duel, after)) for after in (0, 3, version - 1, version)]
        duel.play(line)
    duel.post("/resignation", seat=1)
    for after, listener in crowd:
        assert events(listener.read()) == log(duel, after)
        assert listener.gone()


def test_an_answer_in_chunks_is_whole(app, listen, duel) -> None:
    version = duel.game()["version"]
    given = {"chunked": True, "backlog": b": this came before\n\n"}
    listener = listen(duel, version, **given)
    duel.play("b2>b3 b3^c3", 1)
    duel.post("/resignation", seat=2)
    text = unchunked(listener.read())
    assert text.startswith(given["backlog"])
    assert events(text) == log(duel, version)


def test_who_does_not_read_is_cut_off_and_holds_up_nobody(app, listen, duel, monkeypatch) -> None:
    monkeypatch.setattr(followers, "MOST_WAITING", 4_000)
    slow = listen(duel, 0, buffer=1, backlog=b"x" * 100_000)
    quick = listen(duel, 0)
    for line in ("b2>b3 b3^c3", "b4>c4 c4^c5", "b3>b2 b2^b3", "c4>b4 b4^c4"):
        duel.play(line)
        quick.read(duel.game()["version"])
    assert slow.gone()
    assert quick.left == 0


def test_who_reads_slowly_gets_everything(app, listen, duel) -> None:
    backlog = bytes(range(256)) * 400
    slow = listen(duel, 0, buffer=1, backlog=backlog, chunked=True)
    duel.post("/resignation", seat=2)
    data = b""
    while part := slow.sock.recv(700):
        data += part
    text = unchunked(data)
    assert text.startswith(backlog)
    assert events(text[len(backlog) :]) == log(duel)


def test_who_takes_nothing_for_long_is_given_up(app, listen, duel, monkeypatch) -> None:
    monkeypatch.setattr(followers, "VANISHED_SECONDS", 0.3)
    monkeypatch.setattr(hub, "BEAT_SECONDS", 0.2)
    assert listen(duel, 0, buffer=1, backlog=b"x" * 100_000).gone()


def test_who_hangs_up_gives_the_seat_back_at_once(app, listen, duel) -> None:
    listener = listen(duel, duel.game()["version"])
    settle(app)
    listener.sock.close()
    start = time.monotonic()
    assert listener.gone()
    assert time.monotonic() - start < LONG / 2


def test_who_only_has_nothing_more_to_say_goes_on_listening(app, listen, duel) -> None:
    version = duel.game()["version"]
    listener = listen(duel, version)
    listener.sock.shutdown(socket.SHUT_WR)
    time.sleep(2 * hub.PROBE_SECONDS)
    duel.play("b2>b3 b3^c3", 1)
    assert events(listener.read(duel.game()["version"])) == log(duel, version)
    duel.post("/resignation", seat=2)
    listener.read()
    assert listener.gone()


def test_who_talks_without_end_is_cut_off(app, listen, duel) -> None:
    listener = listen(duel, duel.game()["version"])
    listener.sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
    with pytest.raises(OSError):
        listener.sock.sendall(b"x" * 4_000_000)
    assert listener.gone()


def test_a_quiet_stream_beats(app, listen, duel, monkeypatch) -> None:
    monkeypatch.setattr(hub, "BEAT_SECONDS", 0.1)
    listener = listen(duel, duel.game()["version"], chunked=True)
    time.sleep(0.6)
    duel.post("/resignation", seat=2)
    assert unchunked(listener.read()).count(b": still here\n\n") >= 3


def test_a_renewed_token_ends_its_streams_and_no_other(app, listen, duel) -> None:
    version = duel.game()["version"]
    own = listen(duel, version, duel.tokens[1])
    others = [listen(duel, version, token) for token in (None, duel.tokens[2])]
    settle(app)
    renewed = duel.post("/seats/1/token", seat=1)
    assert renewed.status_code == 201, renewed.text
    duel.tokens[1] = renewed.json["token"]
    duel.play("b2>b3 b3^c3", 1)
    assert own.read() == b""
    assert own.gone()
    for listener in others:
        assert events(listener.read(duel.game()["version"])) == log(duel, version)
        assert not listener.left


def test_a_store_that_is_away_ends_what_it_cannot_tell(app, listen, duel, monkeypatch) -> None:
    other = started(app.test_client())
    listener = listen(duel, duel.game()["version"], chunked=True)
    spared = listen(other, other.game()["version"])
    settle(app)
    reader = app.extensions["santorini"].reader
    read = reader.events

    def away(game_id, *rest):
        if game_id == duel.id:
            raise StoreUnavailable("away")
        return read(game_id, *rest)

    monkeypatch.setattr(reader, "events", away)
    duel.play("b2>b3 b3^c3", 1)
    assert unchunked(listener.read()) == b""
    assert listener.gone()
    other.play("+b2 +d4", 1)
    assert spared.read(other.game()["version"])


def test_a_look_that_breaks_ends_its_streams_and_not_the_hub(
    app, listen, duel, monkeypatch
) -> None:
    version = duel.game()["version"]
    listener = listen(duel, version)
    settle(app)
    with monkeypatch.context() as broken:
        broken.setattr(followers, "event_lines", lambda page: 1 / 0)
        duel.play("b2>b3 b3^c3", 1)
        assert listener.read() == b""
    assert events(listen(duel, version).read(duel.game()["version"])) == log(duel, version)


def test_what_may_have_been_missed_is_looked_for(app, listen, duel, monkeypatch) -> None:
    """News is lost with the connection to Redis; when it stands again, everybody looks."""
    news, version = app.extensions["santorini"].news, duel.game()["version"]
    listener = listen(duel, version)
    settle(app)
    ledger = app.extensions["santorini"].reader._ledger
    monkeypatch.setattr(ledger, "_announce", None)
    duel.play("b2>b3 b3^c3", 1)
    listener.sock.settimeout(0.5)
    with pytest.raises(TimeoutError):
        listener.read(duel.game()["version"])
    listener.sock.settimeout(LONG)
    news._doubt()
    assert events(listener.read(duel.game()["version"])) == log(duel, version)


def test_no_call_to_the_hub_is_overheard(app, listen, duel, monkeypatch) -> None:
    """Many threads ring at once; one whose bell was lost would wait for the next tick."""
    monkeypatch.setattr(hub, "TICK", 10 * LONG)
    listen(duel, 0).read(duel.game()["version"])

    def ring() -> None:
        for _ in range(1_500):
            heard = Event()
            app.extensions["hub"]._post(heard.set)
            assert heard.wait(LONG)

    with ThreadPoolExecutor(4) as pool:
        for ringing in [pool.submit(ring) for _ in range(4)]:
            ringing.result()
    monkeypatch.undo()
    app.extensions["hub"]._post(lambda: None)


def test_at_the_end_of_the_process_everybody_is_let_go(app, listen, duel) -> None:
    crowd = [listen(duel, 0, chunked=True) for _ in range(50)]
    texts = [listener.read(duel.game()["version"]) for listener in crowd]
    start = time.monotonic()
    app.extensions["santorini"].news.close()
    for listener, text in zip(crowd, texts, strict=True):
        assert events(unchunked(text + listener.read())) == log(duel)
    app.extensions["hub"].close(LONG)
    assert time.monotonic() - start < LONG / 2
    assert all(listener.left == 1 for listener in crowd)
    late = listen(duel, 0)
    assert late.read() == b""
    assert late.gone()
