"""The hub: one thread that carries every stream of a process, thousands of them.

A request for a stream is answered by a thread of the web server up to its first bytes; then the
connection comes here. The hub hears of each game that moves, reads it once for each circle of
followers who see the same, and sends what is new to all of them without waiting for any.
"""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock, Thread
from time import monotonic, sleep

from app.http.event_lines import BEAT, BEAT_SECONDS, Wish
from app.launch.followers import END, Circle, Follower, Glimpse, Gone, Text
from app.services import Services

BEATS_AT_ONCE = 100
"""Comments sent in one go: what has happened in a game comes before them."""
TICK = 0.25
"""Longest time, in seconds, between two looks at whether the process is about to end."""
LINGER_SECONDS = 0.5
"""Time a client has to hang up after its last answer, or its stream, before we do."""
PROBE_SECONDS = 0.3
"""Time in which the machine of a client that has left answers with a reset."""
READERS = 3
"""Threads that read games: a store that answers slowly must not hold up who is being told."""
REST = 2.0
"""Rest after telling a circle, in times of what telling it took: play wants the processor, too."""

log = logging.getLogger(__name__)
_BEAT = Text.of(BEAT)


class Hub:
    """Carries streams. ``take`` may be called by any thread; all else is the hub thread's own."""

    def __init__(self, services: Services) -> None:
        """Follow the games of these services; nothing runs before the first ``take``."""
        self._reader = services.reader
        self._news = services.news
        self._lock = Lock()
        self._thread: Thread | None = None
        self._rung = False
        self._closed = False
        self._inbox: deque[Callable[[], None]] = deque()
        self._circles: dict[tuple[str, str | None], Circle] = {}
        self._of_game: dict[str, set[Circle]] = {}
        self._wanted: set[Circle] = set()
        self._beats: deque[tuple[float, Follower]] = deque()
        self._parting: deque[tuple[float, Follower]] = deque()
        self._doubted: deque[tuple[float, Follower]] = deque()
        self._carried: set[Follower] = set()

    def take(self, wish: Wish, connection: socket.socket, chunked: bool) -> None:
        """Carry on with an answer that has begun, in chunks or not."""
        with self._lock:
            if not self._closed:
                if self._thread is None:
                    self._open()
                self._post(partial(self._welcome, wish, connection, chunked))
                return
        connection.close()
        wish.leave()

    def close(self, seconds: float) -> None:
        """Let everybody go, and wait for that so long; ``News.close`` alone asks for it, too."""
        self._news.close()
        if self._thread is not None:
            self._thread.join(seconds)

    # -- the thread -----------------------------------------------------------------------------

    def _open(self) -> None:
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._ear.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._ear, selectors.EVENT_READ)
        self._pool = ThreadPoolExecutor(READERS, "stream-reader")
        self._thread = Thread(target=self._run, name="hub", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._news.tell(self._hear)
        while not self._news.closing:
            try:
                self._turn()
            except Exception:
                log.exception("the hub stumbled")
                sleep(TICK)
        self._close()

    def _turn(self) -> None:
        self._ask()
        for key, mask in self._selector.select(self._patience()):
            if key.data is None:
                self._drain()
            else:
                self._stir(key.data, mask)
        while self._inbox:
            self._inbox.popleft()()
        self._beat()
        self._probe()
        self._part()

    def _patience(self) -> float:
        """Return how long nothing is due."""
        now = monotonic()
        due = [circle.rests_until for circle in self._wanted if not circle.reading]
        due += [queue[0][0] for queue in (self._beats, self._doubted, self._parting) if queue]
        return max(0.0, min([TICK, *(at - now for at in due)]))

    def _close(self) -> None:
        """Let everybody go, those too who are on their way here."""
        with self._lock:
            self._closed = True
        while self._inbox:
            self._inbox.popleft()()
        everybody = [follower for circle in self._circles.values() for follower in circle]
        for follower in everybody:
            self._end(follower)
        until = monotonic() + LINGER_SECONDS
        while self._carried and monotonic() < until:
            for key, mask in self._selector.select(0.1):
                if key.data is not None:
                    self._stir(key.data, mask)
        for follower in tuple(self._carried):
            self._drop(follower)
        self._pool.shutdown(wait=False, cancel_futures=True)
        for part in (self._selector, self._bell, self._ear):
            part.close()

    # -- what comes from other threads ----------------------------------------------------------

    def _post(self, act: Callable[[], None]) -> None:
        """Let the hub thread do something soon."""
        self._inbox.append(act)
        self._wake()

    def _wake(self) -> None:
        """Ring, unless somebody has since the hub last listened; what is posted comes before."""
        if not self._rung:
            self._rung = True
            with contextlib.suppress(OSError):  # the hub is closed
                self._bell.send(b"\0")

    def _drain(self) -> None:
        """Hear the bell out, then let it be rung again; what was posted is looked at after that."""
        with contextlib.suppress(BlockingIOError):
            while len(self._ear.recv(64)) == 64:
                pass
        self._rung = False

    def _hear(self, game_id: str | None, version: int) -> None:
        """Hear of a game that moved, or that something may have been missed; from any thread."""
        if game_id is None:
            self._post(lambda: self._wanted.update(self._circles.values()))
        elif any(version > circle.seen for circle in tuple(self._of_game.get(game_id, ()))):
            self._post(partial(self._want, game_id, version))

    def _want(self, game_id: str, version: int) -> None:
        """Look at a game that moved. A process hears of its own appends twice: once is enough."""
        for circle in self._of_game.get(game_id, ()):
            circle.heard = max(circle.heard, version)
            if version > circle.seen and not circle.reading:
                self._wanted.add(circle)

    def _welcome(self, wish: Wish, connection: socket.socket, chunked: bool) -> None:
        """Put a new follower into its circle, and look whether it missed anything on the way."""
        key = (wish.game_id, wish.token)
        circle = self._circles.get(key)
        if circle is None:
            circle = self._circles[key] = Circle(*key)
            self._of_game.setdefault(wish.game_id, set()).add(circle)
        follower = Follower(connection, chunked, circle, wish.after, wish.leave)
        circle.put(follower, wish.after)
        self._carried.add(follower)
        try:
            self._watch(follower)
        except OSError:
            log.exception("a stream could not be watched")
            self._drop(follower)
            return
        self._beats.append((monotonic() + BEAT_SECONDS, follower))
        if wish.backlog:
            self._write(follower, Text.of(wish.backlog))
        self._wanted.add(circle)

    # -- reading and telling --------------------------------------------------------------------

    def _ask(self) -> None:
        """Let games be read that have moved, each by one thread at a time."""
        now = monotonic()
        for circle in tuple(self._wanted):
            if not circle.places:
                self._wanted.discard(circle)
            elif not circle.reading and circle.rests_until <= now:
                self._wanted.discard(circle)
                circle.reading = True
                self._pool.submit(self._look, circle, min(circle.places))

    def _look(self, circle: Circle, low: int) -> None:
        """Read a game, in a thread of the pool."""
        glimpse = None
        try:
            glimpse = circle.look(self._reader, low)
        except Exception:
            log.exception("a game could not be read for its followers")
        self._post(partial(self._tell, circle, glimpse))

    def _tell(self, circle: Circle, glimpse: Glimpse | None) -> None:
        """Send everybody in a circle what they do not know yet."""
        circle.reading = False
        begun = monotonic()
        if glimpse is None:
            for follower in circle:
                self._end(follower)
            return
        circle.seen = glimpse.version
        if circle.heard > glimpse.version:
            self._wanted.add(circle)
        circle.heard = 0
        for after in sorted(circle.places):
            # Who came with an older version while the game was being read waits for the next look.
            if glimpse.low <= after < glimpse.version:
                self._bring(circle, after, glimpse)
        if glimpse.over:
            for follower in circle:
                if follower.after >= glimpse.version:
                    self._end(follower)
        now = monotonic()
        circle.rests_until = now + REST * (now - begun)

    def _bring(self, circle: Circle, after: int, glimpse: Glimpse) -> None:
        news = glimpse.beyond(after)
        told = circle.promote(after, glimpse.version)
        if news:
            text = Text.of(news)
            for follower in told:
                self._write(follower, text)

    def _beat(self) -> None:
        """Tell those whose time it is that we are still here."""
        now = monotonic()
        for _ in range(BEATS_AT_ONCE):
            if not self._beats or self._beats[0][0] > now:
                return
            _, follower = self._beats.popleft()
            if follower not in self._carried:
                continue
            if follower.stuck(now):
                self._drop(follower)
                continue
            self._beats.append((now + BEAT_SECONDS, follower))
            if not follower.waiting and not follower.ending:
                self._write(follower, _BEAT)

    # -- one connection -------------------------------------------------------------------------

    def _write(self, follower: Follower, text: Text) -> None:
        idle = not follower.waiting
        try:
            follower.write(text)
        except Gone:
            self._drop(follower)
            return
        if idle and follower.waiting:
            self._watch(follower)

    def _watch(self, follower: Follower) -> None:
        """Let the selector tell what a connection is waited for; nothing is told twice."""
        mask = 0 if follower.silent else selectors.EVENT_READ
        mask |= selectors.EVENT_WRITE if follower.waiting else 0
        known = self._selector.get_map().get(follower.sock)
        if known is None and mask:
            self._selector.register(follower.sock, mask, follower)
        elif known is not None and mask:
            self._selector.modify(follower.sock, mask, follower)
        elif known is not None:
            self._selector.unregister(follower.sock)

    def _stir(self, follower: Follower, mask: int) -> None:
        """Attend to a connection that can be written to again, or that something came from."""
        try:
            if mask & selectors.EVENT_WRITE:
                follower.flush()
                if not follower.waiting:
                    self._watch(follower)
                    self._hang_up(follower)
            if mask & selectors.EVENT_READ:
                follower.listen()
        except Gone:
            self._drop(follower)
            return
        if follower.silent and mask & selectors.EVENT_READ:
            self._doubt(follower)

    def _doubt(self, follower: Follower) -> None:
        """Find out what the end of a client's talk means.

        It has left, or it only has nothing more to say. Whoever has left answers what we say with
        a reset, so that the next word fails.
        """
        if follower.ending and not follower.waiting:
            self._drop(follower)
            return
        self._watch(follower)
        self._doubted.append((monotonic() + PROBE_SECONDS, follower))
        if not follower.waiting:
            self._write(follower, _BEAT)

    def _probe(self) -> None:
        """Say a second word to those who may have left."""
        now = monotonic()
        while self._doubted and self._doubted[0][0] <= now:
            _, follower = self._doubted.popleft()
            if follower in self._carried and not follower.ending and not follower.waiting:
                self._write(follower, _BEAT)

    def _end(self, follower: Follower) -> None:
        """End an answer: say so, then wait a little for the client to hang up."""
        follower.circle.remove(follower)
        follower.ending = True
        self._write(follower, END)
        self._hang_up(follower)

    def _hang_up(self, follower: Follower) -> None:
        """Close our side of a connection on which everything has been said."""
        if follower.ending and not follower.waiting:
            self._parting.append((monotonic() + LINGER_SECONDS, follower))
            with contextlib.suppress(OSError):
                follower.sock.shutdown(socket.SHUT_WR)

    def _part(self) -> None:
        """Close what should have been closed by the client."""
        now = monotonic()
        while self._parting and self._parting[0][0] <= now:
            self._drop(self._parting.popleft()[1])

    def _drop(self, follower: Follower) -> None:
        """Be done with a connection."""
        if follower not in self._carried:
            return
        self._carried.discard(follower)
        with contextlib.suppress(KeyError):
            self._selector.unregister(follower.sock)
        follower.sock.close()
        follower.leave()
        circle = follower.circle
        circle.remove(follower)
        if not circle.places:
            self._forget(circle)

    def _forget(self, circle: Circle) -> None:
        if self._circles.get((circle.game_id, circle.token)) is circle:
            del self._circles[circle.game_id, circle.token]
        of_game = self._of_game.get(circle.game_id, set())
        of_game.discard(circle)
        if not of_game:
            self._of_game.pop(circle.game_id, None)
