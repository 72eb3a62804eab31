"""`santorini demo`: a whole game for somebody who only wants to look."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.launch.claim import free_port
from tests.end_to_end.instance import ROOT, Instance

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("end_to_end")]


def demo(*words: str, port: int) -> str:
    """Run it with a port of its own, and return what it prints."""
    environment = os.environ | {"PORT": str(port)}
    environment.pop("REDIS_URL", None)
    command = [sys.executable, "-m", "app.cli", "demo", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_brings_its_own_service_and_plays_a_seed_again() -> None:
    first, second = (demo("--seed", "7", port=free_port()).splitlines() for _ in range(2))
    assert " won (" in first[-1]
    assert first.count("    a  b  c  d  e") > 4
    assert first[1:] == second[1:]


@pytest.mark.parametrize(
    "words",
    [["--variant", "trio"], ["--variant", "team4", "--powers"], ["--powers"]],
    ids=" ".join,
)
def test_it_plays_at_a_running_service(service: Instance, words: list[str]) -> None:
    output = demo(*words, port=service.port)
    assert f"Playing at {service.url}" in output
    assert " won (" in output.splitlines()[-1]
