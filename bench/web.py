"""A small client over HTTP that plays as it goes, for parts that do not measure throughput."""

from __future__ import annotations

import http.client
import json
import random
from typing import Any

from bench.servers import OURS, WebServer


class Server(WebServer):
    """Our web server with one process, and one connection to it."""

    def __init__(self, redis_url: str) -> None:
        super().__init__(OURS, redis_url, workers=1)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

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
        super().stop()


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
