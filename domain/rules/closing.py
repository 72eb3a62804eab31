"""Between two turns: power changes, extra turns, the next seat, the start-of-turn effects.

Turn model, sections 6.1 and 6.5: K1, K2, K3, then S1 and S2 of the turn that follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from domain.board.facts import Fact, PowerGained, PowerLost, apply_all
from domain.board.geometry import NEIGHBOURS, Seat
from domain.board.position import Position
from domain.rules.legal import legal_steps
from domain.rules.power import REGISTRY
from domain.rules.resolve import judge_table, untouched
from domain.rules.ruleset import ruleset_for
from domain.rules.step import End
from domain.rules.turn import Outcome, Turn


class Shuffler(Protocol):
    """The chance a close may need: a new order for a deck."""

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in random order."""
        ...


class Closing(NamedTuple):
    """What the close of a turn did, and whose turn of what kind follows (S1, S2 not yet run)."""

    facts: tuple[Fact, ...]
    position: Position
    seat: Seat
    kind: str


def lapse(position: Position, seat: Seat) -> Position:
    """Drop the obligations that bound this seat's turn, which has just ended (E3)."""
    if not position.pacts:
        return position
    side = position.table.side(seat)
    kept = tuple(pact for pact in position.pacts if position.table.side(pact.seat) == side)
    return replace(position, pacts=kept)


def seat_after(position: Position, seat: Seat) -> Seat:
    """Return the next seat in turn order that is still in the game (C-16, C-41)."""
    seats = position.table.seats
    for distance in range(1, seats + 1):
        candidate = (seat - 1 + distance) % seats + 1
        if candidate not in position.out:
            return candidate
    raise AssertionError("no seat left")


def start_facts(position: Position, seat: Seat) -> tuple[Fact, ...]:
    """Return the automatic effects at the start of a seat's turn: S1 (the Ram), then S2."""
    if not (position.held or position.tokens):
        return ()
    facts = list(_ram_facts(position, seat))
    position = apply_all(position, facts)
    done: set[tuple[str, Seat]] = set()
    while True:
        waiting = sorted(
            (
                held
                for held in position.held
                if held.seat == seat and (held.power, held.seat) not in done
            ),
            key=lambda held: REGISTRY[held.power].start_order,
        )
        if not waiting:
            return tuple(facts)
        held = waiting[0]
        done.add((held.power, held.seat))
        new = list(REGISTRY[held.power].starts_turn(position, held))
        facts += new
        position = apply_all(position, new)


def _ram_facts(position: Position, seat: Seat) -> list[Fact]:
    """Give or take the Ram's power for every seat (V-5)."""
    facts: list[Fact] = []
    table = position.table
    for token in position.tokens:
        if token.name != "ram":
            continue
        around = NEIGHBOURS[token.square]
        for other in sorted(range(1, table.seats + 1), key=lambda s: (s != seat, s)):
            crew = position.squares_of_crew(position.crew_of(table.side(other)))
            held = any(h.seat == other and h.power == token.card for h in position.held)
            if bool(crew & around) != held:
                if held:
                    facts.append(PowerLost(other, token.card, "ram"))
                else:
                    note = REGISTRY[token.card].initial_note()
                    facts.append(PowerGained(other, token.card, note))
    return facts


def open_turn(position: Position, seat: Seat, kind: str = "normal") -> Turn:
    """Return the turn that begins on this table, S1 and S2 done."""
    return Turn(seat, kind, position, position)


def start_verdict(turn: Turn) -> Outcome | None:
    """Return the win that already stands when a turn starts (S4), or None."""
    rules = ruleset_for(turn.position, turn.seat, turn.kind)
    return judge_table(turn, rules).outcome if rules.stands_won else None


def close_turn(turn: Turn, dice: Shuffler | None = None) -> Closing:
    """Close a finished turn: power changes (K1), extra turns (K2), or the next seat (K3).

    ``dice`` is asked only when a deck must be shuffled anew; without it the facts that need it are
    left out and the caller must not rely on unseen cards.
    """
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    position = lapse(turn.position, turn.seat)
    if position is not turn.position:
        turn = replace(turn, position=position)
    facts: list[Fact] = []
    if turn.kind == "normal" or not untouched(turn):
        for hook, index in rules.after_turn:
            held = _still(turn, rules.extra, turn.opening.held, index)
            if held is None:
                continue
            new = list(hook(turn, held, dice))
            facts += new
            turn = replace(turn, position=apply_all(turn.position, new))
        kind, extra_facts = _extra_turn(turn, dice)
        if extra_facts:
            facts += extra_facts
            turn = replace(turn, position=apply_all(turn.position, extra_facts))
        if kind and _playable(turn.position, turn.seat, kind):
            return Closing(tuple(facts), turn.position, turn.seat, kind)
    position = turn.position
    return Closing(tuple(facts), position, seat_after(position, turn.seat), "normal")


def _still(turn: Turn, extra: Any, opening_held: Any, index: int) -> Any:
    """Return today's holding behind an entry compiled at the opening, or None when it is gone."""
    if index >= len(opening_held):
        return extra[index - len(opening_held)]
    then = opening_held[index]
    for held in turn.position.held:
        if (held.power, held.seat) == (then.power, then.seat):
            return held
    return None


def _extra_turn(turn: Turn, dice: Shuffler | None) -> tuple[str, list[Fact]]:
    """Ask the cards the active seat holds after K1 whether an extra turn is earned (K2, T-48)."""
    facts: list[Fact] = []
    kind = ""
    for held in turn.position.held:
        if held.seat != turn.seat:
            continue
        new, earned = REGISTRY[held.power].draws_extra(turn, held, dice)
        facts += new
        if earned and not kind:
            kind = held.power
    return kind, facts


def _playable(position: Position, seat: Seat, kind: str) -> bool:
    """Say whether a complete turn exists in an extra turn, after its S1 and S2 (T-45)."""
    opened = open_turn(apply_all(position, start_facts(position, seat)), seat, kind)
    return any(not isinstance(step, End) for step in legal_steps(opened))
