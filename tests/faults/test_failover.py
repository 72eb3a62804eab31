"""A primary dies while people play and clocks run: on a cluster, and under sentinels."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app import create_app
from app.adapters import connections
from app.adapters.connections import slot_of
from app.adapters.queue_length import QUEUE_TAG
from app.config import Config
from app.services import Services, StoreUnavailable
from app.wiring import build_services
from domain.game.settings import Settings
from tests.end_to_end.instance import ROOT
from tests.faults.load import Crowd
from tests.faults.replicated import cluster, sentinel_pair, until

pytestmark = pytest.mark.end_to_end

PLANTS = [
    pytest.param(kind, marks=pytest.mark.xdist_group(kind)) for kind in ("cluster", "sentinel")
]


@dataclass
class Plant:
    """What the test hurts: servers by number, one of which keeps the queue of the workers."""

    url: str
    primary: Callable[[], int]
    kill: Callable[[int], None]
    rejoin: Callable[[int], None]


@pytest.fixture(params=PLANTS)
def plant(request, tmp_path) -> Iterator[Plant]:
    if request.param == "cluster":
        with cluster(tmp_path, replicas=True) as six:
            yield Plant(
                six.url,
                lambda: six.owner(slot_of(QUEUE_TAG)),
                lambda number: six.nodes[number].kill(),
                lambda number: six.nodes[number].start(),
            )
    else:
        with sentinel_pair(tmp_path) as pair:
            yield Plant(
                pair.url,
                pair.primary,
                lambda number: pair.servers[number].kill(),
                pair.rejoin,
            )


@contextmanager
def worker(url: str, log: Path) -> Iterator[None]:
    environment = os.environ | {"REDIS_URL": url, "SANTORINI_WAIT_REPLICAS": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "worker"],
            cwd=ROOT, env=environment, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()


def finished(services: Services, games: list[str]) -> bool:
    try:
        read = [services.reader.read(game_id).snapshot.game for game_id in games]
    except StoreUnavailable:
        return False
    return all(game.status == "finished" for game in read)


def open_games(services: Services, count: int) -> list[str]:
    """Open games that nobody plays: three timeouts in a row end them (C-37)."""
    games = []
    for _ in range(count):
        game_id = services.games.create(Settings(turn_seconds=1, start_seat=1)).snapshot.game_id
        services.games.join(game_id)
        games.append(game_id)
    return games


def hears_of_a_timeout(services: Services) -> None:
    """The worker's append wakes whoever waits for the game in this process."""
    game_id = open_games(services, 1)[0]
    end = time.monotonic() + 20
    with services.news.watching(game_id) as watch:
        while (version := services.reader.read(game_id).snapshot.version) < 5:
            assert watch.wait(version, 10) and time.monotonic() < end


def test_play_and_clocks_go_on_when_a_primary_dies(plant, tmp_path):
    """Nothing acknowledged is lost, each deadline fires once, and news arrives again."""
    config = Config(redis_url=plant.url, wait_replicas=1)
    services = build_services(config)
    assert services.maintenance.health().ready, services.maintenance.health()
    with worker(plant.url, tmp_path / "worker.log"), Crowd(services, 3) as crowd:
        idle = open_games(services, 4)
        crowd.wait_for(30)
        old = plant.primary()
        plant.kill(old)
        until(lambda: plant.primary() != old, 30)
        plant.rejoin(old)
        until(lambda: services.maintenance.health().ready, 30)
        crowd.wait_for(30)
        hears_of_a_timeout(services)
        until(lambda: finished(services, idle), 30)
    services.news.close()
    fresh = build_services(config)
    crowd.check(fresh)
    assert crowd.unknown > 0 and not crowd.refused
    for game_id in idle:
        bodies = [event.body for event in fresh.archive.export(game_id)]
        assert len([body for body in bodies if body["type"] == "timed_out"]) == 5
        assert fresh.archive.verify(game_id).ok


@pytest.mark.xdist_group("sentinel")
def test_an_interrupted_read_leaves_no_answer_behind(tmp_path):
    """A signal in the middle of a blocking read, as when a worker is told to stop."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyError("interrupted")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with sentinel_pair(tmp_path) as pair, connections.client(pair.url) as client:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(KeyError):
                client.blpop(["nothing"], 5)
            begin = time.monotonic()
            assert client.set("a", "1") and client.get("a") == b"1"
            assert time.monotonic() - begin < 2
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.xdist_group("sentinel")
def test_over_http_too_few_replicas_are_a_503_that_may_be_repeated(tmp_path):
    """The repeated request is answered as the first one would have been, and nothing is doubled."""
    with sentinel_pair(tmp_path) as pair:
        config = Config(redis_url=pair.url, wait_replicas=1, rate_limits="off")
        client = create_app(config).test_client()
        headers = {"Idempotency-Key": "a-key-of-the-test-alone"}

        def create():
            return client.post("/v1/games", json={}, headers=headers)

        pair.servers[1].freeze(True)
        refused = create()
        assert refused.status_code == 503 and "Retry-After" in refused.headers
        assert refused.json["code"] == "store_unavailable"
        pair.servers[1].freeze(False)
        created = until(lambda: (answer := create()).status_code == 201 and answer)
        assert [game["id"] for game in client.get("/v1/games").json["games"]] == [
            created.json["game"]["id"]
        ]
