"""Services on the memory store, whose clock the tests turn."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.services import Seated, Services, Snapshot, Submission
from app.wiring import build_services
from domain.game.outlook import legal_steps
from domain.game.settings import Settings


@dataclass
class House:
    """Services, their store, and short ways to play."""

    store: Any = field(default_factory=MemoryStore)
    config: Config = field(default_factory=Config)

    def __post_init__(self) -> None:
        self.services: Services = build_services(self.config, self.store)

    def restart(self) -> None:
        """Forget everything a process knows."""
        self.services = build_services(self.config, self.store)

    def seated(self, settings: Settings = Settings(start_seat=1), **more) -> list[Seated]:
        """Create a game and take all its seats."""
        seats = [self.services.games.create(settings, **more)]
        game_id = seats[0].snapshot.game_id
        others = len(seats[0].snapshot.game.chairs) - 1
        return [*seats, *(self.services.games.join(game_id) for _ in range(others))]

    def game(self, game_id: str) -> Snapshot:
        return self.services.reader.read(game_id).snapshot

    def step(
        self, seats: list[Seated], dice: random.Random, submission: Submission = Submission()
    ) -> Any:
        """Play one random legal step for the seat to act."""
        game_id = seats[0].snapshot.game_id
        game = self.services.reader.read(game_id, seats[0].token).snapshot.game
        assert game.clock is not None
        step = dice.choice(legal_steps(game))
        token = seats[game.clock.seat - 1].token
        return self.services.games.play(game_id, token, steps=(step,), submission=submission)

    def play_out(self, seats: list[Seated], dice: random.Random) -> Snapshot:
        """Play random steps to the end of the game."""
        while True:
            answer = self.step(seats, dice)
            if answer.snapshot.game.clock is None:
                return answer.snapshot


@pytest.fixture
def house() -> House:
    return House()
