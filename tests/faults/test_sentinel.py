"""A replicated Redis under sentinels: failover under load loses nothing that was waited for."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
import redis

from app.config import Config
from app.services import StoreUnavailable, Submission
from app.wiring import build_services
from domain.game.settings import Settings
from tests.faults.load import Crowd
from tests.faults.replicated import sentinel_pair, until
from tests.faults.test_cluster import finished_duel, random

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("sentinel")]


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    with sentinel_pair(tmp_path_factory.mktemp("pair")) as found:
        yield found


def test_readiness_names_missing_replicas_and_a_replica_itself(pair):
    config = Config(redis_url=pair.url, wait_replicas=2)
    problems = build_services(config).maintenance.health().problems
    assert problems == ("Redis has 1 replicas; SANTORINI_WAIT_REPLICAS asks for 2",)
    replica = replace(config, redis_url=f"redis://127.0.0.1:{pair.ports[1]}", wait_replicas=0)
    problems = build_services(replica).maintenance.health().problems
    assert any("is a replica" in problem for problem in problems)
    with redis.Redis(port=pair.ports[1]) as client, pytest.raises(redis.ReadOnlyError):
        client.set("x", 1)


def test_nothing_is_acknowledged_that_no_replica_has(pair):
    """While the replica is away commands are unknown (503), and known again when it is back."""
    services = build_services(Config(redis_url=pair.url, wait_replicas=1))
    finished_duel(services, random.Random(1))
    pair.servers[1].freeze(True)
    submission = Submission("/v1/games", "a-key-of-the-test-alone", b"{}")
    before = time.monotonic()
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            services.games.create(Settings(), submission=submission)
    assert time.monotonic() - before < 6
    problems = services.maintenance.health().problems
    pair.servers[1].freeze(False)
    seated = until(lambda: _created(services, submission))
    assert seated.replayed
    assert services.archive.verify(seated.snapshot.game_id).ok
    assert not problems or "SANTORINI_WAIT_REPLICAS" in problems[0]


def _created(services, submission):
    try:
        return services.games.create(Settings(), submission=submission)
    except StoreUnavailable:
        return None


def fail_over(pair, times):
    config = Config(redis_url=pair.url, wait_replicas=1)
    services = build_services(config)
    assert services.maintenance.health().ready, services.maintenance.health()
    with Crowd(services) as crowd:
        crowd.wait_for(60)
        for _ in range(times):
            old = pair.primary()
            pair.servers[old].kill()
            until(lambda old=old: pair.primary() != old, 30)
            pair.rejoin(old)
            crowd.wait_for(60, 60)
    assert crowd.unknown > 0
    crowd.check(build_services(config))
    assert not set(crowd.refused)


def test_a_failover_under_load_loses_nothing_that_was_acknowledged(pair):
    """The primary dies, the replica takes over, the old primary comes back as its replica."""
    fail_over(pair, 1)


@pytest.mark.faults
def test_many_failovers_under_load_lose_nothing(pair):
    fail_over(pair, 6)
