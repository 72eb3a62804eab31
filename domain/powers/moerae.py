"""Moerae."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import BY_NAME, NAMES, Square
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.step import Choose, Step
from domain.rules.turn import Arrival, Turn

CHOICE = "fate"
CORNERS = tuple(sorted(BY_NAME[file + rank] for file in "abcd" for rank in "1234"))


class Moerae(Power):
    """A foe who would win by moving into your secret fate squares loses to you instead.

    Rule: P-40. Note: the lower left of the four fate squares, None for those who may not know it.
    """

    key = "moerae"
    name = "Moerae"
    number = 40
    group = "golden_fleece"
    players = (2, 3)
    hidden_information = True
    phases = ("setup", "win_condition")
    bans = {"circe": "rule", "hecate": "rule", "nemesis": "rule", "tartarus": "rule"}
    setup_workers = 3
    token_names = ("fate",)
    tokens_on_card = True

    def setup_choices(self, position: Position, held: Held) -> Iterable[Step]:
        """Offer every block of two by two squares by its lower left."""
        return (Choose(CHOICE, NAMES[square]) for square in CORNERS)

    def after_setup(self, position: Position, held: Held, step: Step) -> Iterable[Fact]:
        """Remember the choice."""
        if isinstance(step, Choose):
            yield PowerChanged(held.seat, self.key, BY_NAME[step.value])

    def takes_win(self, turn: Turn, held: Held, arrival: Arrival, square: Square) -> bool:
        """Take the win of a foe's worker that comes to rest on a fate square."""
        position = turn.position
        own = position.side_of(arrival.worker) == position.table.side(held.seat)
        return not own and held.note is not None and square - held.note in (0, 1, 5, 6)

    def veiled(self, note: Note) -> Note:
        """Show no fate square."""
        return None

    def state(self, note: Note) -> dict[str, Any]:
        """``fate``: the lower left of the fate squares."""
        return {} if note is None else {"fate": NAMES[note]}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``fate``."""
        fate = state.get("fate")
        if fate is None:
            return None
        if BY_NAME[fate] not in CORNERS:
            raise ValueError("fate")
        return BY_NAME[fate]

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the fate square (T-71)."""
        if held.note is None:
            return "?" if secret else ""
        return "?" if secret else NAMES[held.note]
