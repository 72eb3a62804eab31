"""Clients that play over HTTP as strangers would: random legal steps, safe repeats."""

from __future__ import annotations

import itertools
import random
import secrets
import time
from typing import Any

import requests

SEATS = {"duel": 2, "trio": 3, "solo4": 4, "team4_split": 4}
PATIENCE = 30.0


class Table:
    """One game and the tokens of all its seats."""

    def __init__(self, url: str, seed: int, **settings: Any) -> None:
        self.chance = random.Random(seed)
        self.session = requests.Session()
        self.games = f"{url}/v1/games"
        created = self.post(self.games, settings)
        self.url = f"{self.games}/{created['game']['id']}"
        self.tokens = {created["seat"]: created["token"]}
        self.repeats = 0

    def fill(self) -> Any:
        """Let all free seats be taken, and return the game."""
        game = self.get()
        for seat in game["seats"]:
            if seat["status"] == "free":
                joined = self.post(f"{self.url}/seats", {"seat": seat["seat"]})
                self.tokens[joined["seat"]] = joined["token"]
        return self.get()

    def get(self, path: str = "") -> Any:
        """Return the body of an answer to GET, asking again while the service is in trouble."""
        return self._ask("GET", self.url + path)

    def post(self, url: str, body: object, token: str | None = None) -> Any:
        """Send a command under a key of its own, again and again until the answer is known."""
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return self._ask("POST", url, json=body, headers=headers)

    def step(self, game: Any) -> Any:
        """Play one random legal step for the seat to act, and return the game."""
        seat = game["turn"]["seat"]
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        legal = self._ask("GET", f"{self.url}/legal-steps", headers=headers)["steps"]
        steps = {"steps": [self.chance.choice(legal)]}
        return self.post(f"{self.url}/steps", steps, self.tokens[seat])["game"]

    def play(self, steps: int = 1_000) -> Any:
        """Play random legal steps until the game ends or so many were played."""
        game = self.get()
        for _ in range(steps):
            if game["turn"] is None:
                break
            game = self.step(game)
        return game

    def events(self) -> list[Any]:
        """Return the whole log."""
        return list(self._pages())

    def _pages(self) -> Any:
        after = 0
        while page := self.get(f"/events?after={after}")["events"]:
            yield from page
            after = page[-1]["version"]

    def _ask(self, method: str, url: str, **more: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.session.request(method, url, timeout=10, **more)
                if answer.status_code < 500:
                    break
                assert answer.status_code == 503, answer.text
                assert "Retry-After" in answer.headers
            except requests.RequestException:
                pass
            assert time.monotonic() < deadline, "the service stayed away"
            self.repeats = getattr(self, "repeats", 0) + 1
            time.sleep(0.1)
        assert answer.ok, f"{method} {url}: {answer.status_code} {answer.text}"
        return answer.json()


def check_log(table: Table, game: Any) -> None:
    """Hold a game's log against what every log must be: gapless, chained, provable."""
    events = table.events()
    assert [event["version"] for event in events] == list(range(1, game["version"] + 1))
    assert len({event["hash"] for event in events}) == len(events)
    for before, after in itertools.pairwise(events):
        assert after["prev_hash"] == before["hash"]
    assert events[-1]["hash"] == game["log_hash"]
    proof = table.get("/verification")
    assert proof["ok"], proof
    assert proof["version"] == game["version"]
