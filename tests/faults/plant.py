"""The real parts: Redis behind a proxy, gunicorn, workers; what is killed is started again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import requests

from app.config import Config
from app.launch.claim import free_port
from app.services import Services
from app.wiring import build_services, build_store
from tests.end_to_end.instance import ROOT, offspring
from tests.faults.proxy import Mischief, Proxy
from tests.servers import DURABLE, RedisServer

PROXIED = Mischief(lose=0.03, cut=0.01, stall=0.01, stall_seconds=0.2)


class Plant:
    """One instance of the service, part by part, so that each can be hurt."""

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        workers: int = 2,
        proxied: bool = True,
        **environment: str,
    ) -> None:
        self.folder = folder
        self.dice = random.Random(seed)
        self.redis = RedisServer(folder, *DURABLE)
        self.proxy = Proxy(self.redis.socket, seed=seed)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.kills: Counter[str] = Counter()
        self.hurt = threading.Event()
        """Set while something is stopped: answers may be slow now, and only now."""
        self._proxied = proxied
        self._environment = environment
        self._names = ["web", *(f"worker-{n}" for n in range(workers))]
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._open = True
        self._lock = threading.Lock()
        self._keeper = threading.Thread(target=self._keep_running, name="keeper", daemon=True)

    def start(self) -> None:
        """Start everything and wait until it can play."""
        self.redis.start()
        self.proxy.start()
        for name in self._names:
            self._start(name)
        self._keeper.start()
        self.wait_ready()

    def wait_ready(self, seconds: float = 60) -> None:
        """Wait until the service says that it can play."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(requests.RequestException):
                if requests.get(f"{self.url}/readyz", timeout=3).status_code == 200:
                    return
            time.sleep(0.1)
        raise AssertionError(f"not ready:\n{self.printed()}")

    def stop(self) -> None:
        """End every process; nothing of ours is left."""
        with self._lock:
            self._open = False
        for process in self._running.values():
            for pid in (process.pid, *offspring(process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
            process.terminate()
        for process in self._running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.proxy.stop()
        self.redis.kill()

    def printed(self) -> str:
        """Return what the web server and the workers have said."""
        return "".join(f.read_text(errors="replace") for f in sorted(self.folder.glob("*.log")))

    def services(self) -> Services:
        """Return services of the test's own, which go straight to Redis."""
        config = Config(redis_url=self.redis.url)
        return build_services(config, build_store(config))

    # -- keeping it running -----------------------------------------------------------------------

    def _start(self, name: str) -> None:
        environment = os.environ | {
            "REDIS_URL": self.proxy.url if self._proxied else self.redis.url,
            "PORT": str(self.port),
            "SANTORINI_RATE_LIMITS": "off",
            "SANTORINI_WEB_THREADS": "32",
            **self._environment,
        }
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, "-m", "app.cli", name.partition("-")[0]],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _keep_running(self) -> None:
        while self._open:
            with self._lock:
                for name, process in list(self._running.items()):
                    if self._open and process.poll() is not None:
                        with suppress(ProcessLookupError):
                            os.killpg(process.pid, signal.SIGKILL)
                        self._start(name)
            time.sleep(0.1)

    # -- hurting it -------------------------------------------------------------------------------

    def victims(self, role: str) -> list[int]:
        """Return the processes of a role: ``web`` (the master), ``child``, ``worker``."""
        if role == "worker":
            return [p.pid for name, p in self._running.items() if name.startswith("worker")]
        master = self._running["web"].pid
        return [master] if role == "web" else offspring(master)

    def kill(self, role: str) -> None:
        """Kill one process of a role with -9; Redis is started again a little later."""
        if role == "redis":
            self.redis.kill()
            time.sleep(self.dice.random() * 0.6)
            self.redis.start()
        else:
            self._signal(role, signal.SIGKILL)
        self.kills[f"kill {role}"] += 1

    def freeze(self, role: str, seconds: float) -> None:
        """Stop one process of a role for a while."""
        self.hurt.set()
        if role == "redis":
            self.redis.freeze(True)
            time.sleep(seconds)
            self.redis.freeze(False)
        else:
            pid = self._signal(role, signal.SIGSTOP)
            time.sleep(seconds)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.kills[f"stop {role}"] += 1
        self.hurt.clear()

    def _signal(self, role: str, number: int) -> int:
        end = time.monotonic() + 15
        while time.monotonic() < end:
            with self._lock:
                if pids := self.victims(role):
                    pid = self.dice.choice(pids)
                    with suppress(ProcessLookupError):
                        os.kill(pid, number)
                        return pid
            time.sleep(0.05)
        raise AssertionError(f"no {role} came back:\n{self.printed()[-3000:]}")


@contextmanager
def running(plant: Plant) -> Iterator[Plant]:
    """Start a plant, and make sure that it is gone in the end."""
    try:
        plant.start()
        yield plant
    finally:
        plant.stop()


ROLES = ("redis", "child", "worker", "web")


class Nemesis(threading.Thread):
    """Hurts one part after the other until it is told to stop, then mends everything."""

    def __init__(self, plant: Plant, pause: tuple[float, float], seed: int = 0) -> None:
        super().__init__(name="nemesis", daemon=True)
        self.plant = plant
        self.pause = pause
        self.dice = random.Random(seed)
        self.failure: Exception | None = None
        self._told = threading.Event()

    def run(self) -> None:
        order: list[tuple[str, str]] = []
        try:
            while not self._told.wait(self.dice.uniform(*self.pause)):
                if not order:
                    order = [(deed, role) for deed in ("kill", "freeze") for role in ROLES]
                    self.dice.shuffle(order)
                deed, role = order.pop()
                if deed == "kill":
                    self.plant.kill(role)
                else:
                    self.plant.freeze(role, self.dice.uniform(0.2, 1.5))
        except Exception as error:
            self.failure = error

    def finish(self) -> None:
        self._told.set()
        self.join(60)
        if self.failure is not None:
            raise self.failure
