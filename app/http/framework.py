"""Flask without what this service has no use for: sessions, coroutines, answers to be mended.

All are looked for in every request, which takes longer than many a request of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from flask import Flask, Request, Response, request
from flask.sessions import NullSession, SessionInterface
from werkzeug.datastructures import Headers


def current_request() -> Request:
    """Return the request itself: every look at it through Flask's proxy costs another one."""
    proxy: Any = request
    return cast("Request", proxy._get_current_object())


class _NoSessions(SessionInterface):
    """Nobody has a session: who calls is told by a token in each request."""

    def __init__(self) -> None:
        self._null = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return the one session that nothing can be kept in."""
        return self._null

    def save_session(self, *args: Any) -> None:
        """Keep nothing."""


class Reply(Response):
    """A whole answer, whose headers go out as they are; its ``Location`` is a path (RFC 9110)."""

    default_mimetype = None

    def __init__(
        self, body: bytes = b"", status: int = 200, content_type: str | None = None
    ) -> None:
        """Take the body as it is; no ``content_type`` is for an answer without content."""
        super().__init__(status=status, content_type=content_type)
        if content_type is not None:
            self.headers["Content-Length"] = str(len(body))
        self.response = [body]

    def get_wsgi_headers(self, environ: Any) -> Headers:
        """Return the headers; there is nothing to mend in them."""
        return self.headers


class Service(Flask):
    """The application class of this service."""

    session_interface = _NoSessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as it is: none here is a coroutine."""
        return func
