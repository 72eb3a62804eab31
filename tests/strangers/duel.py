"""A duel between two players whom somebody follows."""

from __future__ import annotations

import random
from typing import Any

import requests


class Duel:
    """A game and the tokens of its seats; plays whole random turns."""

    def __init__(self, url: str, **settings: Any) -> None:
        self._chance = random.Random(7)
        created = self._ask("POST", f"{url}/v1/games", None, settings)
        self.id = created["game"]["id"]
        self.path = f"/v1/games/{self.id}"
        self._url = f"{url}{self.path}"
        self.tokens = {created["seat"]: created["token"]}
        self._invite = {"invite": created["invite"]} if "invite" in created else {}
        self.game = created["game"]

    def _ask(self, method: str, url: str, token: str | None = None, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = requests.request(method, url, headers=headers, json=body, timeout=20)
        assert answer.ok, answer.text
        return answer.json()

    @property
    def version(self) -> int:
        return int(self.game["version"])

    def join(self) -> None:
        joined = self._ask("POST", f"{self._url}/seats", None, self._invite)
        self.tokens[joined["seat"]] = joined["token"]
        self.game = joined["game"]

    def step(self, count: int = 1) -> None:
        """Play random legal steps."""
        for _ in range(count):
            token = self.tokens[self.game["turn"]["seat"]]
            steps = self._ask("GET", f"{self._url}/legal-steps", token)["steps"]
            body = {"steps": [self._chance.choice(steps)]}
            self.game = self._ask("POST", f"{self._url}/steps", token, body)["game"]

    def resign(self) -> None:
        token = self.tokens[self.game["turn"]["seat"]]
        self.game = self._ask("POST", f"{self._url}/resignation", token, {})["game"]

    def ticket(self, seat: int) -> str:
        return str(self._ask("POST", f"{self._url}/tickets", self.tokens[seat], {})["ticket"])

    def log(self) -> list[Any]:
        return list(self._ask("GET", f"{self._url}/events", self.tokens[1])["events"])
