"""Deadlines with the real parts: Redis, an RQ worker, its sweeper, and kill -9."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from app.adapters.store import GRACE
from tests.servers import redis_server
from tests.workers.conftest import Yard

pytestmark = pytest.mark.end_to_end


def test_a_game_nobody_plays_runs_to_its_end_by_the_clock(yard):
    """Three timeouts in a row lose (C-37): placement, turn, then the loss."""
    game_id = yard.duel()[0].snapshot.game_id
    with yard.worker() as worker:
        yard.wait_until(lambda: yard.game(game_id).status == "finished", 20)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=10) == 0
    game = yard.game(game_id)
    assert game.result.reason == "timeouts" and game.result.winners == (2,)
    late = yard.lateness(game_id)
    assert len(late) == 5 and min(late) > GRACE
    assert max(late[1:]) < 2500, "the first one may pass while the worker starts"
    assert yard.services.reader.verify(game_id).ok


def test_killed_workers_change_nothing_but_lateness(yard):
    games = [yard.duel()[0].snapshot.game_id for _ in range(6)]
    with yard.worker(), yard.worker():
        for _ in range(3):
            victim = yard.start_worker()
            time.sleep(1.2)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
        yard.wait_until(lambda: all(yard.game(g).status == "finished" for g in games), 20)
    for game_id in games:
        commands = [e.body["command"] for e in yard.services.archive.export(game_id)]
        timeouts = [c for c in dict.fromkeys(commands) if c.startswith("timeout-")]
        assert len(timeouts) == 5
        assert yard.services.reader.verify(game_id).ok


def test_a_killed_redis_is_found_again_by_worker_and_service(yard):
    game_id = yard.duel()[0].snapshot.game_id
    with yard.worker() as worker:
        yard.wait_until(lambda: yard.game(game_id).version > 6)
        yard.server.kill()
        time.sleep(0.5)
        yard.server.start()
        yard.wait_until(lambda: yard.game(game_id).status == "finished", 20)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=10) == 0
    assert yard.services.reader.verify(game_id).ok


def test_a_worker_stops_on_sigterm_while_redis_is_away(yard):
    with yard.worker() as worker:
        yard.wait_until(lambda: yard.redis.exists("{rq}:workers"))
        yard.server.kill()
        time.sleep(0.3)
        worker.send_signal(signal.SIGTERM)
        worker.wait(timeout=10)
        assert worker.returncode == 0


def test_a_worker_that_runs_no_jobs_is_rescued_by_its_sweeper(yard):
    """The queue is blocked: the sweeper applies what RQ does not."""
    yard.environ["SANTORINI_RESCUE_SECONDS"] = "0.5"
    game_id = yard.duel()[0].snapshot.game_id
    with yard.worker():
        yard.wait_until(lambda: yard.redis.exists("{rq}:queues"))
        yard.redis.set("{rq}:suspended", 1)
        yard.wait_until(lambda: yard.game(game_id).status == "finished", 30)
    assert max(yard.lateness(game_id)) > GRACE + 500
    assert yard.services.reader.verify(game_id).ok


def test_a_worker_compacts_what_is_over(tmp_path):
    """Job, sweeper and swap with the real parts; the game reads as before."""
    with redis_server(tmp_path) as server:
        environ = {"REDIS_URL": server.url, "SANTORINI_COMPACT_SECONDS": "0"}
        yard = Yard(server, environ)
        games = [yard.duel(None) for _ in range(20)]
        for seats in games:
            yard.services.games.resign(seats[0].snapshot.game_id, seats[0].token)
        ids = [seats[0].snapshot.game_id for seats in games]
        logs = {game_id: yard.store.load(game_id).events for game_id in ids}
        with yard.worker():
            yard.wait_until(lambda: yard.store.counts().get("compacted") == len(ids), 40)
        for game_id, events in logs.items():
            loaded = yard.store.load(game_id)
            assert loaded.compacted and loaded.events == events
            assert yard.services.reader.verify(game_id).ok


def test_the_command_line_compacts_games_of_the_first_release_too(tmp_path):
    """They are in no index of games that are over."""
    with redis_server(tmp_path) as server:
        yard = Yard(server, {"REDIS_URL": server.url})
        seats = yard.duel(None)
        game_id = seats[0].snapshot.game_id
        yard.services.games.resign(game_id, seats[0].token)
        yard.store.leave(game_id)
        words = [sys.executable, "-m", "app.cli", "compact"]
        told = subprocess.run(
            words, env=os.environ | yard.environ, capture_output=True, text=True, check=True
        )
        assert told.stdout == "1 games compacted.\n"
        assert yard.store.load(game_id).compacted and yard.services.reader.verify(game_id).ok
