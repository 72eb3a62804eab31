"""``REDIS_URL`` taken apart: one server, a primary that sentinels name, or a cluster.

``redis://``, ``rediss://`` and ``unix://`` name one server;
``redis+sentinel://a:26379,b:26379/mymaster`` asks sentinels for the primary;
``redis+cluster://a:7000,b:7000`` learns the primaries of a cluster from any of its nodes;
``rediss+sentinel://`` and ``rediss+cluster://`` do the same over TLS.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

Address: TypeAlias = tuple[str, int]
DEFAULT_PORTS = {"cluster": 6379, "sentinel": 26379}


class Place(NamedTuple):
    """A ``REDIS_URL`` taken apart."""

    kind: str
    """``cluster``, ``sentinel``, or empty for one server."""
    addresses: tuple[Address, ...] = ()
    name: str = ""
    """What the sentinels call the primary."""
    options: tuple[tuple[str, Any], ...] = ()
    """User, password, database and TLS, for the client."""


def place_of(url: str) -> Place:
    """Take a ``REDIS_URL`` apart.

    Raises:
        ValueError: it is of none of the forms above; the message says what is missing.
    """
    parts = urlsplit(url)
    base, _, kind = parts.scheme.partition("+")
    if parts.scheme in ("redis", "rediss", "unix"):
        return Place("")
    if base not in ("redis", "rediss") or kind not in DEFAULT_PORTS:
        raise ValueError(
            "must be a redis://, rediss://, unix://, redis+cluster:// or redis+sentinel:// URL"
        )
    credentials, _, hosts = parts.netloc.rpartition("@")
    addresses = tuple(_address(host, DEFAULT_PORTS[kind]) for host in hosts.split(","))
    options = _options(base, credentials)
    if kind == "cluster":
        return Place(kind, addresses, "", tuple(options.items()))
    name, _, database = parts.path.strip("/").partition("/")
    if not name:
        raise ValueError("must name the primary, as in redis+sentinel://host:26379/mymaster")
    if database and not database.isdecimal():
        raise ValueError("must end with the number of a database, or with the primary's name")
    return Place(kind, addresses, name, tuple((options | {"db": int(database or 0)}).items()))


def _address(text: str, default: int) -> Address:
    host, _, port = text.rpartition(":") if ":" in text else (text, "", "")
    if not host or (port and not port.isdecimal()):
        raise ValueError("must list addresses like host:port,host:port")
    return host, int(port or default)


def _options(base: str, credentials: str) -> dict[str, Any]:
    user, _, password = credentials.partition(":")
    options: dict[str, Any] = {}
    if user:
        options["username"] = unquote(user)
    if password:
        options["password"] = unquote(password)
    if base == "rediss":
        options["ssl"] = True
    return options
