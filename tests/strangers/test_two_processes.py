"""Two processes of one server: what is played through one is heard at once through the other."""

from __future__ import annotations

import http.client
import itertools
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.instance import Instance
from tests.strangers.tools import lacking

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("strangers")]

LONGEST = 1.0
"""Seconds an event may take on a busy machine; the bench holds the real bound."""


def process_behind(connection: http.client.HTTPConnection, pids: list[int]) -> int:
    """Return the process that holds the other end of a connection."""
    near, far = connection.sock.getsockname()[1], connection.sock.getpeername()[1]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        local, remote = (int(place.rpartition(":")[2], 16) for place in fields[1:3])
        if (local, remote) == (far, near):
            name = f"socket:[{fields[9]}]"
            break
    else:
        raise AssertionError("the connection is not there")
    for pid in pids:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                if str(link.readlink()) == name:
                    return pid
    raise AssertionError("nobody holds the connection")


@pytest.fixture
def processes(service: Instance) -> Iterator[list[list[http.client.HTTPConnection]]]:
    """Return connections to each of the two processes, two to each at least."""
    if not Path("/proc/net/tcp").exists():
        lacking("this system does not tell which process holds a connection")
    pids = service.pids("web")
    assert len(pids) == 2
    found: dict[int, list[http.client.HTTPConnection]] = {pid: [] for pid in pids}
    with ExitStack() as stack:
        for _ in range(200):
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=20)
            stack.enter_context(closing(connection))
            ask(connection, "GET", "/healthz")
            found[process_behind(connection, pids)].append(connection)
            if min(map(len, found.values())) >= 2:
                break
        yield list(found.values())


def ask(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: Any = None,
    token: str = "",
) -> Any:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status < 300, content
    return json.loads(content)


def test_each_process_hears_what_the_other_appends(
    processes: list[list[http.client.HTTPConnection]],
) -> None:
    """A step through each in turn, a stream from each: both streams bring every event, in order."""
    (one, *_), (two, *_) = processes
    streams = [connections[1] for connections in processes]
    created = ask(one, "POST", "/v1/games", {"start_seat": 1})
    path = f"/v1/games/{created['game']['id']}"
    answers = []
    for stream in streams:
        stream.request("GET", f"{path}/events", headers={"Accept": "text/event-stream"})
        answers.append(stream.getresponse())
    tokens = {1: created["token"], 2: ask(two, "POST", f"{path}/seats", {})["token"]}
    version, game, senders = 0, ask(one, "GET", path), itertools.cycle((one, two))
    while game["turn"] is not None:
        sender = next(senders)
        token = tokens[game["turn"]["seat"]]
        if game["turn"]["number"] > 3:
            game = ask(sender, "POST", f"{path}/resignation", {}, token)["game"]
        else:
            steps = ask(sender, "GET", f"{path}/legal-steps", None, token)["steps"]
            game = ask(sender, "POST", f"{path}/steps", {"steps": steps[:1]}, token)["game"]
        sent = time.monotonic()
        for answer in answers:
            version = read_to(answer, game["version"])
        assert time.monotonic() - sent < LONGEST
    log = ask(two, "GET", f"{path}/events")["events"]
    assert version == len(log)
    for answer in answers:
        assert answer.read().strip() == b""


def read_to(answer: http.client.HTTPResponse, wanted: int) -> int:
    """Read events until the one of this version, and return it."""
    while True:
        line = answer.readline()
        assert line, "the stream ended early"
        if line.startswith(b"data: "):
            event = json.loads(line[6:])
            if event["version"] == wanted:
                return wanted
