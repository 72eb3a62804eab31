"""Times as the contract writes them: RFC 3339 UTC with milliseconds and ``Z``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def written(millis: int) -> str:
    """Write milliseconds since the epoch, like ``2026-11-30T09:58:00.123Z``."""
    seconds, rest = divmod(millis, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=4096)  # the events and deadlines of a moment share their seconds
def _to_the_second(seconds: int) -> str:
    return f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}"


@lru_cache(maxsize=4096)
def read(text: str) -> int:
    """Read a time back into milliseconds since the epoch.

    Raises:
        ValueError: the text is not such a time.
    """
    moment = datetime.fromisoformat(text) if text.endswith("Z") else _EPOCH
    millis = (moment - _EPOCH) // timedelta(milliseconds=1)
    if written(millis) != text:
        raise ValueError(f"{text!r} is not a time like {written(0)}")
    return millis
