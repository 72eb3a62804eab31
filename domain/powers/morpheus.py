"""Morpheus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import Crew
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.step import Build, Step
from domain.rules.turn import Raised, Turn


class Morpheus(Power):
    """Every turn brings you a coin; after moving, the mover builds once per coin you care to pay.

    Rule: P-25. Note: coins on the card, 0 when it is dealt. Ending after the move is always
    allowed. Clock: coins are saved, so every build is one the clock avoids.
    """

    key = "morpheus"
    name = "Morpheus"
    number = 25
    group = "advanced"
    players = (2, 3, 4)
    phases = ("start_of_turn", "build")
    order_aid = 1
    start_order = 1

    def initial_note(self) -> Note:
        """No coin yet."""
        return 0

    def starts_turn(self, position: Position, held: Held) -> Iterable[Fact]:
        """Put a coin on the card (S2)."""
        yield PowerChanged(held.seat, self.key, held.note + 1)

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let the mover build while coins are left."""
        return 1 << turn.moves[-1].worker if turn.moves and held.note else 0

    def after_build(self, turn: Turn, held: Held, build: Raised) -> Iterable[Fact]:
        """Pay for the build."""
        yield PowerChanged(held.seat, self.key, held.note - 1)

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """A move is all that is compulsory."""
        return bool(turn.moves)

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """Let the clock avoid every build."""
        return optional or isinstance(step, Build)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget the order of the builds: the table and the coins tell the rest."""
        return (*key[:8], (), *key[9:])

    def state(self, note: Note) -> dict[str, Any]:
        """``coins``: how many lie on the card."""
        return {"coins": note}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``coins``."""
        coins = int(state.get("coins", 0))
        if coins < 0:
            raise ValueError("coins must not be negative")
        return coins

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the number of coins (T-71)."""
        return str(held.note)
