"""Requests with a key that are still running: the same one beside them is told to wait.

What has been answered is replayed by the services; here is only what has not been answered yet,
in this process. Between processes the store lets one of two win, and the other replays it.
"""

from __future__ import annotations

from threading import Lock

from flask import Flask, current_app, g, request

from app.http.problems import Problem


class Running:
    """The requests with a key that this process is handling."""

    def __init__(self) -> None:
        """Start with none."""
        self._lock = Lock()
        self._names: set[tuple[str, ...]] = set()

    def begin(self, name: tuple[str, ...]) -> bool:
        """Note a request; False when it is running already."""
        with self._lock:
            if name in self._names:
                return False
            self._names.add(name)
            return True

    def end(self, name: tuple[str, ...]) -> None:
        """Forget a request."""
        with self._lock:
            self._names.discard(name)


def begin(key: str | None) -> None:
    """Note that the current request, with its key, is running.

    Raises:
        Problem: ``request_in_progress`` when it is running already.
    """
    if key is None:
        return
    running: Running = current_app.extensions["running"]
    name = (request.headers.get("Authorization", ""), request.path, key)
    if not running.begin(name):
        detail = "The first request with this Idempotency-Key is still running."
        raise Problem("request_in_progress", detail)
    g.running = name


def init_app(app: Flask) -> None:
    """Forget every request at its end."""
    running = app.extensions["running"] = Running()

    def end(_: BaseException | None) -> None:
        if "running" in g:
            running.end(g.running)

    app.teardown_request(end)
