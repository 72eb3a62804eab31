"""Hecate."""

from __future__ import annotations

from domain.board.geometry import Crew
from domain.board.position import Held, Position
from domain.rules.power import Power


class Hecate(Power):
    """Only you see your workers; a foe's step that meets one is cancelled and ends his turn.

    Rule: P-39. What a cancelled step means stands in ``domain.rules.secrets``: it is generic for
    workers that somebody hides. You place last and in secret.
    """

    key = "hecate"
    name = "Hecate"
    number = 39
    group = "golden_fleece"
    players = (2,)
    hidden_information = True
    phases = ("setup", "any_time")
    bans = {
        "chaos": "implementation",
        "charon": "rule",
        "circe": "rule",
        "dionysus": "rule",
        "charybdis": "implementation",
        "moerae": "rule",
        "nemesis": "implementation",
        "siren": "implementation",
        "tartarus": "rule",
        "adonis": "implementation",
        "medea": "rule",
        "odysseus": "implementation",
        "theseus": "rule",
        "scylla": "rule",
        "proteus": "implementation",
        "eris": "rule",
        "iris": "implementation",
        "nyx": "rule",
    }
    order_aid = 64
    must_not_start = True

    def hides(self, position: Position, held: Held) -> Crew:
        """Hide all workers of the holder's side."""
        return position.crew_of(position.table.side(held.seat))
