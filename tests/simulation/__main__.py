"""Replay seeds: ``python -m tests.simulation SEED [SEED...]`` prints what happened in each."""

from __future__ import annotations

import sys

from tests.simulation.simulation import Simulation

for text in sys.argv[1:]:
    simulation = Simulation(int(text))
    try:
        print(f"seed {text}: {simulation.run()}")
    finally:
        for line in simulation.world.trace:
            print(*line)
