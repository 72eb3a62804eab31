"""``santorini pause``, ``resume``, ``compact`` and ``doctor``: what an operator needs."""

from __future__ import annotations

import platform
from collections import Counter
from importlib import metadata
from typing import Any

import click

from app.cli.output import as_json, json_option
from app.config import Config
from app.launch import binaries, reach
from app.launch.trouble import LaunchError
from app.services.compactor import Outcome
from app.version import __version__
from app.wiring import build_services

PACKAGES = ("flask", "flask-smorest", "gunicorn", "marshmallow", "msgspec", "redis", "rq")


@click.command()
def pause() -> None:
    """Refuse commands and stop all clocks, for maintenance."""
    with reach.redis_at_hand(Config.from_env()) as config:
        build_services(config).maintenance.pause()
    click.echo("Paused: games can be read, nothing can be played, no clock runs.")


@click.command()
def resume() -> None:
    """Accept commands again, and give every clock the time it had left."""
    with reach.redis_at_hand(Config.from_env()) as config:
        shifted = build_services(config).maintenance.resume()
    click.echo(f"Resumed; {shifted} deadlines were moved.")


@click.command()
def compact() -> None:
    """Compact all games that are over now, instead of waiting for the workers.

    For games of the first release too, which the workers do not know of. It may run beside
    everything else, be stopped and be repeated.
    """
    with reach.redis_at_hand(Config.from_env()) as config:
        services = build_services(config)
        found = Counter(services.compactor.compact(one) for one in services.backup.games())
    click.echo(f"{found[Outcome.COMPACTED]} games compacted.")
    if found[Outcome.LEFT]:
        raise click.ClickException(f"{found[Outcome.LEFT]} are left alone; the log says why.")


@click.command()
@json_option
def doctor(json: bool) -> None:
    """Check configuration, versions and Redis; passwords are masked. Ends with 1 on trouble."""
    report = examine(Config.from_env())
    if json:
        as_json(report)
    else:
        _print(report)
    if report["problems"]:
        raise click.exceptions.Exit(1)


def examine(config: Config) -> dict[str, Any]:
    """Return versions, configuration and problems; Redis is started for a moment if need be."""
    report: dict[str, Any] = {
        "versions": {"santorini": __version__, "python": platform.python_version()}
        | {name: metadata.version(name) for name in PACKAGES},
        "configuration": config.masked(),
        "redis_server": _server(),
        "paused": None,
        "problems": [],
    }
    try:
        with reach.redis_at_hand(config) as reached:
            health = build_services(reached).maintenance.health()
        report["paused"] = health.paused
        report["problems"] += health.problems
    except LaunchError as error:
        report["problems"].append(str(error))
    return report


def _server() -> str | None:
    try:
        server = binaries.find_server()
        return f"{server} {'.'.join(map(str, binaries.version_of(server)))}"
    except LaunchError:
        return None


def _print(report: dict[str, Any]) -> None:
    for name, version in report["versions"].items():
        click.echo(f"{name:32} {version}")
    click.echo(f"{'redis-server here':32} {report['redis_server'] or 'none'}")
    for name, value in report["configuration"].items():
        click.echo(f"{name:32} {'' if value is None else value}")
    if report["paused"]:
        click.echo("The service is paused: `santorini resume` ends that.")
    for problem in report["problems"]:
        click.echo(f"Problem: {problem}", err=True)
    if not report["problems"]:
        click.echo("No problems found.")
