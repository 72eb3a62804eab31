"""Games played while everything is killed, stopped and cut off (stage 5 of the plan)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.faults.plant import PROXIED, Nemesis, Plant, running
from tests.faults.players import Player, Story
from tests.faults.verdict import Verdict

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("faults")]


def torture(
    folder: Path, seconds: float, players: int, idle: int, pause: tuple[float, float], report: Any
) -> None:
    """Play for some seconds under all faults at once; judge; report the table."""
    story, verdict = Story(), Verdict()
    plant = Plant(
        folder,
        seed=1,
        SANTORINI_OUTAGE_SECONDS="60",
        SANTORINI_RECONCILE_SECONDS="5",
        SANTORINI_COMPACT_SECONDS="0",
    )
    with running(plant):
        until = time.monotonic() + seconds
        crowd = [
            Player(plant, story, seed, until, turn_seconds=30 if seed % 2 else None)
            for seed in range(players)
        ]
        crowd[-1].settings["turn_seconds"] = 1
        waiting = [_idle_game(plant, story, 1 + n % 4) for n in range(idle)]
        plant.proxy.mischief = PROXIED
        nemesis = Nemesis(plant, pause)
        for player in crowd:
            player.start()
        nemesis.start()
        for player in crowd:
            player.join(seconds + 120)
        nemesis.finish()
        plant.proxy.mischief = type(PROXIED)()
        failures = [player.failure for player in crowd if player.failure]
        assert not failures, (failures, plant.printed()[-3000:])
        plant.wait_ready()
        _wait_for_ends(plant, waiting)
        verdict.judge(story, plant.services())
        assert plant.services().maintenance.backlog().counts.get("compacted", 0) > 0
    verdict.look_for_leaks(story, folder)
    report(verdict.table(plant.kills, story))
    verdict.require_clean()
    assert not story.surprises, story.surprises[:5]
    assert verdict.games > players // 2 and verdict.commands > 20 * seconds / 10
    assert sum(plant.kills.values()) >= seconds / (pause[1] + 6)
    assert len(story.slow) <= len(story.durations) / 200, story.slow[:5]


def _idle_game(plant: Plant, story: Story, seconds: int) -> str:
    """Open a game that nobody plays: the clock alone brings it to its end."""
    host = Player(plant, story, 0, 0, turn_seconds=seconds)
    created = host.command(f"{plant.url}/v1/games", host.settings)
    game_id = created["game"]["id"]
    host.command(f"{plant.url}/v1/games/{game_id}/seats", {})
    story.games.append(game_id)
    return str(game_id)


def _wait_for_ends(plant: Plant, games: list[str]) -> None:
    """Every timeout comes in the end, each once: three in a row are the end (C-37)."""
    services, end = plant.services(), time.monotonic() + 60
    for game_id in games:
        while (game := services.reader.read(game_id).snapshot.game).status != "finished":
            assert time.monotonic() < end, f"{game_id} stands still"
            time.sleep(0.05)
        assert game.result is not None and game.result.reason == "timeouts"


def test_nothing_acknowledged_is_lost(tmp_path, report):
    torture(tmp_path, 12, players=5, idle=6, pause=(0.2, 0.8), report=report)


@pytest.mark.faults
def test_ten_minutes_of_everything_at_once(tmp_path, report):
    torture(tmp_path, 540, players=8, idle=120, pause=(0.5, 4), report=report)
