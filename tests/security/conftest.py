"""The service as somebody hostile meets it: limits on, answers not judged but compared."""

from __future__ import annotations

from typing import Any

import pytest

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.wiring import build_services
from tests.app.http.conftest import Table


@pytest.fixture(scope="session")
def app():
    config = Config(rate_limits="off")
    return create_app(config, build_services(config, MemoryStore()))


@pytest.fixture(scope="session")
def client(app):
    return app.test_client()


def created(client: Any, **settings: Any) -> Table:
    """Create a game, and return it with what its creator was given."""
    body = client.post("/v1/games", json=settings).json
    table = Table(client, body["game"]["id"], invite=body.get("invite"))
    if body["seat"] is None:
        table.host = body["token"]
    else:
        table.tokens[body["seat"]] = body["token"]
    return table


def started(client: Any, **settings: Any) -> Table:
    """Create a game whose seats are taken; seat 1 is to place."""
    table = created(client, **({"start_seat": 1} | settings))
    while table.game(1)["status"] == "open":
        table.join()
    return table


def told(response: Any) -> tuple[Any, ...]:
    """Return all that an answer tells, but for what names the request itself."""
    own = {"X-Request-ID", "Date"}
    body = response.json if response.is_json or "problem" in response.mimetype else response.data
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name != "instance"}
    headers = sorted((name, value) for name, value in response.headers if name not in own)
    if "Content-Length" in response.headers and isinstance(body, dict):
        headers = [pair for pair in headers if pair[0] != "Content-Length"]
    return response.status_code, headers, body
