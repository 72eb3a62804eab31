"""What docs/performance.md shows of the results that are kept: ``make docs`` puts it in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bench import profile
from bench.capacity import Costs, need
from bench.measure import MARKS, Figure, written
from bench.results import ROOT, Result, latest

PAGE = ROOT / "docs" / "performance.md"
NOTHING = "Nothing has been measured yet: `make bench`."
TURNS = 100_000
"""Turns a second of the sum on paper."""
PACE = 20


def performance() -> str:
    """Return docs/performance.md with its figures as they were last measured."""
    page = PAGE.read_text()
    for name, text in BLOCKS.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        block = f"{begin}\n{text().rstrip()}\n{end}"
        page, count = re.subn(f"{begin}.*?{end}", lambda _, b=block: b, page, flags=re.DOTALL)
        assert count == 1, name
    return page


def _table() -> str:
    result = latest()
    return NOTHING if result is None else "\n".join(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    machine = result.machine
    yield (
        f"Measured at {result.revision} on {result.date[:10]}: {machine.cores} shared cores "
        f"({machine.processor}), {machine.python}, Redis {machine.redis} with "
        f"`appendfsync {machine.appendfsync}`; {machine.load:g} processes wanted to run in the "
        "minute before."
    )
    yield ""
    yield "| row | figure | peer | ratio | bound | |"
    yield "|---|---:|---:|---:|---|---|"
    for part in result.parts:
        yield f"| **{part.name}** | | | | | |"
        yield from map(_row, part.figures)


def _row(figure: Figure) -> str:
    indent = "&ensp;" if figure.name.startswith(" ") else ""
    peer = "" if figure.peer is None else written(figure.peer)
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    value = f"{written(figure.value)} {figure.unit}"
    bound, mark = figure.bound, MARKS[figure.kept]
    name = figure.name.strip().replace("|", "\\|")
    return f"| {indent}{name} | {value} | {peer} | {ratio} | {bound} | {mark} |"


def _turn() -> str:
    found = profile.read()
    if found is None:
        return NOTHING
    return f"```text\n{profile.bar(found)}\n```\n\nMeasured at {found.revision}."


def _paper() -> str:
    """Do the sum for a hundred thousand turns a second, for turns alone and with their reads."""
    costs = Costs()
    rows = [
        ("a turn with a listing and two reads", costs),
        ("a turn alone, its answer tells the client enough", Costs(turn=costs.alone)),
    ]
    lines = ["| what clients do | ms | web cores | primaries | worker cores | deployments |",
             "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for name, one in rows:
        total = need(TURNS * PACE, PACE, one)
        lines.append(
            f"| {name} | {one.turn:g} | {total.web:,} | {total.primaries} | {total.workers} "
            f"| {total.deployments} |"
        )
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[], str]] = {"table": _table, "turn": _turn, "paper": _paper}
