"""`santorini up` as a person at a terminal meets it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from app.launch.claim import free_port
from tests.end_to_end.instance import ROOT, Instance, command_of, running, wait_for
from tests.end_to_end.players import Table
from tests.servers import DURABLE, RedisServer

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("end_to_end")]


def gone(pids: list[int]) -> bool:
    """Say whether none of these processes runs any more, waiting a moment for the last."""
    for _ in range(200):
        if not any(command_of(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_stops_everything_and_the_games_are_there_again(
    tmp_path: Path, number: signal.Signals
) -> None:
    with running(Instance(tmp_path)) as first:
        table = Table(first.url, 5)
        table.fill()
        game = table.play(6)
        pids = first.everything()
        assert len(pids) >= 5
        metrics = Path(tempfile.gettempdir()) / f"santorini-{os.getuid()}-metrics-{first.port}"
        assert metrics.is_dir()
        assert first.stop(number) == 0
        assert gone(pids)
        assert not metrics.exists()
    with running(Instance(tmp_path, port=first.port)):
        again = table.get()
        assert (again["version"], again["log_hash"]) == (game["version"], game["log_hash"])
        assert table.play()["status"] == "finished"


def test_a_launcher_killed_outright_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    with running(Instance(tmp_path)) as first:
        pids = first.everything()
        assert first.stop(signal.SIGKILL) == -signal.SIGKILL
        assert gone(pids)
    with running(Instance(tmp_path, port=first.port)):
        pass


def test_a_second_instance_is_told_who_was_first(service: Instance, tmp_path: Path) -> None:
    second = Instance(tmp_path, SANTORINI_DATA_DIR=service.environment["SANTORINI_DATA_DIR"])
    with pytest.raises(AssertionError, match=f"already being served: .*{service.port}"):
        second.start()
    assert second.process is not None
    assert second.process.wait(10) == 3


def test_a_busy_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        instance = Instance(tmp_path, port=port)
        with pytest.raises(AssertionError, match=f"Port {port} .* cannot be used"):
            instance.start()
    assert instance.process is not None
    assert instance.process.wait(10) == 3


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    instance = Instance(tmp_path, PORT="eighty")
    with pytest.raises(AssertionError, match="PORT must be a whole number"):
        instance.start()
    assert instance.process is not None
    assert instance.process.wait(10) == 2


@pytest.fixture
def lonely(tmp_path: Path) -> Iterator[Instance]:
    """An instance that waits for the Redis of its REDIS_URL, of which there is none yet."""
    instance = Instance(tmp_path, REDIS_URL=f"redis://127.0.0.1:{free_port()}")
    with pytest.raises(AssertionError):
        instance.start(patience=0.0)
    for _ in range(600):
        if "Waiting for the Redis at REDIS_URL: " in instance.said:
            break
        time.sleep(0.05)
    yield instance
    assert instance.stop() == 0


def test_waiting_for_redis_is_told_once_and_can_be_ended(lonely: Instance) -> None:
    time.sleep(2.0)
    assert lonely.stop() == 0
    assert lonely.said.count("Waiting") == 1
    assert "served" not in lonely.said


def test_a_redis_that_comes_late_is_used(lonely: Instance, tmp_path: Path) -> None:
    port = int(lonely.environment["REDIS_URL"].rpartition(":")[2])
    redis = RedisServer(tmp_path / "redis", *DURABLE, port=port)
    redis.start()
    try:
        wait_for(lonely.url)
        assert lonely.stop() == 0
    finally:
        redis.kill()


def shell(script: str) -> str:
    """Run lines in a POSIX shell and return what they print."""
    done = subprocess.run(
        ["sh", "-eu", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@needs_curl
def test_the_lines_of_the_greeting_play_a_turn(service: Instance) -> None:
    lines = [line.strip() for line in service.said.splitlines() if "curl" in line]
    assert len(lines) == 4
    assert "\n3   0. 1. 0. 0. 0.\n" in shell("\n".join(lines))


@needs_curl
def test_the_lines_of_the_readme_play_a_turn(service: Instance) -> None:
    """Every block of the README that calls curl runs, one after the other, in one shell."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    script = "\n".join(block for block in blocks if "curl" in block)
    played = shell(script.replace("http://127.0.0.1:8000", service.url))
    assert "\n3   0. 1. 1. 0. 0.\n" in played


def test_a_paused_service_starts_paused(tmp_path: Path) -> None:
    """The pause is kept with the games: it outlives a restart, and ends when somebody says so."""
    first = Instance(tmp_path)

    def santorini(command: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "app.cli", command], env=first.environment, check=True
        )

    def paused() -> bool:
        return bool(requests.get(f"{first.url}/readyz", timeout=5).json()["paused"])

    with running(first):
        santorini("pause")
        assert paused()
    with running(Instance(tmp_path, port=first.port)):
        assert paused()
        santorini("resume")
        assert not paused()
