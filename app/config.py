"""Configuration from environment variables: typed, validated at start, described from code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from app.adapters.places import place_of


class ConfigError(ValueError):
    """A variable holds what it must not; the message names it."""


@dataclass(frozen=True)
class Option:
    """One variable: its name, its help text, how its text is read."""

    variable: str
    help: str
    read: Callable[[str], Any]
    secret: bool = False


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _seconds(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not low <= value <= high:
            raise ValueError(f"must be a number of seconds from {low:g} to {high:g}")
        return value

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return text.lower()

    return read


def _redis_url(text: str) -> str:
    place_of(text)
    return text


def _name(text: str) -> str:
    if not text.replace("-", "").replace("_", "").isalnum() or not text.isascii():
        raise ValueError("must be made of letters, digits, '-' and '_'")
    return text


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path:
            raise ValueError("must be a comma-separated list of origins like https://example.org")
    return origins


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _option(default: Any, variable: str, help: str, read: Callable[[str], Any], **more: Any) -> Any:
    return field(default=default, metadata={"option": Option(variable, help, read, **more)})


@dataclass(frozen=True)
class Config:
    """Every setting of the service; the defaults run it on one machine."""

    port: int = _option(8000, "PORT", "TCP port of the web server.", _whole(1, 65535))
    host: str = _option("127.0.0.1", "SANTORINI_HOST", "Address the web server listens on.", str)
    redis_url: str | None = _option(
        None,
        "REDIS_URL",
        "Redis to use: `redis://`, `rediss://` or `unix://`, "
        "`redis+sentinel://host:port,host:port/name` or `redis+cluster://host:port,host:port`; "
        "without it a private server is started in the data folder.",
        _redis_url,
        secret=True,
    )
    web_concurrency: int = _option(
        2, "WEB_CONCURRENCY", "Number of web server processes.", _whole(1, 64)
    )
    web_threads: int = _option(
        64, "SANTORINI_WEB_THREADS", "Threads of each web server process.", _whole(1, 1024)
    )
    streams: int = _option(
        4000,
        "SANTORINI_STREAMS",
        "Event streams each web server process carries at once; one address may have half of them.",
        _whole(1, 100_000),
    )
    data_dir: Path = _option(
        Path("var"), "SANTORINI_DATA_DIR", "Folder of the private Redis server.", Path
    )
    key_prefix: str = _option(
        "santorini", "SANTORINI_KEY_PREFIX", "First part of every Redis key.", _name
    )
    queue: str = _option(
        "santorini", "SANTORINI_QUEUE", "Name of the RQ queue the workers serve.", _name
    )
    redis_timeout: float = _option(
        0.5,
        "SANTORINI_REDIS_TIMEOUT_SECONDS",
        "Longest wait for one answer of Redis; two more tries follow.",
        _seconds(0.05, 60),
    )
    wait_replicas: int = _option(
        0,
        "SANTORINI_WAIT_REPLICAS",
        "Replicas that must have a command before it is acknowledged (WAIT); 0 for none.",
        _whole(0, 16),
    )
    cached_games: int = _option(
        1024,
        "SANTORINI_CACHED_GAMES",
        "Folded games each process keeps in memory.",
        _whole(0, 1_000_000),
    )
    outage_seconds: float = _option(
        60.0,
        "SANTORINI_OUTAGE_SECONDS",
        "A deadline missed by more than this while no worker ran restarts its clock.",
        _seconds(1, 86_400),
    )
    rescue_seconds: float = _option(
        2.5,
        "SANTORINI_RESCUE_SECONDS",
        "Lateness at which the sweeper applies a deadline itself instead of waiting for RQ.",
        _seconds(0.1, 60),
    )
    reconcile_seconds: float = _option(
        60.0,
        "SANTORINI_RECONCILE_SECONDS",
        "Time between two comparisons of the open games with the due index.",
        _seconds(1, 86_400),
    )
    compact_seconds: float = _option(
        3600.0,
        "SANTORINI_COMPACT_SECONDS",
        "How long a game must be over before the workers compact its log into one small value.",
        _seconds(0, 10 * 365 * 86_400),
    )
    cors_origins: tuple[str, ...] = _option(
        (),
        "SANTORINI_CORS_ORIGINS",
        "Comma-separated origins whose pages may call the service; none by default.",
        _origins,
    )
    rate_limits: str = _option(
        "on",
        "SANTORINI_RATE_LIMITS",
        "Whether callers are slowed down that send very much: on or off.",
        _one_of("on", "off"),
    )
    trusted_proxies: tuple[str, ...] = _option(
        (),
        "SANTORINI_TRUSTED_PROXIES",
        "Comma-separated addresses whose X-Forwarded-For is believed; none by default.",
        _words,
    )
    log_level: str = _option(
        "info",
        "SANTORINI_LOG_LEVEL",
        "Least severe messages that are logged: debug, info, warning or error.",
        _one_of("debug", "info", "warning", "error"),
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Config:
        """Read the configuration from environment variables; empty ones count as absent.

        Raises:
            ConfigError: one line for each variable that holds a wrong value, naming it.
        """
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        problems: list[str] = []
        for name, option in options():
            text = environ.get(option.variable, "").strip()
            if not text:
                continue
            try:
                values[name] = option.read(text)
            except ValueError as error:
                shown = "" if option.secret else f", not {text[:60]!r}"
                problems.append(f"{option.variable} {error}{shown}")
        if problems:
            raise ConfigError("\n".join(problems))
        return cls(**values)

    def masked(self) -> dict[str, str | None]:
        """Return variable names and values as text, passwords in URLs replaced by ``***``."""
        return {option.variable: _shown(getattr(self, name), option) for name, option in options()}


def _shown(value: Any, option: Option) -> str | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return ",".join(value)
    text = str(value)
    if not option.secret:
        return text
    parts = urlsplit(text)
    if parts.password is None and not parts.username:
        return urlunsplit(parts._replace(query="***" if parts.query else ""))
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"***@{place}", query="***" if parts.query else ""))


def options() -> list[tuple[str, Option]]:
    """List the attribute name and the option of every setting, in order."""
    return [(f.name, f.metadata["option"]) for f in fields(Config)]


def describe() -> list[dict[str, str]]:
    """Return ``variable``, ``default`` and ``help`` of every setting; the docs print this."""
    blank = Config()
    return [
        {
            "variable": option.variable,
            "default": _shown(getattr(blank, name), option) or "",
            "help": option.help,
        }
        for name, option in options()
    ]
