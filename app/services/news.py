"""News: who waits for a game is woken when it has moved on, in whichever process that happened."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Event, Lock, Thread
from time import monotonic, sleep
from typing import TypeAlias

from app.adapters import patience
from app.adapters.news import Feed
from app.adapters.store import StoreUnavailable

log = logging.getLogger(__name__)
PAUSE = 0.25
"""Seconds before a lost subscription is tried again."""
PATIENCE = 1.0
"""Longest wait, in seconds, for the subscription to stand before somebody relies on it."""


Listener: TypeAlias = Callable[[str | None, int], None]
"""Hears of each game that moves and its version; of None when something may have been missed."""
GLANCE = 1.0
"""Seconds between two looks of a watcher at whether the process is about to end."""


class _Topic:
    """One game somebody waits for."""

    def __init__(self, lock: Lock) -> None:
        self.moved = Condition(lock)
        self.version = 0
        self.gaps = 0
        self.watchers = 0


class Watch:
    """One watcher's hold on a game."""

    def __init__(self, topic: _Topic, lock: Lock, news: News) -> None:
        """Start with what has happened so far."""
        self._topic = topic
        self._lock = lock
        self._news = news
        self._gaps = topic.gaps

    def wait(self, known: int, seconds: float) -> bool:
        """Wait for a version above ``known``; say whether it is worth looking.

        True also when news may have been missed; False when the time is over, or the process is
        about to end.
        """
        until = monotonic() + seconds
        while not self._moved(known, min(GLANCE, until - monotonic())):
            if self._news.closing or monotonic() >= until:
                return False
        return True

    def _moved(self, known: int, seconds: float) -> bool:
        topic = self._topic
        with self._lock:
            found = topic.moved.wait_for(
                lambda: topic.version > known or topic.gaps != self._gaps, seconds
            )
            self._gaps = topic.gaps
        patience.renew()
        return found


class News:
    """Wakes whoever waits for a game. One subscription for the process, made at the first wait."""

    def __init__(self, feed: Feed | None = None) -> None:
        """Hear of other processes through ``feed``; None when there are none."""
        self._feed = feed
        self.closing = False
        """Whether this process is about to end: nobody should wait in it any more."""
        self._lock = Lock()
        self._topics: dict[str, _Topic] = {}
        self._listeners: tuple[Listener, ...] = ()
        self._standing = Event()
        self._listener: Thread | None = None

    @contextmanager
    def watching(self, game_id: str) -> Iterator[Watch]:
        """Watch a game from here on; read it inside, then nothing can be missed."""
        self._listen()
        patience.renew()
        with self._lock:
            topic = self._topics.setdefault(game_id, _Topic(self._lock))
            topic.watchers += 1
        try:
            yield Watch(topic, self._lock, self)
        finally:
            with self._lock:
                topic.watchers -= 1
                if not topic.watchers:
                    self._topics.pop(game_id, None)

    def tell(self, listener: Listener) -> None:
        """Tell a listener of everything from here on, in whichever thread hears of it first."""
        self._listeners = (*self._listeners, listener)
        self._listen()

    def close(self) -> None:
        """Let everybody who waits go, within a second; takes no lock, for a signal may call it."""
        self.closing = True

    def announce(self, game_id: str, version: int) -> None:
        """Wake whoever waits for this game in this process."""
        with self._lock:
            topic = self._topics.get(game_id)
            if topic is not None and version > topic.version:
                topic.version = version
                topic.moved.notify_all()
        for listener in self._listeners:
            listener(game_id, version)

    def _listen(self) -> None:
        """Start the listener; a forked process starts its own."""
        if self._feed is None:
            return
        with self._lock:
            if self._listener is None or not self._listener.is_alive():
                self._listener = Thread(target=self._run, name="news", daemon=True)
                self._listener.start()
        self._standing.wait(PATIENCE)

    def _run(self) -> None:
        assert self._feed is not None
        while not self.closing:
            try:
                for item in self._feed.listen():
                    if item is None:
                        self._standing.set()
                        self._doubt()
                    else:
                        self.announce(*item)
            except StoreUnavailable as error:
                log.warning("no news for now: %s", error)
            self._standing.clear()
            sleep(PAUSE)

    def _doubt(self) -> None:
        """Let everybody look again: news may have been missed."""
        with self._lock:
            for topic in self._topics.values():
                topic.gaps += 1
                topic.moved.notify_all()
        for listener in self._listeners:
            listener(None, 0)
