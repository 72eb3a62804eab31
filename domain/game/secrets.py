"""Which entries of a log hold a secret (T-51; contract, section 6): those get a nonce."""

from __future__ import annotations

from typing import Any

from domain.board.facts import (
    BlockRemoved,
    Built,
    Chosen,
    Exchanged,
    Forced,
    Moved,
    Placed,
    PowerChanged,
    PowerGained,
    TokenPlaced,
    TokenRemoved,
    WorkerPlaced,
    WorkerRemoved,
)
from domain.board.geometry import Seat
from domain.game.events import Data
from domain.game.state import RAM, Game
from domain.rules.power import REGISTRY, overrides

BOARD_FACTS: tuple[type[Any], ...] = (
    Placed, WorkerPlaced, Moved, Forced, Exchanged, Built, BlockRemoved, WorkerRemoved,
    TokenPlaced, TokenRemoved,
)  # fmt: skip
"""Facts that something unseen may follow from (P-39)."""


def holds_secret(power: str | None) -> bool:
    """Say whether a dealt card brings hidden information or luck into the game (V-2)."""
    return power in REGISTRY and REGISTRY[power].hidden_information


def veiled(game: Game) -> bool:
    """Say whether somebody's workers are secret, so that every board entry may hide something."""
    return game.position is not None and any(
        overrides(REGISTRY[held.power], "hides") for held in game.position.held
    )


def hiding_seats(game: Game) -> frozenset[Seat]:
    """Return the seats whose own workers are secret: their squares are ``?`` to others (P-39)."""
    return frozenset(
        chair.seat
        for chair in game.chairs
        if chair.power in REGISTRY and overrides(REGISTRY[chair.power], "hides")
    )


def is_secret(game: Game, data: Data) -> bool:
    """Say whether an entry with this data is, in part at least, hidden from somebody."""
    if isinstance(data, BOARD_FACTS) and veiled(game):
        return True
    match data:
        case PowerGained(_, power, note) | PowerChanged(_, power, note):
            card = REGISTRY.get(power)
            return card is not None and (card.deck_secret or card.veiled(note) != note)
        case TokenPlaced(token, seat) if token != RAM:
            return _on_a_secret_card(game, seat, token)
        case Chosen(seat, name):
            return _on_a_secret_card(game, seat, name)
    return False


def _on_a_secret_card(game: Game, seat: Seat, token: str) -> bool:
    """Say whether a token or choice stays on a card that only its holder may read."""
    assert game.position is not None
    return any(
        held.seat == seat
        and REGISTRY[held.power].hidden_information
        and token in REGISTRY[held.power].token_names
        for held in game.position.held
    )
