"""``santorini perft`` and ``openapi``: what needs neither Redis nor a running service."""

from __future__ import annotations

import json as json_text
import time
from pathlib import Path
from typing import Any

import click

from app.cli.output import as_json, json_option
from domain.rules.engine import perft as count_turns
from domain.rules.positions import ImpossiblePosition, read_position

OPENING: dict[str, Any] = {
    "variant": "duel",
    "powers_mode": "none",
    "to_move": {"seat": 1, "kind": "normal"},
    "levels": "0" * 25,
    "domes": [],
    "workers": [
        {"square": "b3", "seat": 1, "sex": "f"},
        {"square": "d3", "seat": 1, "sex": "m"},
        {"square": "c2", "seat": 2, "sex": "f"},
        {"square": "c4", "seat": 2, "sex": "m"},
    ],
    "powers": [],
    "tokens": [],
}
"""The position of the published counts: 68, 5156, 350208."""


@click.command()
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 8))
@click.option(
    "--position",
    type=click.File(),
    help="A position in JSON (tests/data/vectors/README.md); - reads standard input.",
)
@json_option
def perft(depth: int, position: Any, json: bool) -> None:
    """Count the distinct results of all turns to a depth, as engines are compared."""
    table, seat, kind = _position(position)
    counts: list[dict[str, Any]] = []
    for ply in range(1, depth + 1):
        start = time.perf_counter()
        results, wins = count_turns(table, seat, ply, kind)
        seconds = round(time.perf_counter() - start, 3)
        counts.append({"depth": ply, "results": results, "wins": wins, "seconds": seconds})
        if not json:
            click.echo(f"depth {ply}: {results} results, {wins} wins, {seconds:.2f} s")
    if json:
        as_json(counts)


def _position(file: Any) -> Any:
    try:
        return read_position(OPENING if file is None else json_text.load(file))
    except ImpossiblePosition as error:
        raise click.BadParameter(str(error), param_hint="--position") from error
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}", param_hint="--position") from error


@click.command()
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write a file.")
def openapi(output: Path | None) -> None:
    """Export the HTTP contract as OpenAPI 3.1 YAML, from the schemas that validate requests."""
    from app.http.export import openapi_yaml

    text = openapi_yaml()
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text)
