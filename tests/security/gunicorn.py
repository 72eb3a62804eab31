"""Real gunicorn on loopback, as the service starts it, and clients that keep no rules."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from app.launch.claim import free_port
from tests.servers import RedisServer, redis_server

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ("-m", "gunicorn", "--config", "python:app.launch.gunicorn_conf")


class Said(NamedTuple):
    """One answer, read to the end of the connection."""

    status: int
    headers: dict[str, str]
    body: bytes


class Web:
    """One gunicorn with a Redis of its own."""

    application = "app:create_app()"

    def __init__(self, folder: Path, redis: RedisServer, **environ: str) -> None:
        self.port, self.redis, self.log = free_port(), redis, folder / "web.log"
        self.environ = os.environ | {
            "PORT": str(self.port),
            "REDIS_URL": redis.url,
            "WEB_CONCURRENCY": "1",
            "SANTORINI_WEB_THREADS": "8",
            **environ,
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def logged(self) -> str:
        return self.log.read_text(errors="replace")

    @contextmanager
    def running(self) -> Iterator[Web]:
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *COMMAND, self.application],
                cwd=ROOT,
                env=self.environ,
                stdout=log,
                stderr=log,
            )
        self.process = process
        try:
            self._wait(process)
            yield self
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        for _ in range(400):
            assert process.poll() is None, self.logged
            try:
                if self.ask("GET /healthz HTTP/1.1").status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError(self.logged)

    def connect(self, timeout: float = 5.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def ask(self, line: str, *headers: str, body: bytes = b"") -> Said:
        """Send a request line and headers as they are, and read what comes."""
        head = "\r\n".join([line, "Host: x", "Connection: close", *headers, "", ""])
        return self.raw(head.encode("latin-1") + body)

    def raw(self, data: bytes, timeout: float = 5.0) -> Said:
        """Send bytes, stop sending, and read one answer."""
        with self.connect(timeout) as one:
            try:
                one.sendall(data)
                one.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has answered and hung up already
            return read(one)


def read(one: socket.socket) -> Said:
    """Read an answer up to the end of the connection; status 0 when there is none."""
    data = b""
    while part := one.recv(65536):
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    if not head:
        return Said(0, {}, b"")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return Said(int(first.split()[1]), {k.title(): v.strip() for k, _, v in pairs}, body)


@contextmanager
def web(folder: Path, **environ: str) -> Iterator[Web]:
    """Run gunicorn on a Redis server of its own."""
    with redis_server(folder / "redis") as redis, Web(folder, redis, **environ).running() as one:
        yield one
