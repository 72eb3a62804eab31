"""The servers that are measured: ours as it is run in earnest, others with the same settings."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.launch import claim, process
from app.launch.private_redis import PrivateRedis
from bench.processes import tree

OURS = (sys.executable, "-m", "app.cli", "web")
WORKERS = 2
PATIENCE = 30.0


def under_gunicorn(application: str) -> tuple[str, ...]:
    """Return the command that serves an application with gunicorn's own threaded worker.

    Processes, threads and all other settings are ours; the worker class is what anybody gets.
    """
    settings = ("--config", "python:app.launch.gunicorn_conf", "--worker-class", "gthread")
    return (sys.executable, "-m", "gunicorn", *settings, application)


class WebServer:
    """A web server on a port of its own; what it prints is thrown away."""

    def __init__(
        self, command: tuple[str, ...], redis_url: str, workers: int = WORKERS, **environment: str
    ) -> None:
        self.port = claim.free_port()
        given = {
            "PORT": str(self.port),
            "SANTORINI_HOST": "127.0.0.1",
            "REDIS_URL": redis_url,
            "WEB_CONCURRENCY": str(workers),
            # One address sends everything here; in earnest it would be slowed down.
            "SANTORINI_RATE_LIMITS": "off",
        }
        self.process = process.start(command, given | environment, Path(os.devnull))
        try:
            self._wait(workers)
        except BaseException:
            self.stop()
            raise

    def _wait(self, workers: int) -> None:
        """Wait until the port is open and every worker has been forked."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if self._listens() and len(list(tree(self.process.pid))) > workers:
                return
            time.sleep(0.05)
        raise SystemExit("A server did not start.")

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """End it."""
        process.stop(self.process, 5)


@contextmanager
def private_redis() -> Iterator[PrivateRedis]:
    """Run a Redis with the durable settings for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        server = PrivateRedis(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def serving(
    command: tuple[str, ...], redis_url: str, workers: int = WORKERS, **environment: str
) -> Iterator[WebServer]:
    """Run a web server for as long as it is needed."""
    server = WebServer(command, redis_url, workers, **environment)
    try:
        yield server
    finally:
        server.stop()
