"""One game of a pair: played, asked about in every way, and told as its viewers hear it."""

from __future__ import annotations

import json
import logging
import random
import re
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from flask import Flask

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.adapters.store import GRACE
from app.config import Config
from app.wiring import build_services
from domain.game.state import Game
from tests.app.http.chains import broken_at

CONFIG = Config(rate_limits="off")
SAMPLE = 3
"""Old versions and single events looked at in one survey."""
_OPAQUE = (
    (re.compile(r"sha256:[0-9a-f]{64}"), "sha256:-"),
    (re.compile(r'("(?:command|nonce)":)"[^"]*"'), r'\1"-"'),
)
_NUMBERS = re.compile(r"\b(game|ms|id)=[^ ]+")
"""What a log line has of every request alone."""
_STREAM = {"Accept": "text/event-stream"}


class Stacked:
    """Dice whose shuffles begin alike in both worlds and go on differently.

    ``alike`` counts the cards from the top that are the same.
    """

    def __init__(self, seed: str, world: int, alike: int) -> None:
        self._alike = alike
        self._common = random.Random(f"{seed} common")
        self._own = random.Random(f"{seed} {world}")

    def choice(self, options: Sequence[Any]) -> Any:
        return self._common.choice(list(options))

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        order = self._common.sample(list(items), len(items))
        rest = order[self._alike :]
        return (*order[: self._alike], *self._own.sample(rest, len(rest)))

    def nonce(self) -> str:
        return f"{self._own.getrandbits(128):032x}"


class Answer(NamedTuple):
    """What an answer lets its reader know."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str


class Line(logging.Handler):
    """Collects what the service logs."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self.thread:
            return  # listeners of other tests' services report in threads of their own
        told = _NUMBERS.sub(r"\1=-", record.getMessage())
        self.lines.append(f"{record.levelname} {record.name} {told}")


@cache
def application(number: int) -> Flask:
    """Return the application of one of the two worlds; each pair of games brings its services."""
    return create_app(CONFIG, build_services(CONFIG, MemoryStore()))


class World:
    """One of the two games: an application and a store of its own, and the tokens."""

    def __init__(self, seed: str, number: int, alike: int, monkeypatch: Any) -> None:
        self.store = MemoryStore()
        self.app = application(number)
        self.services = build_services(CONFIG, self.store)
        self.app.extensions["santorini"] = self.services
        self.client = self.app.test_client()
        self.dice = Stacked(seed, number, alike)
        self.id = ""
        self.tokens: dict[int | str, str] = {}
        self._monkeypatch = monkeypatch
        self.log = Line()

    @property
    def game(self) -> Game:
        """The whole truth."""
        game: Game = self.services.reader.read(self.id, self.tokens["host"]).snapshot.game
        return game

    def send(
        self, method: str, path: str, viewer: int | str | None, headers: Any = None, **sent: Any
    ) -> Any:
        """Send a request as a seat, the host or nobody."""
        given = dict(headers or {})
        token = self.tokens.get(viewer) if viewer is not None else None
        if token:
            given["Authorization"] = f"Bearer {token}"
        root = logging.getLogger()
        before = root.level
        root.addHandler(self.log)
        root.setLevel(logging.DEBUG)
        for module in ("games", "seats", "replay"):
            self._monkeypatch.setattr(f"app.services.{module}.SystemDice", lambda: self.dice)
        try:
            return self.client.open(path, method=method, headers=given, **sent)
        finally:
            root.removeHandler(self.log)
            root.setLevel(before)

    def post(self, suffix: str, viewer: int | str | None, body: Any = None) -> Any:
        """Send a command to the game."""
        sent = {} if body is None else {"json": body}
        return self.send("POST", f"/v1/games/{self.id}{suffix}", viewer, **sent)

    def begin(self, settings: dict[str, Any]) -> None:
        """Create the game for a host who does not play, and fill its seats."""
        created = self.send("POST", "/v1/games", None, json=settings | {"seat": None})
        assert created.status_code == 201, created.text
        self.id = created.json["game"]["id"]
        self.tokens["host"] = created.json["token"]
        game = created.json["game"]
        for _ in game["seats"]:
            joined = self.post("/seats", None)
            assert joined.status_code == 201, joined.text
            self.tokens[joined.json["seat"]] = joined.json["token"]

    def told(self, response: Any) -> Answer:
        """Return an answer without what differs between any two games."""
        left_out = {"X-Request-ID", "Date"}
        if response.mimetype == "text/csv":
            left_out.add("Content-Length")  # an opaque id may begin with a dash, quoted there
        headers = [
            (name, self._plain(value))
            for name, value in response.headers.items()
            if name not in left_out
        ]
        return Answer(response.status_code, tuple(sorted(headers)), self._plain(response.text))

    def _plain(self, text: str) -> str:
        text = text.replace(self.id, "GAME")
        for command in self._commands(text):
            text = text.replace(f",'{command},", ",-,").replace(f",{command},", ",-,")
        for pattern, blank in _OPAQUE:
            text = pattern.sub(blank, text)
        return text

    def _commands(self, text: str) -> set[str]:
        """Return the opaque ids of commands in a table."""
        if not text.startswith("game_id,"):
            return set()
        events = self.services.reader.events(self.id, self.tokens["host"], limit=None).events
        return {event.body["command"] for event in events}

    def streamed(self, viewer: int | str | None, after: int) -> str:
        """Read a stream as far as the log goes now."""
        response = self.send(
            "GET", f"/v1/games/{self.id}/events?after={after}", viewer, _STREAM, buffered=False
        )
        text, last = "", self.game.version
        for part in response.response:
            text += part.decode()
            if f"id: {last}\n" in text:
                break
        response.close()
        return self._plain(text)

    def time_out(self) -> None:
        """Let the running deadline pass while somebody watches, and apply it."""
        clock = self.game.clock
        assert clock is not None and clock.deadline is not None
        self.store.clock.advance(clock.deadline + GRACE + 1 - self.store.now())
        self.store.watch(10**12)
        self.services.clocks.expire(self.id)

    # -- all there is to see ------------------------------------------------------------------

    def survey(self, viewer: int | str | None, dice: random.Random) -> dict[str, Any]:
        """Ask every ``GET`` route that tells of games, plain and conditionally."""
        version = self.game.version
        found: dict[str, Any] = {}
        for path, headers in self._questions(version, dice):
            for method in ("GET", "HEAD") if dice.random() < 0.1 else ("GET",):
                response = self.send(method, path.replace("GAME", self.id), viewer, headers)
                found[f"{method} {path} {headers}"] = self.told(response)
                tag = response.headers.get("ETag")
                if tag and dice.random() < 0.2:
                    again = {**headers, "If-None-Match": tag}
                    same = self.send(method, path.replace("GAME", self.id), viewer, again)
                    assert same.status_code == 304
                    found[f"{method} {path} {headers} again"] = self.told(same)
        after = dice.randint(0, version - 1)
        found["stream"] = self.streamed(viewer, after)
        return found

    def _questions(self, version: int, dice: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
        old = sorted({dice.randint(1, version) for _ in range(SAMPLE)})
        for rule in self.app.url_map.iter_rules():
            path = str(rule)
            if "GET" not in (rule.methods or ()) or "/games" not in path:
                continue
            names = {name for name in rule.arguments if name != "game_id"}
            path = re.sub(r"<(?:\w+:)?game_id>", "GAME", path)
            if "version" in names:
                for number in (*old, version, version + 1):
                    yield re.sub(r"<(?:\w+:)?version>", str(number), path), {}
            elif names:
                continue
            else:
                yield path, {}
                yield from self._more(path, old, version)

    def _more(
        self, path: str, old: list[int], version: int
    ) -> Iterator[tuple[str, dict[str, str]]]:
        if path.endswith(("GAME", "board.svg", "board.txt")):
            yield from ((f"{path}?version={number}", {}) for number in (*old, version + 1))
        if path.endswith("/events"):
            yield f"{path}?after={old[0]}&limit=3", {}
            yield path, {"Accept": "application/x-ndjson"}
            yield path, {"Accept": "text/csv"}
            yield f"{path}?wait=0&after={version}", {}
        if path.endswith("/legal-turns"):
            yield f"{path}?limit=20", {}
        if path.endswith("/games"):
            yield f"{path}?status=playing&variant=duel", {}
            yield f"{path}?to_move=me", {}

    def futile(self, viewer: int, steps: Sequence[str]) -> dict[str, Any]:
        """Try what changes nothing: probes that are refused, dry runs, looks ahead."""
        before = self.game.version
        found: dict[str, Any] = {}
        lines = ["a1>e5", "e3>e4 e4^e5", "+c3", "=fate:b2", "@abyss:c3", ".", "-", "zz", ""]
        for step in steps:
            lines += [
                f"{step} a1>e5",
                f"{step} [c3~b2]",
                f"{step} [xc3]",
                f"!{step}",
                f"{step}#S1",
                f"{step}##S1",
                f"{step}#S2",
                f"{step}##S2",
                f"{step}%",
            ]
        for line in lines:
            sent = {"notation": line}
            tried = self.post("/steps?dry_run=true", viewer, sent)
            found[f"dry {line}"] = self.told(tried)
            if tried.status_code != 200:
                found[f"steps {line}"] = self.told(self.post("/steps", viewer, sent))
            asked = {"after": line}
            for route in ("legal-steps", "legal-turns"):
                path = f"/v1/games/{self.id}/{route}"
                found[f"{route} {line}"] = self.told(
                    self.send("GET", path, viewer, query_string=asked)
                )
        for step in steps:
            sent = {"notation": step}
            found[f"dry {step}"] = self.told(self.post("/steps?dry_run=true", viewer, sent))
            asked = {"after": step}
            for route in ("legal-steps", "legal-turns"):
                path = f"/v1/games/{self.id}/{route}"
                found[f"{route} {step}"] = self.told(
                    self.send("GET", path, viewer, query_string=asked)
                )
        assert self.game.version == before, "what should be futile has changed the game"
        return found


def log_of(world: World) -> list[dict[str, Any]]:
    """Return the log as a spectator reads it."""
    response = world.send("GET", f"/v1/games/{world.id}/events", None)
    events: list[dict[str, Any]] = response.json["events"]
    return events


def world_after(world: World, before: list[dict[str, Any]]) -> None:
    """Hold the log as it was read before against the log as it reads now."""
    after = log_of(world)
    for redacted, full in zip(before, after, strict=False):
        for name in ("version", "type", "seat", "actor", "cause", "hash", "prev_hash", "at"):
            assert redacted[name] == full[name]
        if redacted.get("redacted") and world.game.clock is None:
            assert "nonce" in full and "redacted" not in full


def proved(world: World) -> None:
    """Check the chain of an ended game from outside, and ask the service to."""
    log = log_of(world)
    assert log[-1]["type"] == "finished"
    assert broken_at(world.id, log) is None
    assert not any(event.get("redacted") for event in log)
    answer = world.send("GET", f"/v1/games/{world.id}/verification", None).json
    assert answer["ok"], answer
    assert answer["log_hash"] == log[-1]["hash"]
    assert "?" not in world.send("GET", f"/v1/games/{world.id}/record", None).text
    game = world.send("GET", f"/v1/games/{world.id}", None).json
    assert "?" not in json.dumps([game["seats"], game["position"], game["board"]])
    for version in (1, len(log) // 2, len(log)):
        old = world.send("GET", f"/v1/games/{world.id}?version={version}", None)
        assert "r" not in old.headers["ETag"] and "immutable" in old.headers["Cache-Control"]
