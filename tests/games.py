"""A game in a test's hands: its log, seeded dice, a clock to turn, words for what players do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.game import outlook
from domain.game.commands import (
    Command,
    Create,
    Join,
    Play,
    PlayNotation,
    TimeOut,
)
from domain.game.decide import Context, decide
from domain.game.events import Entry
from domain.game.evolve import fold
from domain.game.settings import PowersOption, Settings
from domain.game.state import NEW, Clock, Game
from domain.rules.turn import Turn
from tests.boards import board

T = TypeVar("T")
NOON = 1_700_000_000_000


class SeededDice:
    """Chance that falls the same way for the same seed."""

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choice(self, options: Sequence[T]) -> T:
        return self.random.choice(list(options))

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(self.random.sample(list(items), len(items)))

    def nonce(self) -> str:
        return f"{self.random.getrandbits(128):032x}"


class GameTable:
    """A game being played: commands go through ``decide``, entries through ``evolve``."""

    def __init__(self, game: Game = NEW, seed: int = 0) -> None:
        self.game = game
        self.log: list[Entry] = []
        self.dice = SeededDice(seed)
        self.now = NOON

    def do(self, command: Command) -> tuple[Entry, ...]:
        """Give a command; return what it added to the log."""
        entries = decide(self.game, command, Context(self.now, self.dice))
        self.log += entries
        self.game = fold(entries, self.game)
        return entries

    def sit_down(self) -> GameTable:
        """Take every free seat."""
        while self.game.status == "open":
            self.do(Join())
        return self

    def play(self, *lines: str) -> tuple[Entry, ...]:
        """Let whoever is to act play each line; return what all of them added."""
        added: list[Entry] = []
        for line in lines:
            assert self.game.clock is not None, f"nobody is to play {line}"
            added += self.do(PlayNotation(self.game.clock.seat, line))
        return tuple(added)

    def time_out(self) -> tuple[Entry, ...]:
        """Let the running deadline pass."""
        assert self.game.clock is not None and self.game.clock.deadline is not None
        self.now = self.game.clock.deadline
        return self.do(TimeOut())

    def play_randomly(self, limit: int = 500) -> GameTable:
        """Play random legal steps, one by one, until the game is over or ``limit`` turns are."""
        while self.game.clock is not None and self.game.numbered < limit:
            steps = outlook.legal_steps(self.game)
            assert steps, f"{self.game.clock} has no step after {self.game.line!r}"
            self.do(Play(self.game.clock.seat, (self.dice.choice(steps),)))
        return self


def started(variant: str = "duel", seed: int = 0, **options: Any) -> GameTable:
    """Start a game with everybody seated; seat 1 starts unless the options say otherwise."""
    options.setdefault("start_seat", 1)
    table = GameTable(seed=seed)
    table.do(Create(Settings(variant, **options)))
    return table.sit_down()


def with_powers(*keys: str, variant: str = "duel", **options: Any) -> GameTable:
    """Start a game with these powers, seat by seat."""
    return started(variant, powers=PowersOption("fixed", seats=keys), **options)


def on_table(drawing: str, **options: Any) -> GameTable:
    """Set a game down on a drawn board (``tests.boards``), in the middle of play."""
    turn = board(drawing)
    variant = turn.position.table.variant
    table = started(variant, **options)
    table.game = _set(table.game, turn)
    return table


def _set(game: Game, turn: Turn) -> Game:
    assert game.clock is not None
    clock = Clock(1, turn.seat, turn.kind, game.clock.deadline)
    return replace(
        game,
        status="playing",
        position=turn.position,
        table=turn.position.table,
        turn=turn,
        clock=clock,
        numbered=1,
        line="",
    )


def kinds(entries: Sequence[Entry]) -> list[str]:
    """Name the entries by their types, in order."""
    return [type(entry.data).__name__ for entry in entries]
