"""A request that has waited for Redis too long asks it nothing more."""

from __future__ import annotations

import time

import pytest

from app import create_app
from app.adapters import patience
from app.adapters.connections import connect
from app.adapters.redis_store import RedisStore
from app.adapters.store import StoreUnavailable
from app.config import Config
from tests.servers import redis_server


@pytest.fixture(autouse=True)
def _ended():
    yield
    patience.end()


def test_slow_calls_of_one_request_add_up(tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.3)
    with redis_server(tmp_path) as server, connect(server.url, 2) as client:
        store = RedisStore(client)
        patience.begin()
        store.now()
        store._calls.at(0, lambda _: time.sleep(0.2))
        store.now()
        store._calls.at(0, lambda _: time.sleep(0.2))
        with pytest.raises(StoreUnavailable, match="waiting for too long"):
            store.now()
        patience.renew()
        store.now()
        time.sleep(0.4)
        store.now()
        patience.end()
        store._calls.at(0, lambda _: time.sleep(0.4))
        store.now()


def test_only_requests_are_counted(tmp_path):
    with redis_server(tmp_path) as server:
        client = create_app(Config(redis_url=server.url)).test_client()
        assert client.get("/v1/games").status_code == 200
    patience.renew()
    assert not patience.exhausted()
