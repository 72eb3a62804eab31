"""Clients over HTTP that keep a history of what they were told."""

from __future__ import annotations

import random
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import requests

from app.services import Submission
from app.services.tokens import command_id

PATIENCE = 5.0
"""Seconds after which a client stops waiting for an answer: it is unknown then."""
SETTLED = 90.0
"""Seconds after which an unknown answer must have become known."""


@dataclass
class Command:
    """One command: what it asked under which key, and what was answered in the end."""

    url: str
    body: Any
    key: str
    token: str | None
    status: int = 0
    answer: Any = None
    unknown: int = 0

    @property
    def path(self) -> str:
        return "/" + self.url.split("/", 3)[3]

    @property
    def id(self) -> str:
        """The id of the command in the log."""
        return command_id(Submission(self.path, self.key), self.token)


@dataclass
class Story:
    """What all clients saw; shared by their threads."""

    commands: list[Command] = field(default_factory=list)
    readings: list[tuple[str, int, str]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    durations: list[float] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)
    surprises: list[str] = field(default_factory=list)
    troubles: int = 0
    games: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Player(threading.Thread):
    """Plays both seats of one game after another until told to stop."""

    def __init__(self, plant: Any, story: Story, seed: int, until: float, **settings: Any) -> None:
        super().__init__(name=f"player-{seed}", daemon=True)
        self.plant, self.story, self.until = plant, story, until
        self.dice = random.Random(seed)
        self.settings = settings
        self.session = requests.Session()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while time.monotonic() < self.until:
                self.play_game()
        except BaseException as error:
            self.failure = error

    # -- one game ---------------------------------------------------------------------------------

    def play_game(self) -> None:
        """Open a game, take both seats, and play legal steps while there is time."""
        games = f"{self.plant.url}/v1/games"
        created = self.command(games, self.settings)
        url = f"{games}/{created['game']['id']}"
        with self.story.lock:
            self.story.games.append(created["game"]["id"])
        tokens = {created["seat"]: created["token"]}
        joined = self.command(f"{url}/seats", {"name": "Bob"})
        tokens[joined["seat"]] = joined["token"]
        with self.story.lock:
            self.story.tokens += tokens.values()
        while time.monotonic() < self.until:
            game = self.ask(url)
            if game["turn"] is None:
                return
            self.act(url, game, tokens)

    def act(self, url: str, game: Any, tokens: dict[int, str]) -> None:
        """Play one legal step; now and then read something old, or resign."""
        token = tokens[game["turn"]["seat"]]
        if self.dice.random() < 0.01:
            self.command(f"{url}/resignation", None, token)
            return
        legal = self.ask(f"{url}/legal-steps", token)
        if legal["steps"] and legal["version"] == game["version"]:
            body = {"steps": [self.dice.choice(legal["steps"])]}
            if self.dice.random() < 0.7:
                body["expected_version"] = game["version"]
            self.command(f"{url}/steps", body, token)

    # -- requests ---------------------------------------------------------------------------------

    def command(self, url: str, body: Any, token: str | None = None) -> Any:
        """Send a command under one key until its answer is known; return the answer."""
        command = Command(url, body, secrets.token_hex(16), token)
        with self.story.lock:
            self.story.commands.append(command)
        end = time.monotonic() + SETTLED
        while time.monotonic() < end:
            answer = self._send("POST", url, token, command.key, body)
            if answer is not None and answer.status_code < 500:
                code = answer.json().get("code")
                if code == "request_in_progress":
                    time.sleep(0.05)
                    continue
                command.status, command.answer = answer.status_code, answer.json()
                return command.answer
            command.unknown += 1
            time.sleep(self.dice.random() * 0.2)
        raise AssertionError(f"no answer to {command.path} for {SETTLED} s")

    def ask(self, url: str, token: str | None = None) -> Any:
        """Read something, again until there is an answer."""
        end = time.monotonic() + SETTLED
        while time.monotonic() < end:
            answer = self._send("GET", url, token)
            if answer is not None and answer.status_code == 200:
                body = answer.json()
                if "log_hash" in body:
                    with self.story.lock:
                        self.story.readings.append((body["id"], body["version"], body["log_hash"]))
                return body
            assert answer is None or answer.status_code >= 500, answer.text
            time.sleep(self.dice.random() * 0.2)
        raise AssertionError(f"no answer to {url} for {SETTLED} s")

    def _send(
        self, method: str, url: str, token: str | None, key: str = "", body: Any = None
    ) -> requests.Response | None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if key:
            headers["Idempotency-Key"] = key
        hurt, begun = self.plant.hurt.is_set(), time.monotonic()
        try:
            answer = self.session.request(method, url, headers=headers, json=body, timeout=PATIENCE)
        except requests.RequestException:
            return None
        took = time.monotonic() - begun
        with self.story.lock:
            self.story.durations.append(took)
            if took > 3 and not hurt and not self.plant.hurt.is_set():
                self.story.slow.append((took, f"{method} {url} {answer.status_code}"))
            if answer.status_code == 503:
                self.story.troubles += 1
                if "Retry-After" not in answer.headers:
                    self.story.surprises.append("503 without Retry-After")
            elif answer.status_code >= 500:
                self.story.surprises.append(f"{method} {url}: {answer.status_code} {answer.text}")
        return answer
