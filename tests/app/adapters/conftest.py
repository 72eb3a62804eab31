"""The stores that one contract suite runs against."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import pytest

from app.adapters.connections import connect, servers
from app.adapters.memory_store import MemoryStore
from app.adapters.redis_store import RedisStore
from app.adapters.store import Store, shard_of
from tests.faults import replicated
from tests.servers import redis_server

GAME = "game-1"


@dataclass
class Bench:
    """A store under test, a client where it keeps ``GAME``, and a way to let its clock pass."""

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
def three(tmp_path_factory):
    with replicated.cluster(tmp_path_factory.mktemp("three")) as primaries:
        yield primaries


@pytest.fixture(scope="session")
def pair(tmp_path_factory):
    with replicated.sentinel_pair(tmp_path_factory.mktemp("pair")) as servers:
        yield servers


PLACES = [
    "memory",
    pytest.param("single", id="redis"),
    pytest.param("three", id="cluster", marks=pytest.mark.xdist_group("cluster")),
    pytest.param("pair", id="sentinel", marks=pytest.mark.xdist_group("sentinel")),
]


@pytest.fixture(params=PLACES)
def bench(request):
    if request.param == "memory":
        yield Bench(MemoryStore())
        return
    place = request.getfixturevalue(request.param)
    for primary in servers(place.url, 2.0).primaries():
        with primary:
            primary.flushall()
    replicas = 1 if request.param == "pair" else 0
    store = RedisStore(servers(place.url, 2.0), "t", replicas)
    with connect(place.url, 2.0, f"s{shard_of(GAME):02}") as client:
        yield Bench(store, client)


@pytest.fixture
def store(bench) -> Store:
    return bench.store
