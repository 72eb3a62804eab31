"""Tartarus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import BY_NAME, EVERYWHERE, NAMES, Square, squares_of
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to
from domain.rules.step import PlaceToken, Step

PIECE = "abyss"


class Tartarus(Power):
    """Whose worker enters your secret abyss, by whatever way, loses at once.

    Rule: P-43. Note: the square of the abyss, None before it is chosen and for those who may not
    know it: their legal steps are those of a board without it (T-38).
    """

    key = "tartarus"
    name = "Tartarus"
    number = 43
    group = "golden_fleece"
    players = (2,)
    hidden_information = True
    phases = ("setup", "lose_condition")
    bans = {
        "bia": "rule",
        "circe": "rule",
        "hecate": "rule",
        "moerae": "rule",
        "terpsichore": "rule",
        "eris": "rule",
    }
    order_aid = 0
    must_start = True
    token_names = ("abyss",)
    tokens_on_card = True

    def late_setup_choices(self, position: Position, held: Held) -> Iterable[Step]:
        """Offer every unoccupied square."""
        free = EVERYWHERE & ~shut_to(position, held.seat)
        return (PlaceToken(PIECE, square) for square in squares_of(free))

    def after_setup(self, position: Position, held: Held, step: Step) -> Iterable[Fact]:
        """Remember the square."""
        if isinstance(step, PlaceToken):
            yield PowerChanged(held.seat, self.key, step.at)

    def seals_loss(self, position: Position, held: Held, square: Square) -> bool:
        """Let the owner of a worker that enters the abyss lose (L1)."""
        return bool(square == held.note)

    def veiled(self, note: Note) -> Note:
        """Show no abyss."""
        return None

    def state(self, note: Note) -> dict[str, Any]:
        """``abyss``: its square."""
        return {} if note is None else {"abyss": NAMES[note]}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``abyss``."""
        abyss = state.get("abyss")
        return None if abyss is None else BY_NAME[abyss]

    def key_tokens(self, position: Position, held: Held, secret: bool) -> Iterable[str]:
        """Write the abyss (T-70)."""
        if secret or held.note is None:
            yield f"{PIECE}@?"
        else:
            yield f"{PIECE}@{NAMES[held.note]}"
