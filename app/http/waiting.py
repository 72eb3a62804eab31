"""Long polls and streams: how many may wait at once, how long, and what wakes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import TypeVar

from flask import current_app, request

from app.http.caching import tags_in
from app.http.callers import services
from app.http.problems import Problem

T = TypeVar("T")

LONGEST_WAIT = 60
_VERSION = re.compile("[0-9]{1,9}")
_WAIT = re.compile(r"""(?:^|[,;])\s*wait\s*=\s*"?([0-9]{1,4})"?\s*(?=$|[,;])""", re.IGNORECASE)


class Room:
    """Seats for requests that last. Where each holds a thread there are fewer than threads."""

    def __init__(self, size: int, tell: Callable[[int], None] | None = None) -> None:
        """Let ``size`` requests wait at once; ``tell`` hears of one more, and of one less."""
        self._size = size
        self._tell = tell or (lambda _: None)
        self._lock = Lock()
        self._taken = 0
        self._from: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """Number of requests that wait."""
        return self._taken

    def enter(self, address: str = "") -> Callable[[], None]:
        """Take a seat and return what gives it back; calling that twice does no harm.

        One address gets at most half of the seats, where it is told.

        Raises:
            Problem: ``too_many_streams``.
        """
        with self._lock:
            if self._taken >= self._size:
                raise _full("As many streams and waiting requests are open as can be served.")
            if address and self._from[address] >= max(1, self._size // 2):
                raise _full("As many streams are open from this address as it may have.")
            self._change(1, address)
        held = [True]

        def leave() -> None:
            with self._lock:
                if held:
                    held.clear()
                    self._change(-1, address)

        return leave

    def _change(self, by: int, address: str) -> None:
        self._taken += by
        self._tell(by)
        if address:
            self._from[address] += by
            if not self._from[address]:
                del self._from[address]

    @contextmanager
    def seat(self) -> Iterator[None]:
        """Sit for a while."""
        leave = self.enter()
        try:
            yield
        finally:
            leave()


def _full(detail: str) -> Problem:
    return Problem("too_many_streams", detail, headers={"Retry-After": "5"})


def room() -> Room:
    """Return the room of this process for requests that hold a thread."""
    found: Room = current_app.extensions["waiting-room"]
    return found


def stream_room() -> Room:
    """Return the room of this process for streams that hold none."""
    found: Room = current_app.extensions["stream-room"]
    return found


def preferred_wait() -> int:
    """Return the seconds of ``Prefer: wait`` (RFC 7240), 60 at most, 0 without one."""
    given = request.headers.get("Prefer")
    found = _WAIT.search(given) if given else None
    return min(int(found[1]), LONGEST_WAIT) if found else 0


def known_version() -> int | None:
    """Return the newest version among the tags of ``If-None-Match``, or None."""
    tags = [tag for _, tag in tags_in("If-None-Match") or ()]
    return max((int(tag) for tag in tags if _VERSION.fullmatch(tag)), default=None)


def step_aside() -> None:
    """Let other requests run meanwhile, where the server counts how many do."""
    leave = getattr(request.environ.get("gunicorn.socket"), "step_aside", None)
    if leave is not None:
        leave()


def awaited(
    game_id: str,
    read: Callable[[], T],
    version_of: Callable[[T], int],
    known_to: Callable[[], int | None],
    seconds: int,
) -> T:
    """Read a game; when it is not beyond what is known to the caller, wait and read it again.

    Raises:
        Problem: ``too_many_streams`` when it would have to wait and nobody else may.
    """
    found = read()
    known = known_to() if seconds else None
    if known is None or version_of(found) > known:
        return found
    step_aside()
    until = monotonic() + seconds
    with room().seat(), services().news.watching(game_id) as watch:
        found = read()
        while version_of(found) <= known and watch.wait(known, until - monotonic()):
            found = read()
    return found
