"""A few lines of HTTP: what ``santorini demo`` plays with."""

from __future__ import annotations

import contextlib
import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import click

from app.launch.trouble import LaunchError


class Refused(LaunchError):
    """The service answered with a problem; ``status`` and ``problem`` are what it said."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        flaws = [f"{flaw.get('pointer')}: {flaw['detail']}" for flaw in problem.get("errors", [])]
        lines = [f"{status} {problem.get('code')}: {problem.get('detail')}", *flaws]
        super().__init__("\n  ".join(lines))
        self.status = status
        self.problem = problem


class Client:
    """One player's connection to the service."""

    def __init__(self, url: str, token: str = "") -> None:
        self.connection = http.client.HTTPConnection(*_where(url), timeout=30)
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def post(self, path: str, body: object) -> Any:
        """Send a body; return the answer's, or raise ``Refused``."""
        return json.loads(self._ask("POST", path, json.dumps(body)))

    def get(self, path: str) -> Any:
        """Return the body of an answer, or raise ``Refused``."""
        return json.loads(self._ask("GET", path))

    def text(self, path: str) -> str:
        """Return a page of plain text, or raise ``Refused``."""
        return self._ask("GET", path).decode()

    def close(self) -> None:
        """End the connection."""
        self.connection.close()

    def _ask(self, method: str, path: str, body: str | None = None) -> bytes:
        try:
            self.connection.request(method, path, body, self.headers)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise LaunchError(f"The service does not answer: {error}") from error
        if answer.status >= 400:
            raise Refused(answer.status, json.loads(content))
        return content


def _where(url: str) -> tuple[str, int | None]:
    """Return host and port of an address."""
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme == "http" and parts.hostname:
            return parts.hostname, parts.port
    raise click.UsageError(f"{url!r} is no address of the form http://host:port.")
