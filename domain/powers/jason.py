"""Jason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import PERIMETER, Crew, squares_of
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import PlaceWorker, Step
from domain.rules.turn import Turn


class Jason(Power):
    """Once, bring your extra worker, then move and build with it.

    Rule: P-51. It comes onto a free perimeter square on ground level. Spent by that placement,
    which is no move. Note: workers left on the card.
    """

    key = "jason"
    name = "Jason"
    number = 51
    group = "hero"
    players = (2,)
    hero = True
    phases = ("setup", "alternative_turn")
    bans = {"circe": "rule"}
    order_aid = 58
    extra_workers = 1
    revised = True

    def initial_note(self) -> Note:
        """One worker waits on the card."""
        return 1

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the placement as the first step of a turn."""
        if held.note and not (turn.moves or turn.builds or turn.other):
            position = turn.position
            ground = PERIMETER & ~position.levels[1] & ~shut_to(position, held.seat)
            yield from (PlaceWorker(square) for square in squares_of(ground))

    def after_step(self, turn: Turn, held: Held, step: Step) -> Iterable[Fact]:
        """Take the placed worker off the card."""
        if isinstance(step, PlaceWorker):
            yield PowerChanged(held.seat, self.key, held.note - 1)

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """After the placement only the new worker moves."""
        return crew & 1 << len(turn.position.workers) - 1 if turn.other else crew

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether the worker was placed."""
        return bool(turn.other)

    def state(self, note: Note) -> dict[str, Any]:
        """``workers_on_card``: 0 or 1."""
        return {"workers_on_card": note}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``workers_on_card``."""
        left = int(state.get("workers_on_card", 1))
        if left not in (0, 1):
            raise ValueError(left)
        return left

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the workers left (T-71)."""
        return str(held.note)
