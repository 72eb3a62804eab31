"""Measuring: contenders take turns, so that a busy machine slows them all alike."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from domain.rules import lookahead

QUICK = bool(os.environ.get("BENCH_QUICK"))
"""Whether to measure less, as a comparison of revisions does, which repeats all of it."""


class Figure(Struct, frozen=True):
    """One measured figure; ``bound`` is what it should keep to, empty when it is only reported.

    With a ``peer`` measured beside it, the bound is on the ``ratio`` of the two.
    """

    name: str
    value: float
    unit: str
    bound: str = ""
    kept: bool | None = None
    peer: float | None = None
    ratio: float | None = None


def forget() -> None:
    """Empty the memory of the search, so that every round does its work anew."""
    lookahead._CACHE.clear()


def work(action: Callable[[], object]) -> float:
    """Return the processor time an action takes: what others do meanwhile counts for less."""
    start = time.process_time()
    action()
    return time.process_time() - start


def best(action: Callable[[], object], rounds: int = 5) -> float:
    """Return the least processor time of some rounds, in seconds; see ``best_of_each``."""
    return best_of_each((action,), rounds)[0]


def best_of_each(actions: Sequence[Callable[[], object]], rounds: int = 5) -> list[float]:
    """Return the least processor time of each action, the actions taking turns.

    Every round does its work anew: the memory of the search is emptied before it.
    """
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(rounds):
        for action, column in zip(actions, times, strict=True):
            forget()
            column.append(work(action))
    return [min(column) for column in times]


def medians(samples: Sequence[Sequence[float]]) -> list[float]:
    """Return the median of each column of interleaved samples."""
    return [statistics.median(column) for column in zip(*samples, strict=True)]


def at_least(name: str, value: float, unit: str, bound: float) -> Figure:
    """Return a figure that should reach a bound."""
    return Figure(name, value, unit, f">= {bound:,g}", value >= bound)


def at_most(name: str, value: float, unit: str, bound: float) -> Figure:
    """Return a figure that should stay below a bound."""
    return Figure(name, value, unit, f"<= {bound:,g}", value <= bound)


def beside(
    name: str,
    value: float,
    peer: float,
    unit: str,
    *,
    least: float | None = None,
    most: float | None = None,
) -> Figure:
    """Return a figure with its peer's; ``least`` and ``most`` bound the ratio of the two."""
    ratio = value / peer
    if least is not None:
        return Figure(name, value, unit, f">= {least:,g}x", ratio >= least, peer, ratio)
    if most is not None:
        return Figure(name, value, unit, f"<= {most:,g}x", ratio <= most, peer, ratio)
    return Figure(name, value, unit, peer=peer, ratio=ratio)


MARKS = {True: "kept", False: "MISSED", None: ""}
HEADINGS = ("row", "figure", "unit", "peer", "ratio", "bound", "")
RIGHT = {1, 3, 4}
"""Columns of numbers."""


def cells(figure: Figure) -> tuple[str, ...]:
    """Return a figure as the texts of a row."""
    return (
        figure.name,
        written(figure.value),
        figure.unit,
        "" if figure.peer is None else written(figure.peer),
        "" if figure.ratio is None else f"{figure.ratio:.2f}",
        figure.bound,
        MARKS[figure.kept],
    )


def written(value: float) -> str:
    """Write a number with three digits that tell something."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:,.3g}"


def table(parts: Sequence[tuple[str, Sequence[Figure]]]) -> str:
    """Return the figures of all parts as aligned lines, each part under its name."""
    rows: list[tuple[str, ...]] = [HEADINGS]
    for name, figures in parts:
        rows += [("",) * len(HEADINGS), (name.upper(), *[""] * (len(HEADINGS) - 1))]
        rows += map(cells, figures)
    return aligned(rows, RIGHT)


def aligned(rows: Sequence[tuple[str, ...]], right: Collection[int]) -> str:
    """Write rows as lines with aligned columns, some of them to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
