"""The rules engine's front door: everything the game and the service ask of the rules."""

from __future__ import annotations

from domain.rules.closing import (
    Closing,
    close_turn,
    lapse,
    open_turn,
    seat_after,
    start_facts,
    start_verdict,
)
from domain.rules.history import ask, record, record_pass
from domain.rules.keys import EVERYTHING, position_key
from domain.rules.legal import Played, legal_steps, play
from domain.rules.lines import mark, step_text
from domain.rules.resolve import Happening, elimination_facts, loss, sides_left
from domain.rules.turns import LegalTurn, legal_turns, perft

__all__ = [
    "EVERYTHING",
    "Closing",
    "Happening",
    "LegalTurn",
    "Played",
    "ask",
    "close_turn",
    "elimination_facts",
    "lapse",
    "legal_steps",
    "legal_turns",
    "loss",
    "mark",
    "open_turn",
    "perft",
    "play",
    "position_key",
    "record",
    "record_pass",
    "seat_after",
    "sides_left",
    "start_facts",
    "start_verdict",
    "step_text",
]
