"""Whole logs in and out: export as NDJSON bodies, import as a new, flagged game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.services.types import Recorded, Snapshot


class Archive:
    """Moves logs between services; an imported log is replayed and checked first."""

    def export(self, game_id: str) -> tuple[Recorded, ...]:
        """Return the whole log of a game, secrets included: for operators, not for viewers."""
        raise NotImplementedError

    def import_events(self, bodies: Iterable[dict[str, Any]]) -> Snapshot:
        """Store an exported log as a new game flagged ``imported``.

        Raises:
            Refusal: ``validation_failed``, naming the first version that does not replay.
        """
        raise NotImplementedError
