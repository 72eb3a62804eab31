"""Runs: the overdue deadlines of some shards, taken in batches, the oldest first.

Whoever runs over a shard says so in the store, so that two never do the same work; should one
of them die, the other goes on a second later. Exactness does not hang on it: the log does that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from app.adapters.store import GRACE, Due, Millis, Store, StoreUnavailable

BATCH = 64
"""Games applied in one go: their new deadlines count from the moment they were loaded."""
LISTED = 128
"""Overdue games asked for at once, all shards together."""
WORK: Millis = 1000
"""How long a shard is left to somebody who does not say that he is still at work."""

Applies: TypeAlias = Callable[[Sequence[str], Mapping[int, Due]], set[str]]
"""Applies the deadlines of some games, given the clocks of their shards; names those it has."""


class Run:
    """One run: it ends when nothing is overdue, or its patience does."""

    def __init__(self, store: Store, owner: str, apply: Applies, patience: Millis) -> None:
        """Work under a name of its own, for so long by the store's clock."""
        self._store = store
        self._owner = owner
        self._apply = apply
        self._patience = patience
        self._until: Millis | None = None
        self._applied = 0
        self._left: set[tuple[str, Millis]] = set()
        """Deadlines that were looked at and stayed: they are for somebody else, or for nobody."""

    def over(self, shards: Sequence[int]) -> int:
        """Apply what is overdue in some shards and return how many deadlines were applied."""
        mine = [*shards]
        try:
            mine = self._store.work(self._owner, WORK, mine)
            while mine:
                mine = self._round(mine)
        except BaseException:
            with suppress(StoreUnavailable):
                self._store.work(self._owner, 0, mine)
            raise
        return self._applied

    def _round(self, mine: list[int]) -> list[int]:
        """Apply one batch; return the shards that are not done."""
        limit = LISTED // len(mine) + 1 + len(self._left)
        dues = dict(zip(mine, self._store.dues(mine, limit), strict=True))
        overdue = {shard: self._overdue(due) for shard, due in dues.items()}
        batch = sorted((when, game_id) for games in overdue.values() for game_id, when in games)
        chosen = {game_id: when for when, game_id in batch[:BATCH]}
        going = [
            shard
            for shard, games in overdue.items()
            if any(game_id not in chosen for game_id, _ in games)
            or (games and len(dues[shard].games) == limit)
        ]
        if chosen:
            applied = self._apply([*chosen], dues)
            self._applied += len(applied)
            self._left.update(one for one in chosen.items() if one[0] not in applied)
        return self._next(mine, going, max(due.now for due in dues.values()))

    def _overdue(self, due: Due) -> list[tuple[str, Millis]]:
        if due.paused:
            return []
        return [
            (game_id, when)
            for game_id, when in due.games
            if due.now > when + GRACE and (game_id, when) not in self._left
        ]

    def _next(self, mine: list[int], going: list[int], now: Millis) -> list[int]:
        """Leave the shards that are done, or all when the patience is; go on with the others."""
        if self._until is None:
            self._until = now + self._patience
        if now >= self._until:
            going = []
        done = [shard for shard in mine if shard not in going]
        if done:
            self._store.work(self._owner, 0, done)
        return self._store.work(self._owner, WORK, going) if going else []
