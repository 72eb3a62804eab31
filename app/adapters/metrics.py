"""What a process counts of itself; several share a folder (prometheus multiprocess).

What workers do rarely is counted in the store instead, where the web server can show it.
"""

from __future__ import annotations

from functools import cache

from prometheus_client import Counter, Histogram

APPENDS = Counter(
    "santorini_appends_total", "Appends to logs, by what the store said of them.", ["verdict"]
)


@cache
def counted(verdict: str) -> Counter:
    """Return the count of appends of which the store said so."""
    return APPENDS.labels(verdict)


LATENESS = Histogram(
    "santorini_deadline_lateness_seconds",
    "Time from a deadline and its grace to the event that applied it.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60),
)
