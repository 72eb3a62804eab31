"""HTTP: a turn and a state, beside the barest endpoint with the same gunicorn settings."""

from __future__ import annotations

import http.client
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from app.launch import claim, process
from app.launch.private_redis import PrivateRedis
from bench.measure import Figure, at_most, medians, seconds

TURNS = 300
READS = 1_000
WARM = 20


class Server:
    """A WSGI application under gunicorn, and one connection to it."""

    def __init__(self, application: str, redis_url: str) -> None:
        self.port = claim.free_port()
        settings = "python:app.launch.gunicorn_conf"
        command = [sys.executable, "-m", "gunicorn", "--config", settings, application]
        environment = {"PORT": str(self.port), "REDIS_URL": redis_url, "WEB_CONCURRENCY": "1"}
        self.process = process.start(command, environment, Path(os.devnull))
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                self.connection.connect()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise SystemExit("a server did not start")

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
        """Return status and content of an answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def stop(self) -> None:
        """End it."""
        self.connection.close()
        process.stop(self.process, 5)


class Player:
    """Plays games without an end in sight, one turn a call."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.chance = random.Random(1)
        self.new_game()

    def new_game(self) -> None:
        """Open a game and join it."""
        body = {"placement": "recommended", "start_seat": 1}
        created = json.loads(self.server.ask("POST", "/v1/games", body)[1])
        self.path = f"/v1/games/{created['game']['id']}"
        joined = json.loads(self.server.ask("POST", f"{self.path}/seats", {})[1])
        self.tokens = {created["seat"]: created["token"], joined["seat"]: joined["token"]}
        self.game = joined["game"]

    def choose(self) -> list[Any]:
        """Return a turn that does not end the game, in a new game if need be."""
        while True:
            if self.game["turn"] is not None:
                listed = json.loads(self.server.ask("GET", f"{self.path}/legal-turns")[1])
                quiet = [turn["steps"] for turn in listed["turns"] if not turn["winners"]]
                if quiet:
                    return list(self.chance.choice(quiet))
            self.new_game()

    def play(self, steps: list[Any]) -> None:
        """Send a turn."""
        token = self.tokens[self.game["turn"]["seat"]]
        status, content = self.server.ask("POST", f"{self.path}/steps", {"steps": steps}, token)
        assert status == 201, content
        self.game = json.loads(content)["game"]


def figures() -> list[Figure]:
    """Measure both servers in turns, one request at a time."""
    with tempfile.TemporaryDirectory() as folder:
        redis_server = PrivateRedis(Path(folder))
        redis_server.start()
        ours = Server("app:create_app()", redis_server.url)
        bare = Server("bench.bare:app", redis_server.url)
        try:
            return [*_turns(ours, bare), *_reads(ours, bare)]
        finally:
            ours.stop()
            bare.stop()
            redis_server.stop()


def _turns(ours: Server, bare: Server) -> list[Figure]:
    player, samples, version = Player(ours), [], 0
    plain = {"steps": [{"type": "move", "from": "b1", "to": "b2"},
                       {"type": "build", "from": "b2", "at": "b3"}]}  # fmt: skip
    for _ in range(WARM + TURNS):
        steps = player.choose()
        pair = (
            seconds(lambda steps=steps: player.play(steps)),
            seconds(lambda at=version: bare.ask("POST", f"/g/{at}", plain)),
        )
        version += 2
        samples.append(pair)
    mine, theirs = medians(samples[WARM:])
    return [
        Figure("a turn over HTTP", mine * 1_000, "ms"),
        Figure("the bare append over HTTP", theirs * 1_000, "ms"),
        at_most("a turn, to the bare append", mine / theirs, "times", 3),
    ]


def _reads(ours: Server, bare: Server) -> list[Figure]:
    path = Player(ours).path
    bare.ask("PUT", "/state", json.loads(ours.ask("GET", path)[1]))
    samples = [
        (seconds(lambda: ours.ask("GET", path)), seconds(lambda: bare.ask("GET", "/state")))
        for _ in range(WARM + READS)
    ]
    mine, theirs = medians(samples[WARM:])
    return [
        Figure("a state over HTTP", mine * 1_000, "ms"),
        Figure("the bare JSON over HTTP", theirs * 1_000, "ms"),
        at_most("a state, to the bare JSON", mine / theirs, "times", 2),
    ]
