"""Does the simulation notice? Each of these stores breaks one promise, and must be caught."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from app.adapters.memory_store import MemoryStore
from app.adapters.store import Append, Appended
from tests.simulation import world
from tests.simulation.simulation import Simulation

SEEDS = range(60)


class Forgetful(MemoryStore):
    """Does not know a command again."""

    def append(self, change: Append) -> Appended:
        log = self._games.get(change.game_id)
        if log is not None:
            log.commands.pop(change.command, None)
        return super().append(change)


class Hollow(MemoryStore):
    """Acknowledges an append now and then without keeping it."""

    appends = 0

    def append(self, change: Append) -> Appended:
        self.appends += 1
        if change.mode == "command" and change.expected and self.appends % 9 == 0:
            return Appended("appended", change.meta.version, self.now())
        return super().append(change)


class Lenient(MemoryStore):
    """Takes what comes after the deadline."""

    def append(self, change: Append) -> Appended:
        return super().append(replace(change, mode="system"))

    def load(self, *args: Any, **more: Any) -> Any:
        loaded = super().load(*args, **more)
        if loaded is None or loaded.meta.deadline is None:
            return loaded
        return replace(loaded, meta=replace(loaded.meta, deadline=loaded.meta.deadline + 300))


class Hasty(MemoryStore):
    """Lets a turn time out as soon as the deadline is near."""

    def append(self, change: Append) -> Appended:
        return super().append(replace(change, mode="system"))

    def load(self, *args: Any, **more: Any) -> Any:
        loaded = super().load(*args, **more)
        if loaded is None or loaded.meta.deadline is None:
            return loaded
        return replace(loaded, meta=replace(loaded.meta, deadline=loaded.meta.deadline - 300))

    def next_due(self) -> Any:
        now, deadlines = super().next_due()
        return now, [None if d is None else d - 300 for d in deadlines]

    def due(self, *args: Any) -> Any:
        due = super().due(*args)
        return replace(due, games=tuple((g, d - 300) for g, d in due.games))


class Overwriting(MemoryStore):
    """Appends to whatever version there is."""

    def append(self, change: Append) -> Appended:
        with self._lock:
            log = self._games.get(change.game_id)
            if log is not None and log.meta.version > change.expected:
                while log.ends and log.ends[-1] > change.expected:
                    log.ends.pop()
                    log.blobs.pop()
                log.meta = replace(log.meta, version=change.expected, head=change.previous)
            return super().append(change)


class Absentminded(MemoryStore):
    """Forgets a clock now and then, and has a reconciler that finds nothing."""

    def append(self, change: Append) -> Appended:
        answer = super().append(change)
        if answer.version % 7 == 0:
            self._due.pop(change.game_id, None)
        return answer

    def repair(self, game_id: str) -> bool:
        return False


@pytest.mark.parametrize(
    "store",
    [Forgetful, Hollow, Lenient, Hasty, Overwriting, Absentminded],
    ids=lambda s: s.__name__,
)
def test_a_store_that_breaks_a_promise_is_caught(store, monkeypatch):
    monkeypatch.setattr(world, "MemoryStore", store)
    for seed in SEEDS:
        try:
            Simulation(seed).run()
        except Exception:
            return
    pytest.fail(f"{store.__doc__} Nobody noticed.")
