"""A whole service on a free port: `santorini up` as a child, and a way to get at its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from app.launch.claim import free_port

ROOT = Path(__file__).resolve().parents[2]


class Instance:
    """One `santorini up`; ``url`` is where it answers."""

    def __init__(self, folder: Path, port: int | None = None, **environment: str) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            name: value for name, value in os.environ.items() if name != "REDIS_URL"
        } | {
            "PORT": str(self.port),
            "SANTORINI_DATA_DIR": str(folder / "var"),
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self.log = folder / "up.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, patience: float = 60.0) -> None:
        """Start it and wait until it greets."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", "up"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + patience
        while "Santorini is served at" not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.05)

    @property
    def said(self) -> str:
        """What it has printed so far."""
        return self.log.read_text(errors="replace")

    def pids(self, role: str) -> list[int]:
        """Return the processes of a role: ``redis``, ``web`` (its workers) or ``worker``."""
        assert self.process is not None
        children = offspring(self.process.pid)
        if role == "web":
            masters = [pid for pid in children if "gunicorn" in command_of(pid)]
            return [pid for master in masters for pid in offspring(master)]
        word = {"redis": "redis-server", "worker": "worker"}[role]
        return [pid for pid in children if word in command_of(pid)]

    def kill(self, role: str) -> int:
        """Kill one process of a role with -9, as soon as there is one, and return which."""
        deadline = time.monotonic() + 10
        while not (pids := self.pids(role)):
            assert time.monotonic() < deadline, f"no {role} came back: {self.said}"
            time.sleep(0.02)
        os.kill(pids[0], signal.SIGKILL)
        return pids[0]

    def everything(self) -> list[int]:
        """Return all processes below this instance, itself included."""
        assert self.process is not None
        found = [self.process.pid]
        for pid in found:
            found += offspring(pid)
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to stop, and return its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(40)


@contextmanager
def running(instance: Instance) -> Iterator[Instance]:
    """Start an instance, and make sure that it is gone in the end."""
    instance.start()
    try:
        yield instance
    finally:
        assert instance.process is not None
        if instance.process.poll() is None:
            instance.stop()


def offspring(pid: int) -> list[int]:
    """Return the children of a process."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(word) for word in text.split()]


def command_of(pid: int) -> str:
    """Return the command line of a process, or nothing when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_for(url: str, seconds: float = 30.0) -> None:
    """Wait until a service is ready to play."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if requests.get(f"{url}/readyz", timeout=5).status_code == 200:
                return
        except requests.RequestException:
            pass
        time.sleep(0.05)
    raise AssertionError("the service did not become ready")
