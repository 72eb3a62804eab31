"""Two thousand seeds: whatever fails, nothing acknowledged is lost, doubled or reordered."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[2]
SEEDS = 2_000
CHUNK = 50
REPLAYED = 17


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_whatever_fails_the_logs_tell_what_was_answered(first):
    """A failing seed is named: ``python -m tests.simulation SEED`` replays it exactly."""
    for seed in range(first, first + CHUNK):
        Simulation(seed).run()


@pytest.mark.soak
@pytest.mark.parametrize("first", range(SEEDS, 20_000, 500))
def test_whatever_fails_for_many_more_seeds(first):
    for seed in range(first, first + 500):
        Simulation(seed).run()


def test_a_seed_replays_exactly():
    """Also in another process, with another order of sets."""
    here = Simulation(REPLAYED).run()
    assert Simulation(REPLAYED).run() == here
    for hash_seed in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-m", "tests.simulation", str(REPLAYED)],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert f"seed {REPLAYED}: {here}" in told


def test_what_other_threads_draw_changes_nothing():
    """A thread left behind by another test may draw from the system's entropy at any time."""
    quiet = Simulation(REPLAYED).run()
    stop = threading.Event()

    def draw():
        while not stop.wait(0.0005):
            secrets.token_hex(4)

    thread = threading.Thread(target=draw)
    thread.start()
    try:
        assert {Simulation(REPLAYED).run() for _ in range(3)} == {quiet}
    finally:
        stop.set()
        thread.join()


def test_everything_that_can_go_wrong_does():
    """Otherwise the seeds above would prove little."""
    met: set[object] = set()
    for seed in range(40):
        simulation = Simulation(seed)
        simulation.run()
        met |= {entry[3] for entry in simulation.world.trace if entry[1][:3] in ("web", "wor")}
        for operation in simulation.history.operations:
            met.add("unknown" if operation.unknowns else "known")
            met.add(operation.refusal.code if operation.refusal else "accepted")
        for game_id in simulation.history.games:
            loaded = simulation.world.store.load(game_id)
            met |= {event["type"] for event in loaded.events}
            met.add("compacted" if loaded.compacted else "laid out")
        swaps = [entry[2] for entry in simulation.world.trace if entry[2:] == ("compact", "")]
        if len(swaps) > len(simulation.history.games):
            met.add("laid out again")
    assert met >= {
        "before", "after", "resent", "crash-before", "crash-after",
        "unknown", "accepted", "turn_expired", "timed_out", "clock_restarted", "moved", "finished",
        "compacted", "laid out", "laid out again",
    }  # fmt: skip
