"""Players in threads that use the services directly and remember what was acknowledged."""

from __future__ import annotations

import random
import threading
import time
from functools import partial
from typing import Any

from app.services import Services, StoreUnavailable, Submission
from domain.game.errors import Refusal
from domain.game.outlook import legal_steps
from domain.game.settings import Settings


class Crowd:
    """Some threads, each playing one game after another until told to stop."""

    def __init__(self, services: Services, size: int = 4) -> None:
        self.services = services
        self.acknowledged: list[tuple[str, tuple[Any, ...]]] = []
        self.unknown = 0
        self.refused: list[str] = []
        self.failure: BaseException | None = None
        self._open = True
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._live, args=(seed,), daemon=True) for seed in range(size)
        ]

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._open = False
        for thread in self._threads:
            thread.join(60)

    def wait_for(self, more: int, seconds: float = 40) -> None:
        """Wait until so many more commands were acknowledged."""
        goal, end = len(self.acknowledged) + more, time.monotonic() + seconds
        while len(self.acknowledged) < goal:
            assert self.failure is None, self.failure
            assert time.monotonic() < end, f"{len(self.acknowledged)} of {goal}"
            time.sleep(0.02)

    def _live(self, seed: int) -> None:
        try:
            dice = random.Random(seed)
            while self._open:
                self._play_game(dice)
        except BaseException as error:
            self.failure = error

    def _play_game(self, dice: random.Random) -> None:
        games, settings = self.services.games, Settings(turn_seconds=None)
        one = self._sure(partial(games.create, settings, submission=_keyed(dice)))
        game_id = one.snapshot.game_id
        two = self._sure(partial(games.join, game_id, submission=_keyed(dice)))
        assert two is not None, f"a free seat was refused: {self.refused}"
        tokens = {1: one.token, 2: two.token}
        while self._open:
            game = self._sure(lambda: self.services.reader.read(game_id)).snapshot.game
            if game.clock is None:
                return
            asked = {"steps": (dice.choice(legal_steps(game)),), "submission": _keyed(dice)}
            answer = self._sure(partial(games.play, game_id, tokens[game.clock.seat], **asked))
            if answer is not None:
                with self._lock:
                    self.acknowledged.append((game_id, answer.events))

    def _sure(self, call: Any) -> Any:
        """Call until there is an answer; a refusal is one, and remembered."""
        while True:
            try:
                return call()
            except StoreUnavailable:
                self.unknown += 1
                assert self._open or self.unknown < 10_000
                time.sleep(0.05)
            except Refusal as refusal:
                self.refused.append(refusal.code)
                return None

    def check(self, services: Services) -> None:
        """Everything that was acknowledged is in its log, in place, and every log is sound."""
        assert self.failure is None, self.failure
        logs: dict[str, Any] = {}
        for game_id, events in self.acknowledged:
            if game_id not in logs:
                logs[game_id] = services.archive.export(game_id)
                assert services.archive.verify(game_id).ok
            for event in events:
                assert logs[game_id][event.version - 1].body == event.body


def _keyed(dice: random.Random) -> Submission:
    return Submission("/path", f"{dice.getrandbits(128):032x}", b"")
