"""An application that breaks in the ways a server must answer for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Break as the path says; ``/healthz`` is well."""
    match environ["PATH_INFO"]:
        case "/raises":
            raise RuntimeError("before anything was said")
        case "/header":
            start("200 OK", [("X-Bad", "a\nb")])
            return [b""]
        case "/breaks-off":
            start("200 OK", [("Content-Length", "10")])
            return _half()
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def _half() -> Iterator[bytes]:
    yield b"half"
    raise RuntimeError("in the middle")
