"""What a run has found, with the facts of the machine it was found on; kept as JSON."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from app.launch import binaries
from app.launch.private_redis import DURABLE
from bench.measure import Figure

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "bench" / "results"


class Machine(Struct, frozen=True):
    """What the figures depend on besides the code."""

    cores: int
    processor: str
    system: str
    python: str
    redis: str
    appendonly: str
    appendfsync: str
    load: float
    """How many processes wanted to run in the minute before the run began; ours not counted."""


class Part(Struct, frozen=True):
    """The figures of one part."""

    name: str
    figures: list[Figure]


class Result(Struct, frozen=True):
    """One run."""

    date: str
    """With the time, in UTC."""
    revision: str
    """Of the code, with a ``+`` when files have been changed since."""
    machine: Machine
    parts: list[Part]

    def figures(self) -> Iterator[Figure]:
        """Yield the figures of all parts."""
        for part in self.parts:
            yield from part.figures


def machine() -> Machine:
    """Look at the machine."""
    return Machine(
        cores=os.cpu_count() or 0,
        processor=_processor(),
        system=f"{platform.system()} {platform.release()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        redis=".".join(map(str, binaries.version_of(binaries.find_server()))),
        appendonly=DURABLE["appendonly"],
        appendfsync=DURABLE["appendfsync"],
        load=round(os.getloadavg()[0], 2),
    )


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def revision(folder: Path = ROOT) -> str:
    """Return the short name of the commit that is checked out, with ``+`` when it is changed."""
    name = _git(folder, "rev-parse", "--short", "HEAD")
    return f"{name}+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else name


def _git(folder: Path, *words: str) -> str:
    answer = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def now() -> str:
    """Return the date and the time, to the minute."""
    return datetime.now(UTC).isoformat(timespec="minutes").removesuffix("+00:00")


def save(result: Result, folder: Path = FOLDER) -> Path:
    """Keep a result; a later one of the same day and revision takes its place."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{result.date[:10]}-{result.revision.rstrip('+')}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    return path


def read(path: Path) -> Result:
    """Read a result that was kept."""
    return msgspec.json.decode(path.read_bytes(), type=Result)


def latest(folder: Path = FOLDER) -> Result | None:
    """Return the newest result that was kept, or None."""
    found = [read(path) for path in folder.glob("[0-9]*.json")]
    return max(found, key=lambda result: result.date, default=None)


def missed(figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures that do not keep their bounds."""
    return [figure for figure in figures if figure.kept is False]


def moved(before: Result, after: Result, least: float = 0.1) -> list[str]:
    """Tell of the rows whose ratio to their peer is another by more than ``least``."""
    known = {figure.name: figure.ratio for figure in before.figures()}
    return [
        f"  {figure.name.strip()}: {then:.2f}, now {figure.ratio:.2f}"
        for figure in after.figures()
        if (then := known.get(figure.name))
        and figure.ratio is not None
        and abs(figure.ratio / then - 1) > least
    ]
