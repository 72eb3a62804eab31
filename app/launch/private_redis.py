"""A Redis of our own in the data folder, set so that nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import tempfile
import time
from pathlib import Path

import redis

from app.launch import binaries, process
from app.launch.trouble import LaunchError

LONGEST_SOCKET_PATH = 100
"""Bytes: the kernel's limit for the path of a Unix socket, with a little to spare."""
START_PATIENCE = 60.0
"""Seconds a server may take to load yesterday's games."""
STOP_PATIENCE = 20.0

DURABLE = {
    "port": "0",
    "appendonly": "yes",
    "appendfsync": "always",
    "aof-load-truncated": "no",
    "maxmemory-policy": "noeviction",
    "save": "",
    "databases": "1",
    "daemonize": "no",
    "unixsocketperm": "700",
}
"""The settings readiness insists on, reachable by nobody but us."""


def socket_path(folder: Path) -> Path:
    """Return where the server of a data folder listens: inside it, unless its path is too long."""
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"santorini-{os.getuid()}-{name}" / "redis.sock"


def _own(folder: Path) -> None:
    """Make a folder that is ours alone; one of somebody else's could listen in."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.getuid() not in (0, folder.stat().st_uid):
        raise LaunchError(f"{folder} belongs to another user.")


class PrivateRedis:
    """The Redis of one data folder; at most one runs at a time, held by the folder's lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.socket = socket_path(self.folder)
        self.log = self.folder / "redis.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the address for redis-py and RQ."""
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start the server and wait until yesterday's games are loaded.

        Raises:
            LaunchError: no server program, one older than the data, a folder that is not ours,
                or it does not come up.
        """
        server = binaries.find_server()
        for folder in (self.folder, self.socket.parent):
            _own(folder)
        self._refuse_older(binaries.version_of(server))
        self._clear_away()
        self.process = process.start(self.command(server), log=self.log)
        self._wait()

    def stop(self) -> None:
        """Stop the server; what it acknowledged is on the disk already."""
        if self.process is not None:
            process.stop(self.process, STOP_PATIENCE)
            self.process = None
        self.socket.unlink(missing_ok=True)

    def running(self) -> bool:
        """Say whether a server answers at this folder's socket, whoever started it."""
        if not self.socket.exists():
            return False
        client = redis.Redis.from_url(self.url, socket_timeout=1.0, retry=None)
        with contextlib.closing(client):
            return self._answers(client)

    def fallen(self) -> bool:
        """Say whether the server was started and has ended."""
        return self.process is not None and self.process.poll() is not None

    def command(self, server: Path) -> list[str | Path]:
        """Return the command line: the durable settings and no configuration file."""
        options: list[str | Path] = [server]
        settings = {"dir": str(self.folder), "unixsocket": str(self.socket)} | DURABLE
        for name, value in settings.items():
            options += [f"--{name}", value]
        return options

    def _refuse_older(self, version: binaries.Version) -> None:
        """Remember the newest server that wrote here; an older one would not see its files."""
        note = self.folder / "redis.version"
        known = note.read_text().strip() if note.exists() else ""
        written = tuple(int(part) for part in known.split(".") if part.isdigit())
        if version[:2] < written[:2]:
            raise LaunchError(
                f"The games in {self.folder} were written by Redis {known}; the server found here "
                f"is {'.'.join(map(str, version))} and could not read them. "
                "Install the newer one, or choose another folder: SANTORINI_DATA_DIR=..."
            )
        note.write_text(".".join(map(str, version)) + "\n")

    def _clear_away(self) -> None:
        """End a server that an earlier launcher left behind, and drop a stale socket."""
        if not self.socket.exists():
            return
        client = redis.Redis.from_url(self.url, socket_timeout=STOP_PATIENCE, retry=None)
        with contextlib.suppress(redis.RedisError), contextlib.closing(client):
            client.shutdown()
        self.socket.unlink(missing_ok=True)

    def _wait(self) -> None:
        client = redis.Redis.from_url(self.url, socket_timeout=1.0, retry=None)
        deadline = time.monotonic() + START_PATIENCE
        try:
            while not self._answers(client):
                if self.process is not None and self.process.poll() is not None:
                    raise LaunchError(self._complaint("Redis stopped as soon as it was started"))
                if time.monotonic() > deadline:
                    self.stop()
                    raise LaunchError(self._complaint("Redis does not answer"))
                time.sleep(0.02)
        finally:
            client.close()

    @staticmethod
    def _answers(client: redis.Redis) -> bool:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False

    def _complaint(self, what: str) -> str:
        last = self.log.read_text(errors="replace").splitlines()[-8:] if self.log.exists() else []
        lines = "\n  ".join(last)
        return f"{what}. The end of {self.log}:\n  {lines}\nSee docs/operations.md, 'Redis'."
