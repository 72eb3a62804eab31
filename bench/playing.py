"""Games to measure by: long ones, played through the use cases."""

from __future__ import annotations

import random
from typing import NamedTuple

from app.services import Services, Submission
from domain.game.settings import Settings
from domain.game.state import Game
from domain.rules.engine import legal_turns

SETTINGS = Settings(placement="recommended", start_seat=1)
TRIES = 50


def quiet_turn(game: Game, chance: random.Random) -> str | None:
    """Return a random line that wins nothing, or None when there is none."""
    assert game.turn is not None
    turns, _ = legal_turns(game.turn, 5_000)
    lines = [turn.line for turn in turns if not turn.winner]
    return chance.choice(lines) if lines else None


class Long(NamedTuple):
    """A game that was played for many turns and goes on."""

    game_id: str
    loser: str
    """The token of the seat to act."""


def long_play(services: Services, turns: int, seed: int, keyed: bool = False) -> Long | None:
    """Play so many turns, with idempotency keys or without; None if the game ended before."""
    chance = random.Random(seed)

    def submission() -> Submission:
        key = f"{chance.getrandbits(128):032x}" if keyed else None
        return Submission("/steps", key, b"{}")

    first = services.games.create(SETTINGS, submission=submission())
    second = services.games.join(first.snapshot.game_id, submission=submission())
    tokens = {first.seat: first.token, second.seat: second.token}
    game, game_id = second.snapshot.game, first.snapshot.game_id
    for _ in range(turns):
        line = quiet_turn(game, chance) if game.turn else None
        if line is None or game.clock is None:
            return None
        token = tokens[game.clock.seat]
        sent = submission()
        game = services.games.play(game_id, token, line=line, submission=sent).snapshot.game
    if game.clock is None:
        return None
    return Long(game_id, tokens[game.clock.seat])


def long_game(services: Services, turns: int, seed: int) -> str | None:
    """Play so many turns and resign; return the game's id, or None if it ended before."""
    played = long_play(services, turns, seed)
    if played is None:
        return None
    services.games.resign(*played)
    return played.game_id
