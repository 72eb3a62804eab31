"""How long one request may wait for the store: every answer comes within three seconds.

A single call is bounded by its timeout and its retries, 1.6 seconds at most. A request makes
several; when they have been slow together, the next one is not begun. Time that a request spends
on thinking does not count.
"""

from __future__ import annotations

from contextvars import ContextVar

SECONDS = 1.3
"""Time after which a request that has waited so long for the store asks it nothing more."""
_waited: ContextVar[float | None] = ContextVar("waited", default=None)


def begin() -> None:
    """Count from now on how long this thread waits for the store."""
    _waited.set(0.0)


def end() -> None:
    """Count no more: whoever is not a request may take its time."""
    _waited.set(None)


def renew() -> None:
    """Count anew, in a request that was asked to wait for something else meanwhile."""
    if _waited.get() is not None:
        begin()


def exhausted() -> bool:
    """Say whether this request has waited for the store long enough."""
    waited = _waited.get()
    return waited is not None and waited > SECONDS


def count(seconds: float) -> None:
    """Count the time that one call took."""
    waited = _waited.get()
    if waited is not None:
        _waited.set(waited + seconds)
