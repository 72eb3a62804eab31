"""Beginnings and ends: whose turn comes, who is stuck, who leaves the table, who has won."""

from __future__ import annotations

from domain.board.facts import Fact
from domain.board.geometry import Seat, Side
from domain.board.position import Position
from domain.game.events import Eliminated, Finished, Loser, TurnEnded, TurnStarted
from domain.game.journal import Journal
from domain.rules.engine import (
    elimination_facts,
    legal_steps,
    open_turn,
    seat_after,
    sides_left,
    start_facts,
    start_verdict,
)
from domain.rules.turn import Outcome


def begin_frame(journal: Journal, seat: Seat, kind: str) -> None:
    """Start the clock of a draft decision, setup choice, placement or interrupt.

    It bears the number of the latest turn, 0 before the first one.
    """
    started = TurnStarted(seat, journal.game.numbered, kind, journal.deadline())
    journal.effect(started, seat)


def end_frame(journal: Journal, explicit: bool = False) -> None:
    """Close whatever is running; an ``end`` step is itself the choice to do so (T-11)."""
    clock = journal.game.clock
    assert clock is not None
    add = journal.choice if explicit else journal.effect
    add(TurnEnded(clock.seat, clock.number, clock.kind, explicit), clock.seat)


def begin_turn(journal: Journal, seat: Seat, kind: str = "normal") -> None:
    """Start a seat's turn (S1..S6); a seat that is stuck loses at once (C-31), and so on."""
    while True:
        for fact in start_facts(_table(journal), seat):
            journal.effect(fact, _concerned(fact, seat))
        turn = open_turn(_table(journal), seat, kind)
        verdict = start_verdict(turn)
        if verdict is not None:
            conclude(journal, verdict, seat)
            return
        if legal_steps(turn):
            number = journal.game.numbered + 1
            journal.effect(TurnStarted(seat, number, kind, journal.deadline()), seat)
            return
        if not lose(journal, seat, "stuck"):
            return
        seat, kind = seat_after(_table(journal), seat), "normal"


def conclude(journal: Journal, outcome: Outcome, seat: Seat) -> bool:
    """Record a win, or the loss of a side; say whether the game goes on."""
    table = _table(journal).table
    if outcome.winner:
        finish(journal, outcome.winner, outcome.reason, outcome.reason, seat)
        return False
    return all(
        lose(journal, table.seats_of(side)[0], outcome.reason or "lose_condition")
        for side in outcome.losers
    )


def lose(journal: Journal, seat: Seat, reason: str) -> bool:
    """Record that a seat's side has lost (C-25, C-41); say whether the game goes on.

    The turn of a seat that has just been eliminated is not closed here.
    """
    position = _table(journal)
    side = position.table.side(seat)
    left = [s for s in sides_left(position) if s != side]
    if len(left) == 1:
        last = "last_side" if len(set(position.table.sides)) > 2 else reason
        finish(journal, left[0], last, reason, seat)
        return False
    _eliminate(journal, side, reason)
    return True


def finish(journal: Journal, winner: Side, reason: str, losing: str, seat: Seat) -> None:
    """End the game; ``losing`` is the reason of those who have not lost before."""
    position = _table(journal)
    winners = position.table.seats_of(winner)
    fallen = {loser.seat: loser for loser in journal.game.losers}
    losers = tuple(
        fallen.get(chair.seat) or Loser(chair.seat, losing)
        for chair in journal.game.chairs
        if chair.seat not in winners
    )
    journal.effect(Finished(winners, reason, losers), seat)


def _eliminate(journal: Journal, side: Side, reason: str) -> None:
    position = _table(journal)
    seats = position.table.seats_of(side)
    journal.effect(Eliminated(seats, reason), seats[0])
    for fact in elimination_facts(position, side):
        journal.effect(fact, seats[0])


def _table(journal: Journal) -> Position:
    assert journal.game.position is not None
    return journal.game.position


def _concerned(fact: Fact, seat: Seat) -> Seat:
    """Return whom an automatic fact concerns: the seat it names, else the active one."""
    named = getattr(fact, "seat", 0)
    return named or seat
