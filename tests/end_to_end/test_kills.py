"""Parts killed in mid-game: nothing acknowledged is lost, and the game goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.end_to_end.instance import Instance, running, wait_for
from tests.end_to_end.players import Table, check_log

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("end_to_end")]


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """Run a service that these tests may hurt."""
    with running(Instance(tmp_path_factory.mktemp("victim"))) as instance:
        yield instance


@pytest.mark.parametrize("role", ["redis", "worker", "web"])
def test_a_game_survives_kill_9(victim: Instance, role: str) -> None:
    """Every step played stays played; repeats under one key are played once."""
    table = Table(victim.url, 3)
    game = table.fill()
    for _ in range(4):
        game = table.play(5)
        if game["turn"] is None:
            break
        before = game["version"], game["log_hash"]
        victim.kill(role)
        seen = table.get(f"?version={before[0]}")
        assert (seen["version"], seen["log_hash"]) == before
    game = table.play()
    assert game["status"] == "finished"
    check_log(table, game)
    wait_for(victim.url)


def test_clocks_run_on_after_worker_and_redis_were_killed(victim: Instance) -> None:
    """C-37 holds while the parts that make deadlines happen are killed."""
    table = Table(victim.url, 4, turn_seconds=1)
    table.fill()
    victim.kill("worker")
    victim.kill("redis")
    wait_for(victim.url)
    limit = 300
    while (game := table.get())["turn"] is not None and limit:
        limit -= 1
        table.session.get(f"{victim.url}/healthz", timeout=5)
        time.sleep(0.1)
    assert game["result"]["reason"] == "timeouts"
    check_log(table, game)
