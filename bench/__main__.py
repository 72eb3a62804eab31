"""``python -m bench``: measure everything, or the parts named, and end with one table."""

from __future__ import annotations

import importlib
import sys

import click
import msgspec

from bench import results
from bench.measure import table
from bench.progress import say

PARTS = (
    "rules",
    "powers",
    "log",
    "turns",
    "reads",
    "growth",
    "start",
    "streams",
    "scaling",
    "outward",
    "deadlines",
)


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(PARTS))
@click.option("--json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--save", is_flag=True, help="Keep the result of a partial run in bench/results, too."
)
def bench(parts: tuple[str, ...], json: bool, save: bool) -> None:
    """Measure PARTS, by default all; ends with 1 when a bound is missed."""
    before = results.latest()
    found = measured(parts or PARTS)
    if json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        click.echo(_told(found))
        click.echo(_since(before, found))
    if save or not parts:
        say(f"kept as {results.save(found).relative_to(results.ROOT)}")
    sys.exit(bool(results.missed(list(found.figures()))))


def measured(parts: tuple[str, ...]) -> results.Result:
    """Measure parts, one after the other."""
    machine, revision = results.machine(), results.revision()
    done = []
    for name in parts:
        say(name)
        done.append(results.Part(name, importlib.import_module(f"bench.{name}").figures()))
    return results.Result(results.now(), revision, machine, done)


def _told(found: results.Result) -> str:
    """Write the table, what it was measured on, and what was missed."""
    machine, figures = found.machine, list(found.figures())
    wrong = results.missed(figures)
    bounded = sum(figure.kept is not None for figure in figures)
    where = (
        f"{found.revision}, {found.date}: {machine.cores} cores ({machine.processor}), "
        f"{machine.python}, Redis {machine.redis} with appendfsync {machine.appendfsync}, "
        f"load {machine.load} before"
    )
    lines = [
        where,
        "",
        table([(part.name, part.figures) for part in found.parts]),
        "",
        f"{bounded - len(wrong)} of {bounded} bounds kept"
        + "".join(f"\n  MISSED {figure.name}" for figure in wrong),
    ]
    return "\n".join(lines)


def _since(before: results.Result | None, found: results.Result) -> str:
    """Say which ratios have moved since the latest result: figures of two runs say nothing."""
    if before is None:
        return "There is no earlier result to compare the ratios with."
    moved = results.moved(before, found)
    lines = [f"Ratios since {before.revision} of {before.date[:10]}:", *moved]
    return "\n".join(lines if moved else [*lines, "  none has moved by more than a tenth"])


if __name__ == "__main__":
    bench()
