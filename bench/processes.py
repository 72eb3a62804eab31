"""What processes take: processor time and memory, of one and of all it has started."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

CLOCK_OF_PROCESS = 2
"""The kind of clock that clock_getcpuclockid(3) makes: precise, and threads that ended count."""


def tree(pid: int) -> Iterator[int]:
    """Yield a process and everything it has started."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from tree(int(child))


def processor_time(pids: Iterable[int]) -> float:
    """Return the processor time that processes have used, in seconds."""
    return sum(time.clock_gettime((~pid << 3) | CLOCK_OF_PROCESS) for pid in pids)


class Memory(Struct, frozen=True):
    """What a process holds, in MB (10^6 bytes)."""

    rss: float
    """All its pages."""
    pss: float
    """Its share: a page that two processes have counts half for each."""


def memory(pid: int) -> Memory:
    """Return what a process holds at this moment."""
    fields = dict(
        line.split(":", 1)
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    )
    rss, pss = (int(fields[name].split()[0]) * 1_024 / 1e6 for name in ("Rss", "Pss"))
    return Memory(rss, pss)
