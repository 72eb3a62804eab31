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
ADDRESSES = "must list addresses like host:port,host:port, ports from 1 to 65535"


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
        ValueError: it is of none of the forms above; the message says what is missing, and
            repeats nothing of the URL, which may hold a password.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(ADDRESSES) from None
    base, _, kind = parts.scheme.partition("+")
    if parts.scheme in ("redis", "rediss", "unix"):
        _require_one_server(url)
        return Place("")
    if base not in ("redis", "rediss") or kind not in DEFAULT_PORTS:
        raise ValueError(
            "must be a redis://, rediss://, unix://, redis+cluster:// or redis+sentinel:// URL"
        )
    if parts.query or parts.fragment:
        raise ValueError("must end after the addresses and the path: it takes no ? and no #")
    credentials, _, hosts = parts.netloc.rpartition("@")
    addresses = tuple(_address(host, DEFAULT_PORTS[kind]) for host in hosts.split(","))
    options = _options(base, credentials)
    name, _, database = parts.path.strip("/").partition("/")
    if kind == "cluster":
        if name not in ("", "0"):
            raise ValueError("must name no database: a cluster has only number 0")
        return Place(kind, addresses, "", tuple(options.items()))
    if not name:
        raise ValueError("must name the primary, as in redis+sentinel://host:26379/mymaster")
    if database and not (database.isascii() and database.isdecimal()):
        raise ValueError("must end with the number of a database, or with the primary's name")
    number = {"db": int(database or 0)}
    return Place(kind, addresses, unquote(name), tuple((options | number).items()))


def _require_one_server(url: str) -> None:
    """Build a connection, without connecting, to see whether the URL says what it must."""
    import redis  # here, since whoever reads settings need not talk to a server

    try:
        redis.ConnectionPool.from_url(url).make_connection()
    except (ValueError, TypeError):
        raise ValueError(
            "must be like redis://user:password@host:6379/0 or unix:///folder/redis.sock, "
            "special characters of a password written as %XX"
        ) from None


def _address(text: str, default: int) -> Address:
    bracket, _, rest = text.rpartition("]")
    host, _, port = (bracket[1:], "", rest.removeprefix(":")) if bracket else text.partition(":")
    sound = not port or (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536)
    if not host or not sound or (bracket and not text.startswith("[")):
        raise ValueError(ADDRESSES)
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
