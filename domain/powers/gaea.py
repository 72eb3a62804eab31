"""Gaea."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import NEIGHBOURS, NOWHERE, Mask, squares_of
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import PlaceWorker, Step
from domain.rules.turn import Raised, Turn

WORKERS = 2


class Gaea(Power):
    """When anybody builds a dome you may put a worker from your card on the ground next to it.

    Rule: P-35. Note: workers on the card. In a foe's turn it is an interrupt (T-50), after an own
    dome an ordinary optional step; squares are judged as the holder sees them (T-22).
    """

    key = "gaea"
    name = "Gaea"
    number = 35
    group = "golden_fleece"
    players = (2, 3)
    phases = ("setup", "any_time")
    bans = {"atlas": "rule", "circe": "rule", "selene": "rule", "nemesis": "rule"}
    order_aid = 32
    extra_workers = 2

    def initial_note(self) -> Note:
        """Both workers are on the card."""
        return WORKERS

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the ground around an own dome, at once."""
        return self.answers(turn, held) if turn.fresh == "build" else ()

    def asks(self, turn: Turn, held: Held, build: Raised) -> bool:
        """Ask after a dome if there is a worker and a place for it."""
        return bool(_ground(turn, held, build))

    def answers(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Yield the placements around the dome just built."""
        for square in squares_of(_ground(turn, held, turn.builds[-1])):
            yield PlaceWorker(square)

    def after_step(self, turn: Turn, held: Held, step: Step) -> Iterable[Fact]:
        """Take the worker from the card."""
        if isinstance(step, PlaceWorker):
            yield PowerChanged(held.seat, self.key, held.note - 1)

    def state(self, note: Note) -> dict[str, Any]:
        """``workers_on_card``: workers that may still enter."""
        return {"workers_on_card": note}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``workers_on_card``."""
        workers = state.get("workers_on_card", WORKERS)
        if type(workers) is not int or not 0 <= workers <= WORKERS:
            raise ValueError("workers_on_card")
        return workers

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the workers on the card (T-71)."""
        return str(held.note)


def _ground(turn: Turn, held: Held, build: Raised) -> Mask:
    """Return where a worker may enter after this build."""
    if not build.dome or not held.note:
        return NOWHERE
    position = turn.position
    return NEIGHBOURS[build.at] & ~position.levels[1] & ~shut_to(position, held.seat)
