"""Bodies kept as they were sent: who asks the same of the same version gets the same bytes.

The hash of the last event names a game and its version, so that nothing kept can be stale.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any

import msgspec

KEPT = 1024
"""Bodies that a process keeps."""
LARGEST = 16 * 1024
"""Bytes of the largest one; a game takes 1 to 3 KiB, a list of all turns about 10."""


@lru_cache(maxsize=KEPT)
def _place(*key: Hashable) -> list[bytes]:
    """Return the place where a body is kept once it is made."""
    return []


def encoded(make: Callable[[], Any], *key: Hashable) -> bytes:
    """Return the JSON of what ``make`` makes, which follows from the key."""
    place = _place(*key)
    if place:
        return place[0]
    body = msgspec.json.encode(make())
    if len(body) <= LARGEST:
        place.append(body)
    return body
