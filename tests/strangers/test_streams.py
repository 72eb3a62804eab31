"""A browser and curl follow games from the first event to the last, over a line that is cut."""

from __future__ import annotations

import json
import queue
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any

import pytest

from tests.end_to_end.instance import Instance
from tests.strangers.duel import Duel
from tests.strangers.line import Line
from tests.strangers.tools import NODE_MODULES, ROOT, browser, lacking, node_tools

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("strangers")]

FOLLOW = Path(__file__).parent / "browser" / "follow.mjs"
GUIDE = (ROOT / "app" / "http" / "pages" / "guide.html").read_text(encoding="utf-8")


class Follower:
    """A program that prints what it hears, a line at a time."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            self._lines.put(text)
        self._lines.put(None)

    def lines(self) -> Iterator[str]:
        """Yield lines until the program ends."""
        while (text := self._lines.get(timeout=60)) is not None:
            yield text


@contextmanager
def following(command: Sequence[str], folder: Path) -> Iterator[Follower]:
    follower = Follower(command, folder)
    try:
        yield follower
    finally:
        follower.process.kill()
        follower.process.communicate()


def events_in(lines: Iterator[str]) -> Iterator[Any]:
    """Yield the events of a stream as curl prints it."""
    for text in lines:
        if text.startswith("data: "):
            yield json.loads(text[6:])


def up_to(version: int, events: Iterator[Any]) -> list[Any]:
    """Take events until one of this version."""
    found = []
    for event in events:
        found.append(event)
        if event["version"] >= version:
            break
    return found


def play_and_cut(duel: Duel, line: Line, events: Iterator[Any]) -> list[Any]:
    """Play a game to its end while it is followed; cut the line twice."""
    heard = up_to(duel.version, events)
    duel.join()
    duel.step(4)
    heard += up_to(duel.version, events)
    line.cut()
    duel.step(2)
    heard += up_to(duel.version, events)
    line.cut()
    duel.step(2)
    duel.resign()
    return heard + list(events)


def example() -> str:
    """Return the code for browsers that the guide shows."""
    (found,) = re.findall(r'<pre data-run="browser">(.*?)</pre>', GUIDE, re.DOTALL)
    return unescape(found)


def event_types() -> list[str]:
    """Return the types of event that the guide's example listens for."""
    found = re.search(r"const TYPES = \[(.*?)\]", example(), re.DOTALL)
    assert found is not None
    return re.findall(r'"(\w+)"', found[1])


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_browser_follows_a_game(
    service: Instance, line: Line, visibility: str, tmp_path: Path
) -> None:
    """A public game by EventSource alone, a private one with tickets as the guide shows."""
    node_tools()
    duel = Duel(service.url, visibility=visibility, start_seat=1)
    token = duel.tokens[1] if visibility == "private" else None
    given = {"game": duel.id, "token": token, "example": example(), "types": event_types()}
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    (tmp_path / FOLLOW.name).write_text(FOLLOW.read_text())
    command = ["node", FOLLOW.name, browser(), f"{line.url}/docs/guide", json.dumps(given)]
    with following(command, tmp_path) as follower:
        heard = play_and_cut(duel, line, map(json.loads, follower.lines()))
        assert follower.process.wait(30) == 0, follower.process.communicate()[1]
    assert heard == duel.log()
    assert heard[-1]["type"] == "finished"


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_curl_follows_a_game(
    service: Instance, line: Line, visibility: str, tmp_path: Path
) -> None:
    """Told where it was by Last-Event-ID after each cut."""
    if which("curl") is None:
        lacking("curl is not installed")
    duel = Duel(service.url, visibility=visibility, start_seat=1)
    headers = ["-H", "Accept: text/event-stream"]
    if visibility == "private":
        headers += ["-H", f"Authorization: Bearer {duel.tokens[1]}"]

    def events() -> Iterator[Any]:
        last, code = 0, None
        while code != 0:
            command = ["curl", "-sN", f"{line.url}{duel.path}/events", *headers]
            with following([*command, "-H", f"Last-Event-ID: {last}"], tmp_path) as curl:
                for event in events_in(curl.lines()):
                    last = event["version"]
                    yield event
                code = curl.process.wait(30)

    heard = play_and_cut(duel, line, events())
    assert heard == duel.log()
    assert heard[-1]["type"] == "finished"
    assert line.calls == 3


def test_a_ticket_opens_one_stream_of_a_private_game(service: Instance, tmp_path: Path) -> None:
    """What a browser does, in curl; the second time the ticket is worth nothing."""
    if which("curl") is None:
        lacking("curl is not installed")
    duel = Duel(service.url, visibility="private", start_seat=1)
    ticket = duel.ticket(1)
    address = f"{service.url}{duel.path}/events?ticket={ticket}"
    command = ["curl", "-sN", address, "-H", "Accept: text/event-stream"]
    with following(command, tmp_path) as curl:
        duel.join()
        duel.resign()
        assert list(events_in(curl.lines())) == duel.log()
    with following([*command, "-o", "/dev/null", "-w", "%{http_code}"], tmp_path) as curl:
        assert list(curl.lines()) == ["401"]
