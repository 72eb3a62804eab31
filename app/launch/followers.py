"""Who follows a game: one client's connection, and the circle of those who see the same."""

from __future__ import annotations

import contextlib
import socket
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from app.adapters.store import StoreUnavailable
from app.http.event_lines import event_lines
from app.services.reader import Reader
from app.views.sight import is_over
from domain.game.errors import Refusal

MOST_WAITING = 256 * 1024
"""Bytes kept for a client that does not take them; more and it is cut off."""
MOST_SAID = 64 * 1024
"""Bytes a client may send while it listens: whatever it says is not heard."""
VANISHED_SECONDS = 60.0
"""Time after which a client that takes nothing, or acknowledges nothing, is given up."""


class Text(NamedTuple):
    """A piece of an answer as it is, and as a chunk (RFC 9112, section 7.1)."""

    plain: bytes
    chunk: bytes

    @classmethod
    def of(cls, plain: bytes) -> Text:
        """Frame a piece that is not empty, once for everybody who gets it."""
        return cls(plain, b"%x\r\n%b\r\n" % (len(plain), plain))


END = Text(b"", b"0\r\n\r\n")
"""The end of an answer: the empty chunk, where chunks are spoken."""


class Gone(Exception):
    """A client that is not there any more, or not worth waiting for."""


class Follower:
    """One client: its connection, and what it has not taken yet. Never waits."""

    __slots__ = (
        "after",
        "chunked",
        "circle",
        "ending",
        "leave",
        "moved_at",
        "said",
        "silent",
        "sock",
        "waiting",
    )

    def __init__(
        self,
        sock: socket.socket,
        chunked: bool,
        circle: Circle,
        after: int,
        leave: Callable[[], None],
    ) -> None:
        """Take a connection over; ``leave`` gives its seat back."""
        self.sock = sock
        self.chunked = chunked
        self.circle = circle
        self.after = after
        self.leave = leave
        self.waiting: deque[memoryview] = deque()
        self.moved_at = monotonic()
        self.said = 0
        self.silent = False
        self.ending = False
        sock.setblocking(False)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            with contextlib.suppress(OSError):  # it is no TCP, or broken already
                millis = round(VANISHED_SECONDS * 1_000)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, millis)

    def write(self, text: Text) -> None:
        """Send a piece, as much of it as goes; the rest waits.

        Raises:
            Gone: the client is, or it lets too much wait.
        """
        data = text.chunk if self.chunked else text.plain
        if not self.waiting:
            sent = self._send(data)
            if sent == len(data):
                return
            self.moved_at = monotonic()
            self.waiting.append(memoryview(data)[sent:])
            return
        self.waiting.append(memoryview(data))
        if sum(map(len, self.waiting)) > MOST_WAITING:
            raise Gone

    def flush(self) -> None:
        """Send what waits, as much of it as goes.

        Raises:
            Gone: the client is.
        """
        while self.waiting:
            part = self.waiting[0]
            sent = self._send(part)
            if sent:
                self.moved_at = monotonic()
            if sent < len(part):
                self.waiting[0] = part[sent:]
                return
            self.waiting.popleft()

    def _send(self, data: bytes | memoryview) -> int:
        try:
            return self.sock.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            raise Gone from None

    def listen(self) -> None:
        """Read what the client says and forget it; ``silent`` tells when it has said all.

        Raises:
            Gone: the connection is broken, or the client will not be quiet.
        """
        try:
            said = self.sock.recv(16 * 1024)
        except BlockingIOError:
            return
        except OSError:
            raise Gone from None
        self.said += len(said)
        if self.said > MOST_SAID:
            raise Gone
        self.silent = not said

    def stuck(self, now: float) -> bool:
        """Say whether the client has taken nothing for too long."""
        return bool(self.waiting) and now - self.moved_at > VANISHED_SECONDS


class Glimpse(NamedTuple):
    """What a circle is told: the events after ``low``, each written out, up to ``version``."""

    low: int
    version: int
    events: list[tuple[int, bytes]]
    over: bool

    def beyond(self, after: int) -> bytes:
        """Return the events after a version in one piece; what is read together goes together."""
        return b"".join(text for version, text in self.events if version > after)


class Circle:
    """Everybody who follows one game with the same token, or with none, and so sees the same."""

    __slots__ = ("game_id", "heard", "places", "reading", "rests_until", "seen", "token")

    def __init__(self, game_id: str, token: str | None) -> None:
        """Begin with nobody."""
        self.game_id = game_id
        self.token = token
        self.places: dict[int, set[Follower]] = {}
        """Followers by the version of the last event they were told."""
        self.seen = 0
        """Version of the game when it was last read."""
        self.heard = 0
        """Newest version heard of since then."""
        self.reading = False
        self.rests_until = 0.0

    def __iter__(self) -> Iterator[Follower]:
        """Yield everybody."""
        for place in tuple(self.places.values()):
            yield from tuple(place)

    def put(self, follower: Follower, after: int) -> None:
        """Put a follower in its place."""
        follower.after = after
        self.places.setdefault(after, set()).add(follower)

    def remove(self, follower: Follower) -> None:
        """Take a follower out."""
        place = self.places.get(follower.after, set())
        place.discard(follower)
        if not place:
            self.places.pop(follower.after, None)

    def promote(self, after: int, version: int) -> tuple[Follower, ...]:
        """Note that those at one place have been told everything up to ``version``."""
        moved = tuple(self.places.pop(after, ()))
        for follower in moved:
            self.put(follower, version)
        return moved

    def look(self, reader: Reader, low: int) -> Glimpse | None:
        """Read on from a version; None ends the circle: its token died, or the store is away."""
        try:
            page = reader.events(self.game_id, self.token, low, None)
        except (Refusal, StoreUnavailable):
            return None
        return Glimpse(low, page.snapshot.version, event_lines(page), is_over(page.snapshot.game))
