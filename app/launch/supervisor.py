"""Redis, web server and workers as one thing that starts, stays up and stops."""

from __future__ import annotations

import contextlib
import ipaddress
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import IO

from msgspec import Struct

from app.launch import claim, process, reach
from app.launch.private_redis import PrivateRedis
from app.launch.trouble import LaunchError

READY_PATIENCE = 60.0
STOP_PATIENCE = 10.0
"""Seconds that web server and workers get to finish what they are doing."""
POLL = 0.05
FALLS = 5
FALL_WINDOW = 60.0
"""A program that falls more than ``FALLS`` times in this many seconds is not started again."""


class Plan(Struct, frozen=True):
    """What to start: the address, where the games live, and how many workers."""

    host: str
    port: int
    folder: Path
    redis_url: str | None = None
    workers: int = 1
    quiet: bool = False

    @property
    def url(self) -> str:
        """Return the address to call the service at."""
        with contextlib.suppress(ValueError):
            if ipaddress.ip_address(self.host).is_unspecified:
                return f"http://127.0.0.1:{self.port}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


class Program(Struct):
    """One command that is kept running."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    falls: tuple[float, ...] = ()

    def start(self, log: Path | None) -> None:
        """Start it, or start it again."""
        self.process = process.start(self.command, self.environment, log)

    def fallen(self) -> bool:
        """Say whether it was started and has ended."""
        return self.process is not None and self.process.poll() is not None

    def hopeless(self, now: float) -> bool:
        """Note a fall at ``now`` (monotonic seconds), and say whether there were too many."""
        self.falls = (*(fall for fall in self.falls if now - fall < FALL_WINDOW), now)
        return len(self.falls) > FALLS


class Supervisor:
    """Everything one instance consists of. ``start`` it, ``watch`` it, ``stop`` it."""

    def __init__(self, plan: Plan, say: Callable[[str], None]) -> None:
        self.plan = plan
        self.say = say
        self.redis: PrivateRedis | None = None
        self.programs: list[Program] = []
        self._lock: IO[str] | None = None
        self.asked_to_stop = False
        """Whether a signal has come; then nothing more is started or waited for."""

    @property
    def redis_url(self) -> str:
        """Return where the games are kept."""
        if self.redis is not None:
            return self.redis.url
        return self.plan.redis_url or ""

    def start(self) -> None:
        """Start everything and wait until it is ready to play.

        Raises:
            LaunchError: the port or the folder is taken, or something does not come up;
                what had been started is stopped again.
        """
        try:
            self._claim()
            self._start_redis()
            self._start_web()
            self._wait_until_ready()
            self._start_workers()
        except BaseException:
            self.stop()
            raise

    def watch(self) -> None:
        """Start again what falls, until SIGINT or SIGTERM asks to stop.

        Raises:
            LaunchError: a program falls again and again.
        """
        while not self.asked_to_stop:
            self._raise_the_fallen()
            time.sleep(POLL)

    def stop(self) -> None:
        """Stop web server and workers, then Redis; nothing of ours runs afterwards."""
        running = [program.process for program in self.programs if program.process is not None]
        for started in running:
            if started.poll() is None:
                started.terminate()
        deadline = time.monotonic() + STOP_PATIENCE
        for started in running:
            process.stop(started, max(0.1, deadline - time.monotonic()))
        self.programs.clear()
        if self.redis is not None:
            self.redis.stop()
            self.redis = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def obey_signals(self) -> None:
        """Let SIGINT, SIGTERM and SIGHUP end ``watch``; a second one is not heard."""

        def ask(number: int, frame: FrameType | None) -> None:
            self.asked_to_stop = True

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, ask)

    def _claim(self) -> None:
        """Claim the folder, then the port: who started the service twice learns of that."""
        if not self.plan.redis_url:
            self._lock = claim.claim_folder(self.plan.folder, self.plan.url)
        claim.check_port(self.plan.host, self.plan.port)

    def _start_redis(self) -> None:
        if self.plan.redis_url:
            self._wait_for_redis(self.plan.redis_url)
            return
        self.redis = PrivateRedis(self.plan.folder)
        self.redis.start()

    def _wait_for_redis(self, url: str) -> None:
        """Wait until somebody else's Redis answers; it may be starting, too.

        Raises:
            LaunchError: it does not come.
        """
        deadline = time.monotonic() + READY_PATIENCE
        told = False
        while (trouble := reach.silence(url)) and not self.asked_to_stop:
            if time.monotonic() > deadline:
                raise LaunchError(f"The Redis at REDIS_URL cannot be used: {trouble}")
            if not told:
                self.say(f"Waiting for the Redis at REDIS_URL: {trouble}")
                told = True
            time.sleep(0.5)

    def _start_web(self) -> None:
        self._start("web", "web")

    def _start_workers(self) -> None:
        """Start the workers once the web answers: people wait for it, and deadlines can."""
        if self.asked_to_stop:
            return
        for number in range(1, self.plan.workers + 1):
            self._start(f"worker-{number}", "worker")

    def _start(self, name: str, role: str) -> None:
        environment = {
            "REDIS_URL": self.redis_url,
            "SANTORINI_HOST": self.plan.host,
            "PORT": str(self.plan.port),
        }
        program = Program(name, (sys.executable, "-m", "app.cli", role), environment)
        self.programs.append(program)
        program.start(self._log(program))

    def _log(self, program: Program) -> Path | None:
        if not self.plan.quiet:
            return None
        self.plan.folder.mkdir(parents=True, exist_ok=True)
        return self.plan.folder / f"{program.name}.log"

    def _end(self, program: Program) -> str:
        """Return the end of a program's log, where it has one of its own."""
        log = self._log(program)
        if log is None or not log.exists():
            return ""
        return "\n  ".join(["", *log.read_text(errors="replace").splitlines()[-8:]])

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_PATIENCE
        while (trouble := _not_ready(self.plan.url)) and not self.asked_to_stop:
            self._raise_the_fallen()
            if time.monotonic() > deadline:
                raise LaunchError(f"The service does not become ready: {trouble}")
            time.sleep(POLL)

    def _raise_the_fallen(self) -> None:
        if self.redis is not None and self.redis.fallen():
            self.say("Redis ended; starting it again.")
            self.redis.start()
        for program in self.programs:
            if program.fallen() and not self.asked_to_stop:
                self._raise(program)

    def _raise(self, program: Program) -> None:
        code = program.process.returncode if program.process else None
        if program.hopeless(time.monotonic()):
            raise LaunchError(
                f"{program.name} does not stay up (exit code {code}).{self._end(program)}"
            )
        self.say(f"{program.name} ended (exit code {code}); starting it again.")
        if program.process is not None:
            process.kill_group(program.process)
        time.sleep(0.2 * len(program.falls))
        program.start(self._log(program))


def _not_ready(url: str) -> str:
    """Return why a service is not ready to play, or nothing when it is."""
    try:
        # The address is our own server's, http on loopback: no other scheme can get here (S310).
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:  # noqa: S310  # nosec B310
            return "" if answer.status == 200 else f"it answers {answer.status}"
    except urllib.error.HTTPError as error:
        return f"{error.code}: {error.read(2000).decode(errors='replace')}"
    except OSError as error:
        return str(error)


def answers(url: str) -> bool:
    """Say whether a service at this address is ready to play."""
    return not _not_ready(url)
