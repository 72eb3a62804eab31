"""The web application on real services and a store in memory; every answer is judged."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.wiring import build_services
from tests.app.http.conformance import Judge, JudgedClient


@pytest.fixture(scope="session")
def config():
    return Config(rate_limits="off")


@pytest.fixture(scope="session")
def app(config):
    app = create_app(config, build_services(config, MemoryStore()))
    app.test_client_class = JudgedClient
    app.extensions["judge"] = Judge(app.extensions["contract"].document())
    return app


@pytest.fixture
def client(app):
    return app.test_client()


@dataclass
class Table:
    """A game and the tokens of its seats, spoken to over HTTP."""

    client: Any
    id: str
    tokens: dict[int, str] = field(default_factory=dict)
    host: str | None = None
    invite: str | None = None

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"

    def headers(self, seat: int | str | None) -> dict[str, str]:
        token = self.tokens.get(seat) if isinstance(seat, int) else seat
        return {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, suffix: str = "", seat: int | str | None = None, **headers: str) -> Any:
        return self.client.get(self.path + suffix, headers=self.headers(seat) | headers)

    def post(self, suffix: str, body: Any = None, seat: Any = None, **headers: str) -> Any:
        sent = {} if body is None else {"json": body}
        return self.client.post(self.path + suffix, headers=self.headers(seat) | headers, **sent)

    def game(self, seat: int | str | None = None) -> dict[str, Any]:
        response = self.get(seat=seat)
        assert response.status_code == 200, response.text
        return response.json

    def to_act(self) -> int:
        return self.game(self.host or self.tokens.get(1))["turn"]["seat"]

    def play(self, line: str, seat: int | None = None) -> Any:
        seat = self.to_act() if seat is None else seat
        response = self.post("/steps", {"notation": line}, seat)
        assert response.status_code == 201, response.text
        return response.json

    def join(self, **body: Any) -> int:
        if self.invite:
            body = {"invite": self.invite} | body
        response = self.post("/seats", body)
        assert response.status_code == 201, response.text
        self.tokens[response.json["seat"]] = response.json["token"]
        return response.json["seat"]


@pytest.fixture
def create(client):
    """Create a game: ``create(variant="trio")``."""

    def create(**settings: Any) -> Table:
        response = client.post("/v1/games", json=settings)
        assert response.status_code == 201, response.text
        body = response.json
        table = Table(client, body["game"]["id"], invite=body.get("invite"))
        if body["seat"] is None:
            table.host = body["token"]
        else:
            table.tokens[body["seat"]] = body["token"]
        return table

    return create


@pytest.fixture
def started(create):
    """Create a game and fill its seats."""

    def started(**settings: Any) -> Table:
        table = create(**({"start_seat": 1} | settings))
        while table.game(table.host or table.tokens.get(1))["status"] == "open":
            table.join()
        return table

    return started


@pytest.fixture
def duel(started):
    """A duel in which both sides have placed; seat 1 is to move."""
    table = started()
    table.play("+b2 +d4", 1)
    table.play("+b4 +d2", 2)
    return table


def app_of(services: Any, config: Config) -> Flask:
    app = create_app(config, services)
    app.test_client_class = JudgedClient
    app.extensions["judge"] = Judge(app.extensions["contract"].document())
    return app
