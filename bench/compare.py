"""``python -m bench.compare REV``: this checkout beside another revision, to see a slow-down.

The other revision is checked out into a folder of the moment and measured with the bench of this
one; both are measured in turns. Rows that have a peer are compared by their ratio to it: the peer
ran beside them, so that a busy moment of the machine cancels out.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import click
import msgspec
from msgspec import Struct

from bench.__main__ import PARTS
from bench.measure import Figure, aligned, written
from bench.progress import say
from bench.results import ROOT, Result, revision

USUAL = ("rules", "powers", "log", "turns")
NOISE = 0.10
"""A loss up to this is not told from noise, whatever the rounds say."""
HIGHER = ("a second", "positions/s", "games/s", "times")
LOWER = ("ms", "s", "KiB", "kB", "MB", "ms of CPU", "s of CPU")


class Row(Struct, frozen=True):
    """One figure of both, round by round."""

    name: str
    unit: str
    rising: bool
    """Whether more is better."""
    there: tuple[float, ...]
    here: tuple[float, ...]

    @property
    def change(self) -> float:
        """Return this checkout's median to the other's."""
        return median(self.here) / median(self.there)

    @property
    def spread(self) -> float:
        """Return how far the rounds of one side lie apart, to their median; the larger of both."""
        return max((max(side) - min(side)) / median(side) for side in (self.there, self.here))

    @property
    def worse(self) -> bool:
        """Say whether it got worse, by more than ``NOISE`` and by more than the rounds' spread."""
        loss = 1 - self.change if self.rising else self.change - 1
        return loss > max(NOISE, self.spread)


@click.command()
@click.argument("rev")
@click.argument("parts", nargs=-1, type=click.Choice(PARTS))
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(2, 20))
def compare(rev: str, parts: tuple[str, ...], rounds: int) -> None:
    """Compare this checkout with revision REV; ends with 1 when something got worse.

    PARTS are those of the bench; without any, a quick choice.
    """
    commit = resolved(rev)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder is removed
    wanted = parts or USUAL
    with checked_out(commit) as folder:
        there: list[Result] = []
        here: list[Result] = []
        for number in range(1, rounds + 1):
            for name, place, results in (
                (rev, folder, there),
                ("this checkout", ROOT, here),
            ):
                say(f"round {number} of {rounds}: {name}")
                results.append(measured(place, wanted))
    rows = list(side_by_side(there, here))
    click.echo(told(rev, rows))
    sys.exit(any(row.worse for row in rows))


def resolved(rev: str) -> str:
    """Return the commit that a name stands for."""
    command = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if answer.returncode:
        raise click.ClickException(f"There is no revision {rev!r} here: a commit, branch or tag.")
    return answer.stdout.strip()


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check a commit out beside this checkout, with the bench of this one; then remove it."""
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "revision"
        _git("worktree", "add", "--detach", "--quiet", str(folder), commit)
        try:
            shutil.rmtree(folder / "bench", ignore_errors=True)
            shutil.copytree(ROOT / "bench", folder / "bench")
            yield folder
        finally:
            _git("worktree", "remove", "--force", str(folder))


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)


def measured(folder: Path, parts: Sequence[str]) -> Result:
    """Run parts of the bench on the code of a folder; those that cannot run there are left out."""
    found: list[Result] = []
    for part in parts:
        answer = subprocess.run(
            [sys.executable, "-m", "bench", "--json", part],
            cwd=folder,
            env=os.environ | {"BENCH_QUICK": "1", "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
        )
        try:
            found.append(msgspec.json.decode(answer.stdout, type=Result))
        except msgspec.DecodeError:
            lines = answer.stderr.strip().splitlines() or [f"exit code {answer.returncode}"]
            say(f"{part} cannot be measured on {revision(folder)}: {lines[-1]}")
    if not found:
        raise click.ClickException("Nothing of this can be measured there.")
    return msgspec.structs.replace(found[0], parts=[part for one in found for part in one.parts])


def side_by_side(there: Sequence[Result], here: Sequence[Result]) -> Iterator[Row]:
    """Yield the rows that all rounds of both have, where less or more is better."""
    those, these = ([{f.name: f for f in one.figures()} for one in side] for side in (there, here))
    for name, figure in these[0].items():
        rising = direction(figure)
        if rising is None or not all(name in one for one in (*those, *these)):
            continue
        before, after = (tuple(_compared(one[name]) for one in side) for side in (those, these))
        if all(before) and all(after):
            unit = figure.unit if figure.ratio is None else "to its peer"
            yield Row(name, unit, rising, before, after)


def direction(figure: Figure) -> bool | None:
    """Say whether more of a figure is better, or None where neither is."""
    unit = figure.unit.partition(" (")[0]
    if figure.bound:
        return figure.bound.startswith(">")
    if unit in HIGHER:
        return True
    return False if unit in LOWER else None


def _compared(figure: Figure) -> float:
    return figure.value if figure.ratio is None else figure.ratio


def told(rev: str, rows: Sequence[Row]) -> str:
    """Write the comparison as a table."""
    heading = ("row", "unit", rev, "here", "change", "")
    cells = [
        (
            row.name,
            row.unit,
            written(median(row.there)),
            written(median(row.here)),
            f"{row.change - 1:+.0%}",
            "WORSE" if row.worse else "",
        )
        for row in rows
    ]
    worse = sum(row.worse for row in rows)
    return f"{aligned([heading, *cells], {2, 3, 4})}\n\n{worse} of {len(rows)} rows got worse"


if __name__ == "__main__":
    compare()
