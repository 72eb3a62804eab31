"""A Redis Cluster and a Sentinel pair, started from the one ``redis-server`` program."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.servers import DURABLE, HIGHEST_CLUSTER_PORT, RedisServer, free_port

SLOTS = 16_384
NAME = "games"
PROMPT = ("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
CLUSTERED = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000")


def require_server() -> None:
    """Skip, saying so, where there is no server program."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not on PATH: cluster and Sentinel cannot be started here")


def until(claim: Callable[[], Any], seconds: float = 20) -> Any:
    """Wait for something to become true and return it; trouble on the way counts as not yet."""
    end, found = time.monotonic() + seconds, None
    while not found:
        assert time.monotonic() < end, "it did not happen in time"
        with suppress(redis.RedisError, OSError):
            found = claim()
        time.sleep(0.02)
    return found


class Cluster:
    """Three primaries that share the slots, and perhaps a replica of each."""

    def __init__(self, nodes: list[RedisServer], ports: list[int]) -> None:
        self.nodes, self.ports = nodes, ports
        self.clients = [redis.Redis(port=port, decode_responses=True) for port in ports]
        self.ids = [client.execute_command("CLUSTER MYID") for client in self.clients]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def owner(self, slot: int) -> int:
        """Return the number of the node that keeps a slot, as that node has it."""
        found = (self._keeps(number, slot) for number in range(len(self.nodes)))
        return next(number for number, keeps in enumerate(found) if keeps)

    def _keeps(self, number: int, slot: int) -> bool:
        """Say whether a node says of itself that it keeps a slot; a dead one does not."""
        try:
            slots = self.clients[number].cluster("SLOTS")
        except redis.ConnectionError:
            return False
        return any(
            first <= slot <= last and home[1] == self.ports[number]
            for first, last, home, *_ in slots
        )

    def form(self) -> None:
        """Hand out the slots, introduce everybody to everybody, and wait for agreement."""
        for number, client in enumerate(self.clients):
            if number < 3:
                first, end = SLOTS * number // 3, SLOTS * (number + 1) // 3
                client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
                client.execute_command("CLUSTER ADDSLOTS", *range(first, end))
            for port in self.ports[:number]:
                client.execute_command("CLUSTER MEET", "127.0.0.1", port)
        for client in self.clients:
            until(lambda client=client: client.cluster("INFO")["cluster_state"] == "ok")
            until(lambda client=client: len(client.cluster("SLOTS")) == 3)
        for number, client in enumerate(self.clients[3:]):
            master = self.ids[number]
            until(lambda c=client, m=master: c.execute_command("CLUSTER REPLICATE", m))
            until(lambda c=client: c.info("replication").get("master_link_status") == "up")
        for client in self.clients:
            until(lambda c=client: sum(map(len, c.cluster("SLOTS"))) - 6 == len(self.nodes))

    def move(self, slot: int, to: int) -> None:
        """Give a slot with all its keys to another node."""
        origin, goal = self.clients[self.owner(slot)], self.clients[to]
        goal.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", self.ids[self.owner(slot)])
        origin.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", self.ids[to])
        while keys := origin.execute_command("CLUSTER GETKEYSINSLOT", slot, 100):
            origin.execute_command(
                "MIGRATE", "127.0.0.1", self.ports[to], "", 0, 5000, "KEYS", *keys
            )
        for client in (goal, origin, *self.clients):
            client.execute_command("CLUSTER SETSLOT", slot, "NODE", self.ids[to])


@contextmanager
def cluster(folder: Path, *, replicas: bool = False) -> Iterator[Cluster]:
    """Run three primaries with durable settings, in words that Redis 6.2 knows."""
    require_server()
    options = (*DURABLE, *PROMPT, *CLUSTERED)
    with ExitStack() as stack:
        nodes, ports = [], []
        for number in range(6 if replicas else 3):
            ports.append(next(p for p in iter(free_port, 0) if p < HIGHEST_CLUSTER_PORT))
            node = RedisServer(folder / f"node-{number}", *options, port=ports[-1])
            stack.callback(node.kill)
            node.start()
            nodes.append(node)
        one = Cluster(nodes, ports)
        for client in one.clients:
            stack.callback(client.close)
        one.form()
        yield one


class Pair:
    """A primary, its replica, and two sentinels that watch them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [free_port(), free_port()]
        self.sentinels = [free_port(), free_port()]
        self.servers = [
            RedisServer(folder / "one", *DURABLE, *PROMPT, port=self.ports[0]),
            RedisServer(
                folder / "two", *DURABLE, *PROMPT, "--replicaof", "127.0.0.1", str(self.ports[0]),
                port=self.ports[1],
            ),
        ]  # fmt: skip
        self._watchers: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        return f"redis+sentinel://{hosts}/{NAME}"

    def start(self) -> None:
        for server in self.servers:
            server.start()
        with redis.Redis(port=self.ports[1]) as replica:
            until(lambda: replica.info("replication")["master_link_status"] == "up")
        for port in self.sentinels:
            self._watchers.append(self._watch(port))
        for port in self.sentinels:
            with redis.Redis(port=port, decode_responses=True) as client:
                until(lambda client=client: self._knows_all(client))

    def _watch(self, port: int) -> subprocess.Popen[bytes]:
        file = self.folder / f"sentinel-{port}.conf"
        file.write_text(
            f"port {port}\ndir {self.folder}\n"
            f"sentinel monitor {NAME} 127.0.0.1 {self.ports[0]} 1\n"
            f"sentinel down-after-milliseconds {NAME} 500\n"
            f"sentinel failover-timeout {NAME} 3000\n"
        )
        with (self.folder / f"sentinel-{port}.log").open("ab") as log:
            return subprocess.Popen(
                ["redis-server", str(file), "--sentinel"], stdout=log, stderr=log
            )

    @staticmethod
    def _knows_all(client: redis.Redis) -> bool:
        told = client.sentinel_masters()[NAME]
        return bool(told["num-slaves"] == 1 and told["num-other-sentinels"] == 1)

    def rejoin(self, number: int) -> None:
        """Start a former primary as a replica from its first moment on.

        As a primary it would answer from the past until the sentinels notice, ten seconds later.
        """
        origin = ("127.0.0.1", str(self.ports[1 - number]))
        self.servers[number] = RedisServer(
            self.servers[number].folder, *DURABLE, "--replicaof", *origin, port=self.ports[number]
        )
        self.servers[number].start()

    def primary(self) -> int:
        """Return the number of the server that the sentinels call the primary."""
        with redis.Redis(port=self.sentinels[0], decode_responses=True) as client:
            return self.ports.index(int(client.sentinel_get_master_addr_by_name(NAME)[1]))

    def stop(self) -> None:
        for watcher in self._watchers:
            watcher.kill()
            watcher.wait()
        for server in self.servers:
            server.kill()


@contextmanager
def sentinel_pair(folder: Path) -> Iterator[Pair]:
    """Run a replicated Redis under two sentinels."""
    require_server()
    folder.mkdir(parents=True, exist_ok=True)
    pair = Pair(folder)
    try:
        pair.start()
        yield pair
    finally:
        pair.stop()
