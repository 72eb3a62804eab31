"""What it takes to come up: the whole service, the import of the web app, its memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from app.launch import claim, process
from bench.load import drive, request
from bench.measure import Figure, at_most
from bench.processes import memory, tree
from bench.progress import say
from bench.results import ROOT
from bench.scripts import GODS, MORTALS, opened, scripts
from bench.servers import OURS, private_redis, serving

STARTS = 5
IMPORTS = 9
PATIENCE = 60.0
GAMES, TURNS = 20, 15
"""Games played before memory is looked at: with the reads, a thousand requests for a worker."""


def figures() -> list[Figure]:
    """Measure all three."""
    return [*_ready(), *_imports(), *_memory()]


def _ready() -> list[Figure]:
    say("start: until the service is ready")
    taken = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            taken.append(_start(Path(folder)))
    return [
        at_most("`make run` to ready, median", median(taken), "s", 3),
        Figure("`make run` to ready, slowest", max(taken), "s"),
    ]


def _start(folder: Path) -> float:
    """Start everything in an empty folder and stop it again; return how long it took to play."""
    port = claim.free_port()
    environment = {"PORT": str(port), "SANTORINI_DATA_DIR": str(folder / "var"), "REDIS_URL": ""}
    begin = time.perf_counter()
    up = process.start(_command(), environment, Path(os.devnull))
    try:
        while not _answers(f"http://127.0.0.1:{port}/readyz"):
            assert up.poll() is None, "the service did not start"
            assert time.perf_counter() < begin + PATIENCE, "the service does not become ready"
            time.sleep(0.01)
        return time.perf_counter() - begin
    finally:
        # The group, for a stopped make leaves what it has started.
        for pid in reversed(list(tree(up.pid))):
            os.kill(pid, 15)
        process.stop(up, 10)


def _command() -> Sequence[str]:
    if (ROOT / ".venv" / ".run").exists() or (ROOT / ".venv" / ".dev").exists():
        return ("make", "--no-print-directory", "run")
    return (sys.executable, "-m", "app.cli", "up")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.HTTPError):
        return False


IMPORT = "from app.http import application, cors, journal, limits, metrics; import app.wiring"
CREATE = "from app import create_app; create_app()"
LIBRARIES = "import flask, marshmallow, redis"


def _imports() -> list[Figure]:
    """Time fresh interpreters, the barest ones in turns with ours; files are in the cache.

    Processor time is bounded: on a machine of one's own it is the time that passes.
    """
    say("start: import of the web application")
    programs = (IMPORT, CREATE, LIBRARIES, "pass")
    rounds = [[_run(program) for program in programs] for _ in range(IMPORTS + 1)][1:]
    worked, passed = (
        [median(one[kind] for one in column) for column in zip(*rounds, strict=True)]
        for kind in (0, 1)
    )
    return [
        at_most("import of the web app in a fresh interpreter", worked[0], "s of CPU", 0.6),
        Figure("  time passed meanwhile", passed[0], "s"),
        Figure("  the app imported and created", worked[1], "s of CPU"),
        Figure("  Flask, marshmallow and redis-py alone", worked[2], "s of CPU"),
        Figure("  the interpreter alone", worked[3], "s of CPU"),
    ]


def _run(program: str) -> tuple[float, float]:
    """Run a program in a fresh interpreter; return its processor time, and the time passed."""
    environment = os.environ | {"REDIS_URL": "redis://127.0.0.1:1"}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, env=environment)
    passed, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed


def _memory() -> list[Figure]:
    say("start: memory of a worker after a thousand requests")
    written = scripts(GAMES, TURNS, [MORTALS, *GODS])
    with private_redis() as redis, serving(OURS, redis.url) as server:
        idle = max(memory(pid).rss for pid in list(tree(server.process.pid))[1:])
        for _ in range(4):
            games = opened(server.port, written)
            drive(
                server.port,
                [
                    [
                        asked
                        for turn in script.turns
                        for asked in (
                            request("GET", f"{game.path}/legal-steps"),
                            request("GET", f"{game.path}/legal-turns"),
                            game.play(turn),
                            request("GET", game.path),
                        )
                    ]
                    for game, script in zip(games, written, strict=True)
                ],
            )
        workers = [memory(pid) for pid in list(tree(server.process.pid))[1:]]
    requests = 4 * GAMES * (2 + 4 * TURNS) // len(workers)
    largest = max(workers, key=lambda worker: worker.rss)
    return [
        at_most(f"RSS of a web worker after {requests:,} requests", largest.rss, "MB", 90),
        Figure("  its share of it (PSS)", largest.pss, "MB"),
        Figure("  RSS before the first request", idle, "MB"),
    ]
