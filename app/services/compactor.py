"""Compaction: a game that is over becomes one value, once its log has been proven.

The swap is one call to the store, which does nothing unless the game is just as it was proven:
whoever is killed at any moment leaves the one form or the other, and repeating it does nothing.
"""

from __future__ import annotations

import logging
from enum import Enum

from app.adapters import compaction
from app.adapters.packing import Damaged
from app.adapters.store import Copy, Loaded, Millis, StoreUnavailable
from app.services import audit
from app.services.ledger import Ledger

log = logging.getLogger(__name__)
COMPACTED, LEFT = "compacted", "left_alone"
"""Counts that all processes share: games swapped, and how often one was refused."""


class Outcome(Enum):
    """What became of a game that was to be compacted."""

    COMPACTED = "compacted"
    NOTHING = "nothing"
    """It is not over, or compacted already, or has just changed."""
    LEFT = "left alone"
    """Its log does not verify, or would not come back just so; it stays as it is."""


class Compactor:
    """Compacts games that are over; any number of processes may."""

    def __init__(self, ledger: Ledger, age: Millis = 3_600_000) -> None:
        """Leave games alone until they have been over for ``age``."""
        self._ledger = ledger
        self._age = age

    def waiting(self, shard: int) -> bool:
        """Say whether there is something to do in a shard."""
        return bool(self._ledger.store.over(shard, self._age, 1))

    def run(self, shard: int, limit: int = 4) -> int:
        """Compact the games of a shard that have been over for longest; return how many."""
        games = self._ledger.store.over(shard, self._age, limit)
        return sum(self.compact(game_id) is Outcome.COMPACTED for game_id in games)

    def compact(self, game_id: str) -> Outcome:
        """Prove a game's log and swap it for one value, if the game is over.

        A broken game is left alone: it must not hold up the others.
        """
        try:
            return self._compacted(game_id)
        except StoreUnavailable:
            raise
        except Exception as error:
            log.exception("game %s could not be compacted", game_id)
            return self._leave(game_id, f"unexpected {type(error).__name__}")

    def _compacted(self, game_id: str) -> Outcome:
        try:
            loaded = self._ledger.store.load(game_id)
            copy = self._ledger.store.dump(game_id)
        except Damaged as damage:
            return self._leave(game_id, str(damage))
        if loaded is None or copy is None or loaded.compacted:
            return Outcome.NOTHING
        if loaded.meta.status not in compaction.CLOSED or copy.events != loaded.events:
            return Outcome.NOTHING
        problem = self._problem(game_id, loaded, copy)
        if problem:
            return self._leave(game_id, problem)
        value = compaction.compact(copy, loaded.meta)
        if not compaction.fits(value, copy, loaded.meta):
            return self._leave(game_id, "its compacted form would not come back just so")
        if not self._ledger.store.compact(copy, loaded.meta, value):
            return Outcome.NOTHING
        self._ledger.store.count(COMPACTED)
        return Outcome.COMPACTED

    def _problem(self, game_id: str, loaded: Loaded, copy: Copy) -> str:
        """Say why a game must not be compacted; empty when it may."""
        flaw = audit.flaw_of(game_id, loaded)
        if flaw is not None:
            return f"event {flaw.version}: {flaw.problem}"
        starts = [1, *(record.last + 1 for _, record in copy.commands)]
        if [*(record.first for _, record in copy.commands), len(copy.events) + 1] != starts:
            return "its commands do not cover its log"
        return ""

    def _leave(self, game_id: str, problem: str) -> Outcome:
        log.error("game %s: not compacted: %s", game_id, problem)
        self._ledger.store.count(LEFT)
        self._ledger.store.leave(game_id)
        return Outcome.LEFT
