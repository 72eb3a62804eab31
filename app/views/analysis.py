"""The answer of an analysis: what was wanted, and who has won."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from app.services.analysis import Analysis
from app.views.steps import step_body
from app.views.turns import turn_body


def analysis_body(analysis: Analysis, want: Collection[str], limit: int) -> dict[str, Any]:
    """Return the members that were asked for; ``winners`` is always there."""
    body: dict[str, Any] = {
        "seat": analysis.seat,
        "key": analysis.key,
        "winners": list(analysis.winners),
    }
    if "legal_steps" in want:
        body["legal_steps"] = [step_body(step) for step in analysis.steps()]
    if "legal_turns" in want:
        turns, truncated = analysis.turns(limit)
        body["legal_turns"] = [
            turn_body(turn, analysis.turn.seat, analysis.seats_of(turn.winner)) for turn in turns
        ]
        body["truncated"] = truncated
    if "result" in want:
        body["result"] = analysis.result()
    return body
