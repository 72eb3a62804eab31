"""Circe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged, PowerGained, PowerLost
from domain.board.geometry import NEIGHBOURS, Seat
from domain.board.position import Held, Note, Position
from domain.rules.power import Power, power_of


class Circe(Power):
    """While the foe's workers are not all neighbours of each other, you hold his power.

    Rule: P-17. Note: True while the power of the foe is here. Decided at the start of your turn,
    before anything else of it (S2), until your next one; fewer than two workers are no neighbours.
    The stolen card keeps its memory and its tokens (T-49).
    """

    key = "circe"
    name = "Circe"
    number = 17
    group = "advanced"
    players = (2,)
    phases = ("start_of_turn",)
    bans = {
        "eros": "rule",
        "clio": "rule",
        "gaea": "rule",
        "graeae": "rule",
        "hecate": "rule",
        "moerae": "rule",
        "tartarus": "rule",
        "achilles": "rule",
        "adonis": "rule",
        "atalanta": "rule",
        "bellerophon": "rule",
        "heracles": "rule",
        "jason": "rule",
        "medea": "rule",
        "odysseus": "rule",
        "polyphemus": "rule",
        "theseus": "rule",
        "proteus": "rule",
        "nyx": "rule",
    }
    order_aid = 17
    start_order = -1
    may_steal = True
    lends = True

    def initial_note(self) -> Note:
        """Nothing stolen."""
        return False

    def starts_turn(self, position: Position, held: Held) -> Iterable[Fact]:
        """Take the foe's power, keep it, or give it back."""
        table = position.table
        foe = next(s for s in range(1, table.seats + 1) if table.side(s) != table.side(held.seat))
        scattered = self._scattered(position, held)
        if scattered and not held.note:
            loot = [other for other in position.held if other.seat == foe]
            if loot:
                yield PowerChanged(held.seat, self.key, True)
                yield from _handed_over(loot, held.seat, "stolen")
        elif held.note and not scattered:
            loot = [h for h in position.held if h.seat == held.seat and h.power != self.key]
            yield PowerChanged(held.seat, self.key, False)
            yield from _handed_over(loot, foe, "returned")

    def _scattered(self, position: Position, held: Held) -> bool:
        """Say whether two of the foe's workers are no neighbours, or there are no two."""
        crew = position.foes_of(position.table.side(held.seat))
        squares = [sq for w, sq in enumerate(position.workers) if crew >> w & 1]
        return len(squares) < 2 or any(
            a != b and not NEIGHBOURS[a] >> b & 1 for a in squares for b in squares
        )

    def state(self, note: Note) -> dict[str, Any]:
        """``stolen``: whether the foe's power is here."""
        return {"stolen": bool(note)}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``stolen``."""
        return bool(state.get("stolen", False))

    def agrees(self, position: Position, held: Held) -> bool:
        """Something is stolen if and only if it is here."""
        hands = [other for other in position.held if other.seat == held.seat]
        return bool(held.note) == (len(hands) > 1)

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write ``stolen`` or ``-`` (T-71)."""
        return "stolen" if held.note else "-"


def _handed_over(loot: Iterable[Held], seat: Seat, reason: str) -> Iterable[Fact]:
    """Yield the passing of cards to another seat, with what they remember (T-49)."""
    for held in loot:
        power = power_of(held)
        note = held.note if power.note_travels else power.initial_note()
        yield PowerLost(held.seat, held.power, reason)
        yield PowerGained(seat, held.power, note)
