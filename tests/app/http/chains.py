"""The hash chain as an outsider checks it: nothing here is the service's own code."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def _digest(value: Any) -> str:
    """Hash canonical JSON (RFC 8785): logs hold no fractions and no exotic keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def broken_at(game_id: str, log: list[dict[str, Any]]) -> int | None:
    """Return the first version of a full log that does not follow, or None."""
    previous = _digest({"game_id": game_id, "settings": log[0]["data"]["settings"]})
    for version, event in enumerate(log, 1):
        content = {name: value for name, value in event.items() if name not in ("hash", "redacted")}
        if event["version"] != version or event["prev_hash"] != previous:
            return version
        if not event.get("redacted") and _digest(content) != event["hash"]:
            return version
        previous = event["hash"]
    return None
