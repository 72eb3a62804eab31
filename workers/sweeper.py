"""The sweeper: watches the due index and hands what is overdue to RQ, or applies it itself.

Any number of sweepers may run; repeats, losses and delays change nothing but lateness.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from redis.exceptions import RedisError

from app.adapters.store import GRACE, SHARDS, Millis, Store, StoreUnavailable
from app.services import Services

log = logging.getLogger(__name__)
LONGEST_SLEEP: Millis = 250
SHORTEST_SLEEP: Millis = 50
"""Time for deadlines to gather in one job, and for a job to be done before the next look."""
LEASE: Millis = 1000
"""How long a job that was handed over may take to begin; then another one is made."""
WATCH_SECONDS = 5.0
"""Time between two watermarks; an outage is far longer."""
RESCUE: Millis = 250
"""How long a sweeper goes on helping itself before it looks at the other shards again."""
COMPACT_SECONDS = 0.25
"""Time between two shards that are looked at: compaction must leave deadlines the room."""
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
    crowded: Callable[[], bool] = lambda: False
    """Whether a job waits already: another one would only wait behind it."""
    compact: Callable[[Sequence[int]], None] | None = None
    """Hands shards in which games are over to RQ; None where nobody is to compact them."""
    _watched: float = float("-inf")
    _reconciled: float = field(default_factory=time.monotonic)
    _next_shard: int = 0
    _sweeps: int = 0
    _compacted: float = float("-inf")
    _next_over: int = 0

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
        late = {
            shard: now - deadline - GRACE
            for shard, deadline in enumerate(deadlines)
            if deadline is not None
        }
        pause = min([LONGEST_SLEEP, *(1 - by for by in late.values() if by <= 0)])
        overdue = {shard: by for shard, by in late.items() if by > 0}
        if overdue and self._see_to(overdue):
            pause = SHORTEST_SLEEP
        self._reconcile()
        if not overdue:  # what can wait for an hour must not keep a turn waiting
            self._compact()
        return pause

    def _see_to(self, overdue: Mapping[int, Millis]) -> bool:
        """Hand overdue shards over; say whether to look again soon.

        What nobody has applied for too long the sweeper applies itself, unless jobs are being
        worked at in this very process: then it would only get in their way.
        """
        lost = [shard for shard, late in overdue.items() if late > self.rescue]
        rescued = bool(lost) and not self.services.clocks.running and self._rescue(lost)
        fresh = [shard for shard in overdue if shard not in lost]
        self._hand_over(fresh if rescued else [*overdue])
        return rescued or bool(fresh)

    def _hand_over(self, shards: Sequence[int]) -> None:
        """Make jobs for those shards that nobody else sees to."""
        if not shards or self.crowded():
            return
        self._sweeps += 1
        claimed = self.store.claim(f"{self.owner}-{self._sweeps}", LEASE, shards)
        for at in range(0, len(claimed), SHARDS_PER_JOB):
            self.enqueue(claimed[at : at + SHARDS_PER_JOB])

    def _rescue(self, shards: Sequence[int]) -> bool:
        """Apply what is overdue in some shards, for a while; say whether there was anything."""
        applied = self.services.clocks.run_due(*shards, patience=RESCUE)
        if applied:
            self.store.count("rescued", applied)
            log.warning("rescued %d deadlines in %d shards", applied, len(shards))
        return applied > 0

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

    def _compact(self) -> None:
        """Look for games that are over in one shard after another, at all within 16 seconds."""
        if self.compact is None or time.monotonic() - self._compacted < COMPACT_SECONDS:
            return
        self._compacted = time.monotonic()
        shard, self._next_over = self._next_over, (self._next_over + 1) % SHARDS
        if not self.services.compactor.waiting(shard):
            return
        if self.store.paused_since(shard) is None and self.store.lease(
            "compact", self.owner, LEASE, shard
        ):
            self.compact([shard])
