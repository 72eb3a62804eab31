"""Real Redis servers and real worker processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import redis

from app.config import Config
from app.services import Seated, Services
from app.wiring import build_services, build_store
from domain.game.settings import Settings
from tests.servers import redis_server

PROGRAM = """
from app.config import Config
from workers.main import run_worker

run_worker(Config.from_env())
"""


@dataclass
class Yard:
    """Services on a Redis of their own, and workers that can be started and killed."""

    server: Any
    environ: dict[str, str]

    def __post_init__(self) -> None:
        config = Config.from_env(self.environ)
        self.store = build_store(config)
        self.redis = redis.Redis.from_url(self.server.url)
        self.services: Services = build_services(config, self.store)

    def start_worker(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", PROGRAM], env=os.environ | self.environ)

    @contextmanager
    def worker(self):
        process = self.start_worker()
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()

    def duel(self, seconds: int | None = 1) -> list[Seated]:
        settings = Settings(start_seat=1, turn_seconds=seconds)
        one = self.services.games.create(settings)
        return [one, self.services.games.join(one.snapshot.game_id)]

    def game(self, game_id: str):
        return self.services.reader.read(game_id).snapshot.game

    def wait_until(self, claim, seconds: float = 15) -> None:
        end = time.monotonic() + seconds
        while not claim():
            assert time.monotonic() < end, "it did not happen in time"
            time.sleep(0.02)

    def lateness(self, game_id: str) -> list[int]:
        """Return, for each timeout, the milliseconds from its deadline to its event."""
        from app.adapters import times

        late, deadline = [], 0
        for event in self.services.archive.export(game_id):
            if event.body["type"] == "timed_out":
                late.append(times.read(event.body["at"]) - deadline)
            written = event.body["data"].get("deadline")
            deadline = times.read(written) if written else deadline
        return late


@pytest.fixture
def yard(tmp_path):
    with redis_server(tmp_path) as server:
        yield Yard(server, {"REDIS_URL": server.url, "SANTORINI_OUTAGE_SECONDS": "30"})
