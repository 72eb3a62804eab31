"""How late deadlines come: without faults, and while every process is killed in turn.

The parts are those of the fault suite; the games have turns of 1 to 4 seconds and nobody plays.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from pathlib import Path

from app.config import Config
from app.services import StoreUnavailable
from app.wiring import build_store
from bench import bursts
from bench.measure import Figure, at_most
from domain.game.settings import Settings
from tests.faults.plant import Nemesis, Plant, running
from tests.faults.verdict import Verdict

GAMES = 120
PATIENCE = 120.0


def figures() -> list[Figure]:
    """Measure the p99 lateness of 600 timeouts, twice, then thousands at once."""
    return [
        *_measured("without faults", 1.5, False),
        *_measured("under kills", 5.0, True),
        *bursts.figures(),
    ]


def _measured(name: str, bound: float, hurt: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, running(_plant(folder)) as plant:
        nemesis = Nemesis(plant, (1.0, 3.0))
        games = _idle_games(plant)
        if hurt:
            nemesis.start()
        _wait_for_ends(plant)
        if hurt:
            nemesis.finish()
            plant.wait_ready()
        verdict = _judged(plant, games)
    late = sorted(verdict.late)
    p99 = late[int(len(late) * 0.99)]
    return [
        at_most(f"timeouts {name}: p99 late", p99, "s", bound),
        Figure(f"timeouts {name}: slowest", late[-1], "s"),
        Figure(f"timeouts {name}", len(late), "timeouts", f"= {GAMES * 5}", len(late) == GAMES * 5),
        at_most(f"timeouts {name}: early", len(verdict.early), "timeouts", 0),
        at_most(f"timeouts {name}: broken logs", len(verdict.broken), "games", 0),
    ]


def _idle_games(plant: Plant) -> list[str]:
    services, games = plant.services(), []
    for number in range(GAMES):
        created = services.games.create(Settings(turn_seconds=1 + number % 4, start_seat=1))
        services.games.join(created.snapshot.game_id)
        games.append(created.snapshot.game_id)
    return games


def _plant(folder: str) -> Plant:
    return Plant(Path(folder), seed=2, proxied=False)


def _wait_for_ends(plant: Plant) -> None:
    """Wait until no clock runs; ask seldom, for asking takes time from what is measured."""
    store, running_clocks = build_store(Config(redis_url=plant.redis.url)), True
    end = time.monotonic() + PATIENCE
    while running_clocks:
        assert time.monotonic() < end, "some games stand still"
        time.sleep(0.5)
        with suppress(StoreUnavailable):
            running_clocks = any(store.next_due()[1])


def _judged(plant: Plant, games: list[str]) -> Verdict:
    services, verdict = plant.services(), Verdict()
    for game_id in games:
        verdict.judge_clocks(game_id, [event.body for event in services.archive.export(game_id)])
        if not services.archive.verify(game_id).ok:
            verdict.broken.append(game_id)
    return verdict
