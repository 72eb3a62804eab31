"""The stores that one contract suite runs against."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import pytest

from app.adapters.connections import connect
from app.adapters.memory_store import MemoryStore
from app.adapters.redis_store import RedisStore
from app.adapters.store import Store
from tests.servers import redis_cluster, redis_server


@dataclass
class Bench:
    """A store under test and a way to let its clock pass."""

    store: Any
    client: Any = None

    def wait(self, millis: int) -> None:
        if isinstance(self.store, MemoryStore):
            self.store.clock.advance(millis)
        else:
            time.sleep(millis / 1000 + 0.002)


@pytest.fixture(scope="session")
def single(tmp_path_factory):
    with redis_server(tmp_path_factory.mktemp("single")) as server:
        yield server


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with redis_cluster(tmp_path_factory.mktemp("cluster")) as server:
        yield server


@pytest.fixture(params=["memory", "redis", "cluster"])
def bench(request):
    if request.param == "memory":
        yield Bench(MemoryStore())
        return
    server = request.getfixturevalue("single" if request.param == "redis" else "cluster")
    with connect(server.url, 2.0) as client:
        client.flushall()
        yield Bench(RedisStore(client, "t"), client)


@pytest.fixture
def store(bench) -> Store:
    return bench.store
