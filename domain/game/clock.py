"""The clock: what the server does when time has run out, and fresh deadlines (C-35 .. C-40)."""

from __future__ import annotations

from domain.game import draft, setup
from domain.game.commands import RestartClock
from domain.game.errors import Refusal
from domain.game.events import SERVER, ClockRestarted, TimedOut
from domain.game.evolve import LOSING_STREAK
from domain.game.journal import Journal
from domain.game.play import play_one, require_running, withdraw
from domain.game.state import EXTRA_KINDS, Clock
from domain.rules import engine
from domain.rules.resolve import untouched
from domain.rules.step import END, PASS, Step
from domain.rules.turn import Turn


def time_out(journal: Journal) -> None:
    """Act for a seat whose deadline has passed; its third time in a row loses instead (C-37).

    Raises:
        Refusal: nothing is overdue (``not_due``), or the game is not running.
    """
    clock = _overdue(journal)
    journal.actor = SERVER
    chair = journal.game.chairs[clock.seat - 1]
    if clock.kind == "interrupt":
        journal.choice(TimedOut(clock.seat, chair.consecutive_timeouts), clock.seat)
        play_one(journal, PASS)
        return
    count = chair.consecutive_timeouts + 1
    journal.choice(TimedOut(clock.seat, count), clock.seat)
    if count >= LOSING_STREAK:
        withdraw(journal, clock.seat, "timeouts")
    elif clock.kind == "draft":
        draft.play_by_clock(journal)
    elif clock.kind in ("setup", "placement"):
        setup.play_by_clock(journal)
    # A running turn is completed by finish_by_clock, which every command ends with.


def finish_by_clock(journal: Journal) -> None:
    """Complete the running turn if it is the clock's to play (C-36), interrupts apart."""
    while journal.game.by_clock:
        turn = journal.game.turn
        if turn is None or turn.asked:
            return
        journal.actor = SERVER
        for step in _completion(turn):
            going, _ = play_one(journal, step)
            if not going:
                break


def restart(journal: Journal, command: RestartClock) -> None:
    """Give the running decision a fresh deadline after an outage or a pause."""
    require_running(journal.game)
    clock = journal.game.clock
    if clock is None or clock.deadline is None:
        raise Refusal("not_due", "No clock is running.")
    deadline = command.deadline if command.deadline is not None else journal.deadline()
    journal.actor = SERVER
    journal.choice(ClockRestarted(clock.seat, deadline, command.reason), clock.seat)


def _overdue(journal: Journal) -> Clock:
    require_running(journal.game)
    clock = journal.game.clock
    if clock is None or clock.deadline is None or journal.context.now < clock.deadline:
        raise Refusal("not_due", "No deadline has passed.")
    return clock


def _completion(turn: Turn) -> tuple[Step, ...]:
    """Return the steps the clock plays; an extra turn not begun is declined (C-40)."""
    if turn.kind in EXTRA_KINDS and untouched(turn):
        return (END,)
    return engine.automatic_steps(turn)
