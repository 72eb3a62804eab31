"""Pause, resume and health: what an operator asks of the service."""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec import Struct

from app.adapters.store import SHARDS, StoreUnavailable
from app.services.clocks import Clocks
from app.services.ledger import Ledger

log = logging.getLogger(__name__)


class Health(Struct, frozen=True):
    """Whether the service can do its work, and what is wrong when it cannot."""

    ready: bool
    paused: bool
    problems: tuple[str, ...] = ()
    """One sentence for each, naming the setting or the part at fault."""


class Backlog(Struct, frozen=True):
    """What waits to be done: how late the oldest deadline is (milliseconds), how many jobs."""

    overdue: int
    queued: int | None = None
    counts: dict[str, int] = {}
    """Since the store began: ``rescued`` deadlines, ``repaired`` entries of the due index, games
    that were ``compacted``, and how often one was ``left_alone``."""


class Maintenance:
    """The operator's switches."""

    def __init__(
        self, ledger: Ledger, clocks: Clocks, queued: Callable[[], int] | None = None
    ) -> None:
        """Share the ledger and the clocks of the process; ``queued`` counts waiting jobs."""
        self._ledger = ledger
        self._clocks = clocks
        self._queued = queued

    def pause(self) -> None:
        """Refuse commands and stop clocks until ``resume``; repeating it changes nothing."""
        self._ledger.store.pause()

    def resume(self) -> int:
        """Shift every open deadline by the length of the pause, once; return how many.

        A call that was interrupted can be repeated: shards and games already done are left alone.
        """
        store, shifted = self._ledger.store, 0
        for shard in range(SHARDS):
            since = store.paused_since(shard)
            if since is None:
                continue
            for game_id in store.open_games(shard):
                shifted += self._clocks.resume(game_id, since)
            store.resume(shard)
        return shifted

    def reconcile(self, shard: int) -> int:
        """Repair a shard's due index after its open games; return how often it was wrong."""
        store = self._ledger.store
        repaired = store.repair(store.open_games(shard))
        if repaired:
            store.count("repaired", repaired)
        return repaired

    def backlog(self) -> Backlog:
        """Say how late the oldest overdue deadline is, and how many jobs wait for a worker."""
        now, deadlines = self._ledger.store.next_due()
        oldest = min((d for d in deadlines if d is not None), default=now)
        queued = None if self._queued is None else self._queued()
        return Backlog(max(0, now - oldest), queued, self._ledger.store.counts())

    def health(self) -> Health:
        """Check the store: reachable, set to keep what it acknowledges, paused or not."""
        try:
            problems = tuple(self._ledger.store.check())
            paused = self._ledger.store.paused_since(0) is not None
        except StoreUnavailable as error:
            # Anybody may ask; only the log tells which host, port or account it is.
            log.warning("the store does not answer: %s", error)
            return Health(False, False, ("The store does not answer; the log says why.",))
        return Health(not problems, paused, problems)
