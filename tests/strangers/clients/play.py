"""A game of two random players, with nothing but the client made by openapi-python-client."""

from __future__ import annotations

import random
import sys
from typing import TypeVar

from santorini_api import AuthenticatedClient, Client
from santorini_api.api.games import create_game, join_game
from santorini_api.api.turns import get_legal_steps, play_steps
from santorini_api.models import (
    CreateGame,
    Game,
    GameStatus,
    JoinGame,
    LegalSteps,
    Played,
    PlaySteps,
    Problem,
    SeatedAnswer,
)

T = TypeVar("T")


def good(answer: T | Problem | None) -> T:
    """Return an answer that is no problem."""
    if isinstance(answer, Problem):
        sys.exit(f"{answer.code.value}: {answer.detail}")
    assert answer is not None
    return answer


def step(game: Game, player: AuthenticatedClient) -> Game:
    """Play one random legal step."""
    legal: LegalSteps = good(get_legal_steps.sync(game.id, client=player))
    chosen = PlaySteps(steps=[random.choice(legal.steps)], expected_version=game.version)
    played: Played = good(play_steps.sync(game.id, client=player, body=chosen))
    return played.game


def main(base: str) -> None:
    """Create a game, fill it, play it, and say who won."""
    anybody = Client(base_url=base, raise_on_unexpected_status=True)
    created: SeatedAnswer = good(create_game.sync(client=anybody, body=CreateGame(name="One")))
    joined: SeatedAnswer = good(
        join_game.sync(created.game.id, client=anybody, body=JoinGame(name="Two"))
    )
    players = {
        seated.seat: AuthenticatedClient(
            base_url=base, token=seated.token, raise_on_unexpected_status=True
        )
        for seated in (created, joined)
    }
    game = joined.game
    while game.turn is not None:
        game = step(game, players[game.turn.seat])
    assert game.status is GameStatus.FINISHED
    assert game.result is not None
    print("won by", *game.result.winners)


if __name__ == "__main__":
    main(sys.argv[1])
