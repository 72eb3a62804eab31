"""The sweeper: watches the due index and hands what is overdue to RQ, or applies it itself.

Any number of sweepers may run; repeats, losses and delays change nothing but lateness.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from redis.exceptions import RedisError

from app.adapters.store import GRACE, SHARDS, Millis, Store, StoreUnavailable
from app.services import Services

log = logging.getLogger(__name__)
LONGEST_SLEEP: Millis = 250
LEASE: Millis = 1000
"""How long a sweeper has a shard to itself after it has handed it over."""
WATCH_SECONDS = 5.0
"""Time between two watermarks; an outage is far longer."""
BATCH = 100
SHARDS_PER_JOB = 16
"""A job costs RQ 73 Redis commands: a burst of deadlines is handed over in few of them."""


@dataclass
class Sweeper:
    """One process's watch over all shards; ``enqueue`` hands some of them to RQ as one job."""

    services: Services
    store: Store
    enqueue: Callable[[Sequence[int]], None]
    owner: str
    outage: Millis = 60_000
    rescue: Millis = 2_500
    reconcile_seconds: float = 60.0
    _handed: dict[int, tuple[Millis, float]] = field(default_factory=dict)
    _watched: float = float("-inf")
    _reconciled: float = field(default_factory=time.monotonic)
    _next_shard: int = 0

    def run(self, stop: threading.Event) -> None:
        """Sweep until told to stop; a store that is away is waited for."""
        while not stop.is_set():
            try:
                pause = self.sweep()
            except (StoreUnavailable, RedisError) as error:
                log.warning("sweeping is held up: %s", error)
                pause = LONGEST_SLEEP
            except Exception:
                log.exception("a sweep failed")
                pause = LONGEST_SLEEP
            stop.wait(pause / 1000)

    def sweep(self) -> Millis:
        """Look at every shard once; return how long to sleep, at most 250 ms."""
        if time.monotonic() - self._watched >= WATCH_SECONDS:
            self.store.watch(self.outage)
            self._watched = time.monotonic()
        now, deadlines = self.store.next_due()
        pause, overdue = LONGEST_SLEEP, []
        for shard, deadline in enumerate(deadlines):
            if deadline is None:
                continue
            late = now - deadline - GRACE
            if late <= 0:
                pause = min(pause, 1 - late)
            elif late > self.rescue:
                self._rescue(shard, late)
            elif self._waiting(shard, deadline) and self._taken(shard, deadline):
                overdue.append(shard)
        for at in range(0, len(overdue), SHARDS_PER_JOB):
            self.enqueue(overdue[at : at + SHARDS_PER_JOB])
        self._reconcile()
        return pause

    def _taken(self, shard: int, deadline: Millis) -> bool:
        """Take an overdue shard to hand it over, unless it is paused or another sweeper's."""
        if self.store.paused_since(shard) is not None:
            return False
        if not self.store.lease("due", self.owner, LEASE, shard):
            return False
        self._handed[shard] = (deadline, time.monotonic())
        return True

    def _waiting(self, shard: int, deadline: Millis) -> bool:
        """Say whether no job was made for this very deadline a moment ago."""
        handed, when = self._handed.get(shard, (None, 0.0))
        return handed != deadline or time.monotonic() - when >= LEASE / 1000

    def _rescue(self, shard: int, late: Millis) -> None:
        applied = self.services.clocks.run_due(shard, BATCH)
        if applied:
            self.store.count("rescued", applied)
            log.warning("shard %d: rescued %d deadlines, %d ms late", shard, applied, late)

    def _reconcile(self) -> None:
        """Compare one shard after another with its open games, all within a minute or so."""
        pause = self.reconcile_seconds / SHARDS
        if time.monotonic() - self._reconciled < pause:
            return
        self._reconciled = time.monotonic()
        shard, self._next_shard = self._next_shard, (self._next_shard + 1) % SHARDS
        if not self.store.lease("reconcile", self.owner, int(self.reconcile_seconds * 900), shard):
            return
        repaired = self.services.maintenance.reconcile(shard)
        if repaired:
            log.warning("shard %d: the due index was wrong about %d games", shard, repaired)
