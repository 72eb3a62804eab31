"""The store's clocks as last heard, going on since: near enough to decide by, never ahead."""

from __future__ import annotations

from threading import Lock
from time import monotonic

from app.adapters.store import Millis

FRESH = 60_000
"""Milliseconds for which what was heard is relied on; clocks drift far less than a wait."""
STEP = 1_000
"""A clock that is so much further back than expected was set back; no answer takes so long."""


class Heard:
    """One clock for each shard, set by every answer that tells the time.

    An answer was written before it is read, so what it says is past: the estimate lags by the
    shortest way an answer lately had, and a decision made by it bears a time that has been.
    """

    def __init__(self) -> None:
        """Start with no clock."""
        self._lock = Lock()
        self._ahead: dict[int, tuple[float, float]] = {}
        """By shard: how far its clock is ahead of ours at least, and when that was heard."""

    def note(self, shard: int, now: Millis) -> None:
        """Take in what an answer says."""
        ours = monotonic() * 1000
        ahead = now - ours
        with self._lock:
            before, since = self._ahead.get(shard, (ahead, ours))
            # One that came quicker told more; it is believed for long, but not for ever.
            expected = before - (ours - since) / 1000
            if expected - STEP < ahead < expected:
                ahead = expected
            self._ahead[shard] = (ahead, ours)

    def now(self, shard: int) -> Millis | None:
        """Return a shard's clock, or None when nothing was heard of it lately."""
        found = self._ahead.get(shard)
        if found is None:
            return None
        ahead, since = found
        ours = monotonic() * 1000
        return int(ours + ahead) if ours - since < FRESH else None
