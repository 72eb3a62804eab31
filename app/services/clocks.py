"""Deadlines: the due index names overdue games, this applies what the rules say of them."""

from __future__ import annotations


class Clocks:
    """Applies overdue deadlines; repeating any call changes nothing (operations, section 2)."""

    def expire(self, game_id: str) -> bool:
        """Apply a game's overdue deadline, if it is overdue; say whether an event came of it."""
        raise NotImplementedError

    def run_due(self, shard: int, limit: int = 100) -> int:
        """Apply the overdue deadlines of one shard and return how many were applied."""
        raise NotImplementedError
