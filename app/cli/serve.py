"""``santorini up``, ``web`` and ``worker``: the service and its two roles."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import click

from app.config import Config
from app.launch import reach
from app.launch.greeting import greeting
from app.launch.supervisor import Plan, Supervisor

SETTINGS = "python:app.launch.gunicorn_conf"
"""Read by gunicorn alone: the module reads the environment when it is imported."""
WORKERS = 2
"""A burst of deadlines is theirs to share, and one goes on while the other starts again."""


@click.command()
@click.option(
    "--workers",
    default=WORKERS,
    show_default=True,
    type=click.IntRange(1, 64),
    help="How many workers to start.",
)
def up(workers: int) -> None:
    """Start Redis if need be, the web server and workers; stop all of them on Ctrl-C.

    PORT chooses the port, SANTORINI_DATA_DIR the folder of the games, REDIS_URL a Redis that runs
    already. `santorini doctor` shows these and the other settings.
    """
    config = Config.from_env()
    plan = Plan(config.host, config.port, config.data_dir, config.redis_url, workers)
    supervisor = Supervisor(plan, lambda text: click.echo(text, err=True))
    supervisor.obey_signals()
    try:
        supervisor.start()
        kept = "the Redis at REDIS_URL" if config.redis_url else str(config.data_dir)
        if not supervisor.asked_to_stop:
            click.echo(greeting(plan.url, kept))
        supervisor.watch()
        click.echo("Stopping.")
    finally:
        supervisor.stop()


@click.command()
def web() -> None:
    """Run the web server (gunicorn) until it is stopped."""
    config = reach.attached(Config.from_env())
    os.environ["REDIS_URL"] = config.redis_url or ""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_empty_folder(f"metrics-{config.port}"))
    command = [sys.executable, "-m", "gunicorn", "--config", SETTINGS, "app:create_app()"]
    # Become the server, so that signals reach it: no shell, and every word is ours.
    os.execv(command[0], command)  # noqa: S606


def _empty_folder(name: str) -> Path:
    """Return an empty folder of ours for this name; what an earlier run left is gone."""
    folder = Path(tempfile.gettempdir()) / f"santorini-{os.getuid()}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    return folder


@click.command()
def worker() -> None:
    """Run a worker, which makes overdue deadlines happen, until it is stopped.

    Any number may run, on any number of machines.
    """
    config = reach.attached(Config.from_env())

    from workers.main import run_worker

    run_worker(config)
