"""A turnstile: few requests run at once in a process, the others wait in the order they came.

Threads that want to run Python take it from each other in no order at all: with many clients some
waited three times as long as others, and all a little longer for the pushing.
"""

from __future__ import annotations

from collections import deque
from threading import Lock

PATIENCE = 0.25
"""Seconds after which whoever waits goes in all the same: those inside may be held up."""


class Turnstile:
    """Lets a number of requests in; who comes next is decided by who came first."""

    def __init__(self, most: int) -> None:
        """Let ``most`` run at once."""
        self._lock = Lock()
        self._free = most
        self._waiting: deque[Lock] = deque()

    def enter(self) -> bool:
        """Wait for a place; False when there was none in time, and there is none to give back."""
        with self._lock:
            if self._free and not self._waiting:
                self._free -= 1
                return True
            turn = Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=PATIENCE):
            return True
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True  # it was given at the last moment

    def leave(self) -> None:
        """Give a place to whoever has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1
