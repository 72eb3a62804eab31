"""The rules engine's front door: everything the game and the service ask of the rules."""

from __future__ import annotations

from domain.rules.automatic import automatic_steps
from domain.rules.closing import (
    Closing,
    close_turn,
    lapse,
    open_turn,
    seat_after,
    start_facts,
    start_verdict,
)
from domain.rules.explaining import Reason, explain
from domain.rules.history import ask, record, record_pass
from domain.rules.keys import EVERYTHING, position_key
from domain.rules.legal import Played, legal_steps, play
from domain.rules.lines import mark, step_text
from domain.rules.losing import elimination_facts, loss, sides_left
from domain.rules.parsing import BadNotation, parse_line, parse_step
from domain.rules.resolve import Happening
from domain.rules.turns import LegalTurn, legal_turns, perft

__all__ = [
    "EVERYTHING",
    "BadNotation",
    "Closing",
    "Happening",
    "LegalTurn",
    "Played",
    "Reason",
    "ask",
    "automatic_steps",
    "close_turn",
    "elimination_facts",
    "explain",
    "lapse",
    "legal_steps",
    "legal_turns",
    "loss",
    "mark",
    "open_turn",
    "parse_line",
    "parse_step",
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
