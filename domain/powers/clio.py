"""Clio."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged, TokenPlaced
from domain.board.geometry import NOWHERE, Mask, Side
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.turn import Raised, Turn

PIECE = "coin"
COINS = 3


class Clio(Power):
    """Each of your first three blocks gets a coin, and foes see its square as a dome.

    Rule: P-33. Note: coins left. The holder ignores coins (T-22); a dome takes none.
    """

    key = "clio"
    name = "Clio"
    number = 33
    group = "golden_fleece"
    players = (2, 3)
    phases = ("setup", "build", "opponent_turn")
    bans = {"circe": "rule", "nemesis": "rule"}
    order_aid = 39
    token_names = ("coin", "coin", "coin")

    def initial_note(self) -> Note:
        """All coins are on the card."""
        return COINS

    def after_build(self, turn: Turn, held: Held, build: Raised) -> Iterable[Fact]:
        """Put a coin on the block just built (B3)."""
        if held.note and not build.dome:
            yield TokenPlaced(PIECE, held.seat, build.at)
            yield PowerChanged(held.seat, self.key, held.note - 1)

    def shows_dome(self, position: Position, held: Held, side: Side) -> Mask:
        """Show the coins to the holder's foes."""
        own = position.table.side(held.seat) == side
        return NOWHERE if own else position.token_squares(PIECE)

    def state(self, note: Note) -> dict[str, Any]:
        """``coins_left``: coins on the card."""
        return {"coins_left": note}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``coins_left``."""
        coins = state.get("coins_left", COINS)
        if type(coins) is not int or not 0 <= coins <= COINS:
            raise ValueError("coins_left")
        return coins

    def agrees(self, position: Position, held: Held) -> bool:
        """There are three coins, and those on the board lie on blocks."""
        coins = position.token_squares(PIECE)
        return coins.bit_count() + int(held.note) <= COINS and not coins & ~position.levels[1]

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the coins left (T-71)."""
        return str(held.note)
