"""Turn lines (T-60): what a step and its consequences look like in notation."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.facts import (
    BlockRemoved,
    Built,
    Chosen,
    Exchanged,
    Fact,
    Forced,
    Moved,
    Placed,
    TokenPlaced,
    TokenRemoved,
    WorkerPlaced,
    WorkerRemoved,
)
from domain.board.geometry import BITS, NAMES
from domain.board.position import Position
from domain.rules.keys import shows_sexes
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
    return ""


def chosen_text(fact: Fact, before: Position) -> str:
    """Write a chosen event on the table as it stood before it; nothing when it has no form."""
    match fact:
        case Placed(_, to, sex):
            return f"+{NAMES[to]}{sex if shows_sexes(before) else ''}"
        case WorkerPlaced(_, to, _):
            return f"+{NAMES[to]}"
        case Moved(origin, to, _):
            return f"{NAMES[origin]}>{NAMES[to]}"
        case Built(origin, at, dome):
            return f"{NAMES[origin]}^{NAMES[at]}{'*' if dome else ''}"
        case Forced(origin, to):
            return f"{NAMES[origin]}~{NAMES[to]}"
        case Exchanged(pairs):
            return "(" + ",".join(f"{NAMES[a]}~{NAMES[b]}" for a, b in pairs) + ")"
        case BlockRemoved(at, _):
            return f"{'--' if before.occupied & BITS[at] else '-'}{NAMES[at]}"
        case WorkerRemoved(at):
            return f"x{NAMES[at]}"
        case TokenPlaced(token, _, at, direction, _):
            return f"@{token}:{direction or NAMES[at]}"
        case TokenRemoved(token, _, _):
            return f"@{token}:-"
        case Chosen(_, name, value):
            return f"={name}:{value}"
    return ""


def fact_text(fact: Fact, automatic: bool, before: Position) -> str:
    """Write one event of a turn line (T-60): bare when chosen, in brackets when automatic."""
    return automatic_text(fact) if automatic else chosen_text(fact, before)


def step_text(
    turn: Turn, step: Step | None, happenings: Iterable[Happening], cancelled: bool = False
) -> str:
    """Write a step played in ``turn`` and what followed; an interrupt's answer stands in braces."""
    words = [] if step is None else [("!" if cancelled else "") + text_of(step)]
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
