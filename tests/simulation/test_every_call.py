"""Fail the n-th call to the store, for every n of a full game, before and after it is applied.

Two players create, join, place, play to the end, renew a token, lose turns to the clock and call
for a rematch. Whatever single call fails, clients that repeat what they do not know the answer of
end with the very same game.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.adapters.dice import SeededDice
from app.adapters.memory_store import MemoryStore
from app.adapters.store import GRACE, StoreUnavailable, shard_of
from app.config import Config
from app.services import Submission, clocks
from app.services.overdue import WORK
from app.wiring import build_services
from domain.game.outlook import legal_steps
from domain.game.settings import Settings
from tests.simulation.world import CALLS, Crashed, entropy_from

WAYS = ("before", "after", "resent")
"""Every other failure of the first two is a crash of the process."""
SEED = 232
"""Its random game is short."""
TURN = 10


class Brittle:
    """A store that fails once, at its n-th call."""

    def __init__(self, inner: MemoryStore, fails_at: int, way: str) -> None:
        self.inner, self.fails_at, self.way = inner, fails_at, way
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        if name not in CALLS:
            return getattr(self.inner, name)
        call = getattr(self.inner, name)

        def counted(*args: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls != self.fails_at:
                return call(*args, **more)
            failure = Crashed if self.fails_at % 2 else StoreUnavailable
            if self.way == "before":
                raise failure("not sent")
            call(*args, **more)
            if self.way == "resent":
                return call(*args, **more)
            raise failure("answer lost")

        return counted


class FullGame:
    """A game from its creation to its rematch, by clients that repeat themselves."""

    def __init__(self, fails_at: int = 0, way: str = "") -> None:
        self.store = Brittle(MemoryStore(), fails_at, way)
        self.dice = random.Random(SEED)
        self.keys = 0
        self.start_process()

    def start_process(self) -> None:
        self.services = build_services(Config(compact_seconds=0), self.store)

    def sure(self, call: Any, *args: Any, **more: Any) -> Any:
        """Call until there is an answer."""
        for _ in range(3):
            try:
                return call(self.services)(*args, **more)
            except StoreUnavailable:
                pass
            except Crashed:
                self.start_process()
            self.store.inner.clock.advance(WORK)  # whoever died has nothing to himself any more
        raise AssertionError("one failure, three tries, no answer")

    def submission(self) -> Submission:
        self.keys += 1
        return Submission("/path", f"key-{self.keys:016}", b"body")

    def play(self) -> list[tuple[Any, ...]]:
        """Play it all and return what the log tells, times and names of commands left out."""
        settings = Settings(placement="free", start_seat=1, turn_seconds=TURN)
        sub = self.submission()
        self.sure(lambda s: s.maintenance.health)
        self.sure(lambda s: lambda: self.store.watch(60_000))
        one = self.sure(lambda s: s.games.create, settings, submission=sub)
        game_id = one.snapshot.game_id
        two = self.sure(lambda s: s.games.join, game_id, submission=self.submission())
        tokens = {1: one.token, 2: two.token}
        renewed = self.submission()
        tokens[2] = self.sure(lambda s: s.games.renew_token, game_id, 2, tokens[2], renewed).token
        for turn in range(200):
            game = self.sure(lambda s: s.reader.read, game_id).snapshot.game
            if game.clock is None:
                break
            if turn in (3, 8):
                self.time_passes(game_id, turn == 3)
                continue
            step = self.dice.choice(legal_steps(game))
            token, sub = tokens[game.clock.seat], self.submission()
            answer = self.sure(
                lambda s: s.games.play, game_id, token, steps=(step,), submission=sub
            )
            assert answer.events and answer.snapshot.version == answer.events[-1].version
        self.sure(lambda s: s.compactor.run, shard_of(game_id))
        following = [
            self.sure(lambda s: s.games.rematch, game_id, token, self.submission())
            for token in tokens.values()
        ]
        self.sure(lambda s: s.compactor.run, shard_of(game_id))
        assert self.store.inner.load(game_id).compacted
        assert following[0].snapshot.game_id == following[1].snapshot.game_id
        return [*self.told(game_id), *self.told(following[0].snapshot.game_id)]

    def time_passes(self, game_id: str, by_worker: bool) -> None:
        """Let the turn run out; a worker finds it, or the next command does."""
        self.store.inner.clock.advance(TURN * 1000 + GRACE + 1)
        self.sure(lambda s: lambda: self.store.watch(60_000))
        if by_worker:
            self.sure(lambda s: s.clocks.run_due, shard_of(game_id))
        else:
            self.sure(lambda s: s.clocks.expire, game_id)

    def told(self, game_id: str) -> list[tuple[Any, ...]]:
        found = self.sure(lambda s: s.archive.verify, game_id)
        assert found.ok, found
        hidden = {"deadline", "game_id"}
        return [
            (
                e.body["type"],
                e.body["seat"],
                {name: value for name, value in e.body["data"].items() if name not in hidden},
            )
            for e in self.sure(lambda s: s.archive.export, game_id)
        ]


def open_dice(secret: str, game_id: str, version: int) -> SeededDice:
    """Let automatic moves depend on nothing that is drawn anew when a call is repeated."""
    return SeededDice("", "", version)


def played(fails_at: int = 0, way: str = "") -> tuple[list[tuple[Any, ...]], int]:
    with entropy_from(random.Random(SEED)):
        game = FullGame(fails_at, way)
        return game.play(), game.store.calls


@pytest.mark.parametrize("way", WAYS)
def test_the_nth_call_fails(way, monkeypatch):
    monkeypatch.setattr(clocks, "SeededDice", open_dice)
    right, calls = played()
    kinds = [kind for kind, *_ in right]
    assert "finished" in kinds and kinds.count("timed_out") == 2 and kinds.count("started") == 2
    assert calls > 60
    for fails_at in range(1, calls + 1):
        told, _ = played(fails_at, way)
        assert told == right, f"call {fails_at} of {calls} failed ({way}) and changed the game"
