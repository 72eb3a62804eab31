"""How late deadlines come: without faults, and while every process is killed in turn.

The parts are those of the fault suite; the games have turns of 1 to 4 seconds and nobody plays.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from app.services import StoreUnavailable
from bench.measure import Figure, at_most
from domain.game.settings import Settings
from tests.faults.plant import Nemesis, Plant, running
from tests.faults.verdict import Verdict

GAMES = 120
PATIENCE = 120.0


def figures() -> list[Figure]:
    """Measure the p99 lateness of 600 timeouts, twice."""
    return [*_measured("without faults", 1.5, False), *_measured("under kills", 5.0, True)]


def _measured(name: str, bound: float, hurt: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, running(Plant(Path(folder), seed=2)) as plant:
        nemesis = Nemesis(plant, (1.0, 3.0))
        games = _idle_games(plant)
        if hurt:
            nemesis.start()
        _wait_for_ends(plant, games)
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


def _wait_for_ends(plant: Plant, games: list[str]) -> None:
    services, end, left = plant.services(), time.monotonic() + PATIENCE, set(games)
    while left and time.monotonic() < end:
        time.sleep(0.5)
        for game_id in sorted(left):
            try:
                if services.reader.read(game_id).snapshot.game.status == "finished":
                    left.discard(game_id)
            except StoreUnavailable:
                break
    assert not left, f"{len(left)} games stand still"


def _judged(plant: Plant, games: list[str]) -> Verdict:
    services, verdict = plant.services(), Verdict()
    for game_id in games:
        verdict.judge_clocks(game_id, [event.body for event in services.archive.export(game_id)])
        if not services.archive.verify(game_id).ok:
            verdict.broken.append(game_id)
    return verdict
