"""``python -m bench``: measure everything, or the parts named."""

from __future__ import annotations

import importlib
import sys

import click
import msgspec

from bench.measure import Figure, table

PARTS = ("rules", "powers", "log", "turns", "streams", "scaling", "deadlines")


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(PARTS))
@click.option("--json", is_flag=True, help="Print JSON instead of a table.")
def bench(parts: tuple[str, ...], json: bool) -> None:
    """Measure PARTS, by default all; ends with 1 when a bound is missed."""
    figures: list[Figure] = []
    for part in parts or PARTS:
        measured = importlib.import_module(f"bench.{part}").figures()
        figures += measured
        if not json:
            click.echo(f"\n{part}\n{table(measured)}")
    if json:
        click.echo(msgspec.json.encode(figures).decode())
    sys.exit(any(figure.kept is False for figure in figures))


if __name__ == "__main__":
    bench()
