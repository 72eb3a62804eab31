"""Appends for the store's tests: small logs that look like games."""

from __future__ import annotations

from typing import Any

from app.adapters import chain, times
from app.adapters.store import Append, Meta, Sealed, Tokens

SETTINGS = {
    "variant": "duel",
    "powers": {"mode": "none"},
    "placement": "free",
    "start_seat": "random",
    "turn_seconds": 60,
    "visibility": "public",
}


def bodies(game_id: str, first: int, count: int, command: str) -> list[dict[str, Any]]:
    return [
        {
            "game_id": game_id,
            "version": version,
            "type": "created" if version == 1 else "moved",
            "schema": 1,
            "at": times.written(1_700_000_000_000 + version),
            "seat": 1,
            "actor": "player",
            "cause": version if version == first else version - 1,
            "command": command,
            "data": {"settings": SETTINGS} if version == 1 else {"from": "b1", "to": "b2"},
        }
        for version in range(first, first + count)
    ]


def change(
    store: Any,
    game_id: str,
    expected: int = 0,
    count: int = 2,
    *,
    command: str = "",
    deadline: int | None = None,
    status: str = "playing",
    visibility: str = "public",
    created: int = 1_700_000_000_000,
    answer: Sealed | None = None,
    tokens: Tokens = Tokens(),
    **more: Any,
) -> Append:
    """Build an append that follows what the store has of a game."""
    command = command or f"command-{expected}"
    loaded = store.load(game_id, expected) if expected else None
    previous = loaded.meta.head if loaded else ""
    events = chain.link(bodies(game_id, expected + 1, count, command), previous)
    meta = Meta(
        expected + count, events[-1]["hash"], status, deadline, visibility, created,
        created + 1, "secret",
    )  # fmt: skip
    return Append(
        game_id, expected, tuple(events), command, "print", meta,
        answer=answer, tokens=tokens, **more,
    )  # fmt: skip
