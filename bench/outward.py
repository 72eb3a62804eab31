"""How it scales out on this machine: one and two web processes, one Redis and three primaries.

All of it shares the machine's cores with the client, so the requests a second say little about
more machines; the processor time for a turn, on either side, says what more machines would carry.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from bench.load import Load, drive
from bench.measure import Figure
from bench.progress import say
from bench.scripts import MORTALS, Script, opened, scripts
from bench.servers import OURS, WebServer, private_redis, serving
from tests.faults.replicated import cluster

CLIENTS = 20
GAMES = 80
LENGTH = 20
ROUNDS = 3


def figures() -> list[Figure]:
    """Measure the three arrangements, in turns."""
    written = list(islice(cycle(scripts(40, LENGTH, [MORTALS])), GAMES))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        single = stack.enter_context(private_redis())
        primaries = stack.enter_context(cluster(Path(folder)))
        assert single.process is not None
        alone = [single.process.pid]
        three = [int(client.info("server")["process_id"]) for client in primaries.clients]
        places = {
            "1 web process, one Redis": (single.url, 1, alone),
            "2 web processes, one Redis": (single.url, 2, alone),
            "2 web processes, 3 primaries": (primaries.url, 2, three),
        }
        servers = {
            name: stack.enter_context(serving(OURS, url, workers))
            for name, (url, workers, _) in places.items()
        }
        loads: dict[str, list[Load]] = {name: [] for name in places}
        for number in range(ROUNDS + 1):
            say(f"outward: round {number} of {ROUNDS}")
            for name, (_, _, pids) in places.items():
                load = _played(servers[name], pids, written)
                if number:
                    loads[name].append(load)
    return [row for name, measured in loads.items() for row in _rows(name, measured)]


def _played(server: WebServer, redis: list[int], written: list[Script]) -> Load:
    """Play games to their last turn, each client its own, one after the other."""
    games = [
        [game.play(turn) for turn in script.turns]
        for game, script in zip(opened(server.port, written), written, strict=True)
    ]
    dealt = [[turn for game in games[at::CLIENTS] for turn in game] for at in range(CLIENTS)]
    watched = {f"redis-{number}": pid for number, pid in enumerate(redis)}
    return drive(server.port, dealt, watched | {"web": server.process.pid})


def _rows(name: str, loads: list[Load]) -> list[Figure]:
    web = median(load.cpu["web"] for load in loads)
    stores = [
        [value for key, value in load.cpu.items() if key.startswith("redis")] for load in loads
    ]
    return [
        Figure(f"turns with {name}", median(load.rate for load in loads), "a second"),
        Figure("  web, for a turn", web, "ms of CPU"),
        Figure("  Redis, for a turn, all servers", median(map(sum, stores)), "ms of CPU"),
        Figure("  p99", median(load.p99 for load in loads), "ms"),
    ]
