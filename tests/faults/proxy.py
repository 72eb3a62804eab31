"""A TCP proxy in front of Redis that loses replies, cuts requests in two and stalls.

A lost reply is the mean one: the server has done what was asked, and nobody is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from dataclasses import dataclass, field
from pathlib import Path

CHUNK = 65_536


@dataclass
class Mischief:
    """How often, of all chunks that pass, something happens to one."""

    lose: float = 0.0
    cut: float = 0.0
    stall: float = 0.0
    stall_seconds: float = 0.3


@dataclass
class Proxy:
    """Listens on a free port of this machine; ``mischief`` may be changed while it runs."""

    target: Path
    mischief: Mischief = field(default_factory=Mischief)
    seed: int = 0
    port: int = 0
    lost: int = 0
    cuts: int = 0
    stalls: int = 0

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", self.port)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _serve(
        self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter
    ) -> None:
        try:
            from_redis, to_redis = await asyncio.open_unix_connection(str(self.target))
        except OSError:
            to_client.close()
            return
        pumps = [
            asyncio.create_task(self._requests(from_client, to_redis)),
            asyncio.create_task(self._replies(from_redis, to_client)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            for writer in (to_client, to_redis):
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()

    async def _requests(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await source.read(CHUNK):
                if self._dice.random() < self.mischief.cut:
                    self.cuts += 1
                    sink.write(chunk[: len(chunk) // 2])
                    await sink.drain()
                    return
                sink.write(chunk)
                await sink.drain()

    async def _replies(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await source.read(CHUNK):
                drawn = self._dice.random()
                if drawn < self.mischief.lose:
                    self.lost += 1
                    return
                if drawn > 1 - self.mischief.stall:
                    self.stalls += 1
                    await asyncio.sleep(self._dice.random() * 2 * self.mischief.stall_seconds)
                sink.write(chunk)
                await sink.drain()
