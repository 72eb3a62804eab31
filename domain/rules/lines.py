"""Turn lines (T-60): what a step and its consequences look like in notation."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import Built, Fact, Forced, Placed, WorkerRemoved
from domain.board.geometry import NAMES
from domain.rules.resolve import Happening
from domain.rules.step import Step, text_of
from domain.rules.turn import Turn


def automatic_text(fact: Fact) -> str:
    """Write an automatic event in brackets, or nothing when it has no form (T-60)."""
    match fact:
        case Forced(origin, to):
            return f"[{NAMES[origin]}~{NAMES[to]}]"
        case WorkerRemoved(at):
            return f"[x{NAMES[at]}]"
        case Built(origin, at, dome):
            return f"[{NAMES[origin]}^{NAMES[at]}{'*' if dome else ''}]"
        case Placed(_, to, _):
            return f"+{NAMES[to]}"
    return ""


def step_text(turn: Turn, step: Step | None, happenings: Iterable[Happening]) -> str:
    """Write a step played in ``turn`` and what followed; an interrupt's answer stands in braces."""
    words = [] if step is None else [text_of(step)]
    if turn.asked:
        words = [f"{{S{turn.asked}: {words[0]}}}"]
    words += [automatic_text(h.fact) for h in happenings if h.automatic]
    return " ".join(word for word in words if word)


def mark(turn: Turn) -> str:
    """Return the suffix of a finished turn's line: ``#``, ``#S1``, ``##S2`` or nothing (T-60)."""
    outcome = turn.outcome
    if outcome is None:
        return ""
    table = turn.position.table
    if outcome.losers:
        return "".join(f"##S{table.seats_of(side)[0]}" for side in outcome.losers)
    if outcome.winner == table.side(turn.seat):
        return "#"
    return f"#S{table.seats_of(outcome.winner)[0]}"
