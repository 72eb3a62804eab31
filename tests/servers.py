"""Real Redis servers for tests: started on a Unix socket or a free port, killed at the end."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis

DURABLE = (
    "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction",
    "--aof-load-truncated", "no", "--save", "",
)  # fmt: skip

HIGHEST_CLUSTER_PORT = 55_535
"""A cluster node also listens 10,000 ports higher."""


class RedisServer:
    """A redis-server process of a test's own; ``kill`` is kill -9, ``start`` brings it back."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.socket = folder / "r.sock"
        self.url = f"unix://{self.socket}"
        self._options = (*options, "--port", str(port), "--loglevel", "warning")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["redis-server", "--dir", str(self.folder), "--unixsocket", str(self.socket)]
        with (self.folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen([*command, *self._options], stdout=log, stderr=log)
        with redis.Redis.from_url(self.url) as client:
            for _ in range(500):
                with suppress(redis.RedisError, OSError):
                    if client.ping():
                        return
                time.sleep(0.01)
        raise AssertionError((self.folder / "redis.log").read_text())

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self, frozen: bool) -> None:
        assert self._process is not None
        self._process.send_signal(19 if frozen else 18)


def free_port() -> int:
    """Return a TCP port that is free at this moment."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def redis_server(folder: Path, *options: str) -> Iterator[RedisServer]:
    """Run a server with the durable settings, or with the options given."""
    server = RedisServer(folder, *(options or DURABLE))
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def redis_cluster(folder: Path) -> Iterator[RedisServer]:
    """Run one server in cluster mode that holds all slots, with words that Redis 6.2 knows."""
    port = next(port for port in iter(free_port, 0) if port < HIGHEST_CLUSTER_PORT)
    options = ("--cluster-enabled", "yes", "--save", "", "--appendonly", "no")
    server = RedisServer(folder, *options, port=port)
    try:
        server.start()
        with redis.Redis.from_url(server.url) as client:
            client.execute_command("CLUSTER ADDSLOTS", *range(16_384))
            while client.cluster("info")["cluster_state"] != "ok":
                time.sleep(0.02)
        yield server
    finally:
        server.kill()
