"""Games written before they are played: requests that need no thought while the time runs.

The engine plays a game to itself; placement is recommended and seat 1 starts, so that every game
with the same powers begins alike and one script serves as many games as are needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from msgspec import Struct

from app.views.steps import step_body
from bench.load import Request, drive, request
from domain.game.commands import Command, Create, Join, Play
from domain.game.decide import Context, decide
from domain.game.evolve import fold
from domain.game.settings import PowersOption, Settings
from domain.game.state import NEW, Game
from domain.rules.engine import legal_turns
from tests.games import NOON, SeededDice

WIDTH = 500
"""Legal turns looked at before one is chosen."""

MORTALS: tuple[str, ...] = ()
GODS = (
    ("apollo", "artemis"),
    ("athena", "atlas"),
    ("demeter", "hephaestus"),
    ("minotaur", "pan"),
    ("prometheus", "apollo"),
)
"""Ordinary pairs: the simple gods of the first box."""


class PlayedTurn(Struct, frozen=True):
    """One whole turn: whose it is, its steps as they are sent, the game's version before it."""

    seat: int
    steps: list[dict[str, Any]]
    version: int


class Script(Struct, frozen=True):
    """A game to be played: how it is created, and its turns; it does not end with them."""

    creation: dict[str, Any]
    turns: tuple[PlayedTurn, ...]


def scripts(
    number: int, turns: int, powers: Sequence[tuple[str, ...]] = (MORTALS,)
) -> list[Script]:
    """Write so many games of so many turns, with these powers in rotation."""
    return [_script(turns, powers[index % len(powers)], index) for index in range(number)]


def _script(turns: int, powers: tuple[str, ...], seed: int) -> Script:
    """Write one game; those that end too soon are written anew."""
    for attempt in count():
        found = list(_turns(turns, powers, seed * 1_000 + attempt))
        if len(found) == turns:
            return Script(_creation(powers), tuple(found))
    raise AssertionError


def _creation(powers: tuple[str, ...]) -> dict[str, Any]:
    body: dict[str, Any] = {"placement": "recommended", "start_seat": 1}
    return body | ({"powers": {"mode": "fixed", "seats": list(powers)}} if powers else {})


def _turns(most: int, powers: tuple[str, ...], seed: int) -> Iterator[PlayedTurn]:
    """Play at random, but win nothing; stop after ``most`` turns, or when there is no way on."""
    dice = SeededDice(seed)
    option = PowersOption(mode="fixed", seats=powers) if powers else PowersOption()
    settings = Settings(powers=option, placement="recommended", start_seat=1)
    game = _after(_after(NEW, Create(settings), dice), Join(), dice)
    for _ in range(most):
        turn = game.turn
        assert turn is not None
        quiet = [found for found in legal_turns(turn, WIDTH)[0] if not found.winner]
        if not quiet:
            return
        chosen = dice.random.choice(quiet)
        steps = tuple(step for _, step in chosen.steps)
        played = PlayedTurn(turn.seat, [step_body(step) for step in steps], game.version)
        game = _after(game, Play(turn.seat, steps), dice)
        if game.turn is None:
            return
        yield played


def _after(game: Game, command: Command, dice: SeededDice) -> Game:
    return fold(decide(game, command, Context(NOON, dice)), game)


class Opened(Struct, frozen=True):
    """A game that stands ready on a server."""

    path: str
    tokens: tuple[str, str]

    def play(self, turn: PlayedTurn) -> Request:
        """Return the request that plays a turn."""
        body = {"steps": turn.steps}
        token = self.tokens[turn.seat - 1]
        return request("POST", f"{self.path}/steps", body, status=201, token=token)


def opened(port: int, games: Sequence[Script], connections: int = 8) -> list[Opened]:
    """Create the games of scripts and take both seats of each, over HTTP."""
    asked = [
        request("POST", "/v1/games", script.creation, status=201, keep=True) for script in games
    ]
    created = _answers(port, asked, connections)
    paths = [f"/v1/games/{answer['game']['id']}" for answer in created]
    asked = [request("POST", f"{path}/seats", {}, status=201, keep=True) for path in paths]
    joined = _answers(port, asked, connections)
    return [
        Opened(path, (first["token"], second["token"]))
        for path, first, second in zip(paths, created, joined, strict=True)
    ]


def _answers(port: int, asked: Sequence[Request], connections: int) -> list[Any]:
    """Send requests over some connections; return the bodies in the order of the requests."""
    dealt = [asked[number::connections] for number in range(connections)]
    found: list[Any] = [None] * len(asked)
    for number, answers in enumerate(drive(port, dealt).answers):
        found[number::connections] = [
            json.loads(answer.partition(b"\r\n\r\n")[2]) for answer in answers
        ]
    return found
