"""Everything on a real cluster of three primaries: store, list, news, tickets, RQ."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from app.adapters.connections import slot_of
from app.adapters.store import shard_of
from app.config import Config
from app.services import GameQuery, Services
from app.wiring import build_services, build_store
from domain.game.outlook import legal_steps
from domain.game.settings import Settings
from tests.end_to_end.instance import ROOT
from tests.faults.load import Crowd
from tests.faults.replicated import cluster, until

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("cluster")]


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def services(three) -> Services:
    return build_services(Config(redis_url=three.url))


def finished_duel(services: Services, dice: random.Random) -> str:
    """Play a short game to its end."""
    one = services.games.create(Settings(turn_seconds=None))
    game_id = one.snapshot.game_id
    two = services.games.join(game_id)
    tokens = {1: one.token, 2: two.token}
    for _ in range(6):
        game = services.reader.read(game_id).snapshot.game
        assert game.clock is not None
        step = dice.choice(legal_steps(game))
        services.games.play(game_id, tokens[game.clock.seat], steps=(step,))
    services.games.resign(game_id, two.token)
    return game_id


def test_games_are_spread_over_all_primaries(three, services):
    assert services.maintenance.health().ready, services.maintenance.health()
    games = {finished_duel(services, random.Random(seed)) for seed in range(24)}
    homes = {three.owner(slot_of(f"s{shard_of(game_id):02}")) for game_id in games}
    assert homes == {0, 1, 2}
    listed = services.reader.list(GameQuery(status="finished", limit=100)).games
    assert {snapshot.game_id for snapshot in listed} >= games
    assert all(services.archive.verify(game_id).ok for game_id in games)


def test_news_and_tickets_pass_between_processes(three, services):
    other = build_services(Config(redis_url=three.url))
    seated = services.games.create(Settings())
    game_id = seated.snapshot.game_id
    with services.news.watching(game_id) as watch:
        threading.Timer(0.1, lambda: other.games.join(game_id)).start()
        end = time.monotonic() + 10
        while services.reader.read(game_id).snapshot.version < 3:
            assert watch.wait(1, 5) and time.monotonic() < end
    ticket, _ = services.tickets.issue(game_id, seated.token)
    assert other.tickets.redeem(game_id, ticket) == seated.token


def test_workers_make_deadlines_happen(three, services):
    """RQ keeps everything under one hash tag and runs unchanged."""
    environment = os.environ | {"REDIS_URL": three.url}
    worker = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "worker"], cwd=ROOT, env=environment
    )
    try:
        games = []
        for _ in range(6):
            one = services.games.create(Settings(turn_seconds=1, start_seat=1))
            services.games.join(one.snapshot.game_id)
            games.append(one.snapshot.game_id)
        store = build_store(Config(redis_url=three.url))
        reads: Any = services.reader.read
        until(lambda: all(reads(g).snapshot.game.status == "finished" for g in games), 40)
        assert store.counts().get("rescued", 0) < 5 * len(games), "RQ has done nothing"
    finally:
        worker.terminate()
        assert worker.wait(15) == 0


def test_a_slot_that_moves_is_found_again(three, services):
    """Ten shards change their home while games are played; nobody notices but by a 503."""
    with Crowd(services) as crowd:
        crowd.wait_for(40)
        for shard in range(0, 60, 6):
            slot = slot_of(f"s{shard:02}")
            three.move(slot, (three.owner(slot) + 1) % 3)
        crowd.wait_for(80)
    crowd.check(build_services(Config(redis_url=three.url)))
    assert not set(crowd.refused)
