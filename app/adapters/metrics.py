"""What the service counts of itself; several processes share a folder (prometheus multiprocess)."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

APPENDS = Counter(
    "santorini_appends_total", "Appends to logs, by what the store said of them.", ["verdict"]
)
EXPIRIES = Counter(
    "santorini_expiries_total", "Deadlines applied: timed_out or restarted.", ["outcome"]
)
LATENESS = Histogram(
    "santorini_deadline_lateness_seconds",
    "Time from a deadline (and its grace) to the event that applied it.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60),
)
RESCUES = Counter("santorini_rescues_total", "Deadlines the sweeper applied instead of a job.")
REPAIRS = Counter("santorini_due_index_repairs_total", "Entries of the due index put right.")
