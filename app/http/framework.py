"""Flask without what this service has no use for: sessions, and views that are coroutines.

Both are looked for in every request; a request of ours takes less time than that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface


class _NoSessions(SessionInterface):
    """Nobody has a session: who calls is told by a token in each request."""

    def __init__(self) -> None:
        self._null = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return the one session that nothing can be kept in."""
        return self._null

    def save_session(self, *args: Any) -> None:
        """Keep nothing."""


class Service(Flask):
    """The application class of this service."""

    session_interface = _NoSessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as it is: none here is a coroutine."""
        return func
