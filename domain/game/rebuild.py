"""A game rebuilt from its record (T-62): every step is played again, and must lead where it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from domain.board.geometry import Seat
from domain.board.position import table_for
from domain.game import play, record
from domain.game.commands import Create, Dice
from domain.game.errors import Flaw, Refusal
from domain.game.events import PLAYER, SERVER, Entry, Resigned, TimedOut
from domain.game.evolve import LOSING_STREAK
from domain.game.journal import Context, Journal
from domain.game.lifecycle import create, join_all
from domain.game.record import BadRecord, Exit, Play, Record, parse_record
from domain.game.settings import PowersOption, Settings
from domain.game.state import EXTRA_KINDS, NEW, TURN_KINDS, Game
from domain.rules.power import REGISTRY
from domain.rules.step import END, Step

T = TypeVar("T")


def rebuild(text: str, context: Context) -> tuple[Entry, ...]:
    """Return the log of a new game, flagged imported and without a clock, that a record tells.

    Raises:
        Refusal: ``validation_failed`` names the line that is no record or cannot have happened.
    """
    try:
        told = parse_record(text)
    except BadRecord as error:
        raise _refused(error.number, error.detail) from None
    for key in told.powers.values():
        if key in REGISTRY and REGISTRY[key].deck_secret and key not in told.decks:
            detail = f"The order of {key}'s deck is not told before the end; import the log."
            raise _refused(1, detail)
    dice = _Told(context.dice, told)
    journal = Journal(NEW, Context(context.now, dice))
    settings = _settings(told)
    create(journal, Create(settings, _challenger(told)), imported=True)
    join_all(journal)
    for line in (*told.draft, *told.plays):
        _replay(journal, line)
    _close(journal, told)
    _compare(journal.game, text)
    return tuple(journal.entries)


class _Told:
    """Dice that deal the powers of the record, Night Power and decks too, and else fall as ever."""

    def __init__(self, dice: Dice, told: Record) -> None:
        self._dice = dice
        self._night = told.powers.get("night")
        self._dealt = {k for place, k in told.powers.items() if place not in ("night", "ram")}
        self._decks = [list(orders) for orders in told.decks.values()]

    def choice(self, options: Sequence[T]) -> T:
        for option in options:
            if option == self._night:
                return option
        return self._dice.choice(options)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        for orders in self._decks:
            if orders and sorted(map(str, items)) == sorted(orders[0]):
                return _in_order(items, orders.pop(0))
        mixed = self._dice.shuffled(items)
        return tuple(sorted(mixed, key=lambda item: item not in self._dealt))

    def nonce(self) -> str:
        return self._dice.nonce()


def _in_order(items: Sequence[T], order: Sequence[str]) -> tuple[T, ...]:
    """Return the same items as their words follow one another; equal ones may repeat."""
    left = list(items)
    return tuple(left.pop([str(item) for item in left].index(word)) for word in order)


def _challenger(told: Record) -> Seat:
    """Return who led the draft: its first line is the Challenger's, or the next seat's pick."""
    if not told.draft:
        return 1
    first, seats = told.draft[0], table_for(told.variant).seats
    if "=power:" in first.text:
        return (first.seat - 2) % seats + 1
    return first.seat


def _settings(told: Record) -> Settings:
    seats = table_for(told.variant).seats
    keys = tuple(told.powers.get(f"S{seat}", "mortal") for seat in range(1, seats + 1))
    powers = PowersOption()
    if told.mode == "golden_fleece":
        offer = "draft" if told.draft else ""
        powers = PowersOption("golden_fleece", offer=offer)
        if not told.draft:
            powers = PowersOption("golden_fleece", power=told.powers.get("ram", ""))
    elif told.draft:
        bga = any("=start_power:" in line.text for line in told.draft)
        full = any("=offer:" in line.text for line in told.draft)
        order, offer = "bga" if bga else "official", "full" if full else "quick"
        powers = PowersOption("draft", order=order, offer=offer)
    elif told.mode == "gods":
        powers = PowersOption("fixed", seats=keys)
    drafted = powers.mode == "draft"
    start = "random" if drafted or told.start is None else told.start
    return Settings(told.variant, powers, start_seat=start, turn_seconds=None)


def _replay(journal: Journal, line: Play | Exit) -> None:
    if isinstance(line, Exit):
        _leave(journal, line.seat, line.reason)
        return
    if line.number:
        _decline_extras(journal, line.number)
    clock = journal.game.clock
    numbered = clock is not None and clock.kind in TURN_KINDS
    if clock is None or clock.seat != line.seat or line.number != clock.number * numbered:
        raise _told(line, "This decision is not the next one.")
    journal.actor = PLAYER
    if line.line.clock:
        journal.actor = SERVER
        count = journal.game.chairs[line.seat - 1].consecutive_timeouts + 1
        journal.choice(TimedOut(line.seat, count), line.seat)
    try:
        for seat, step in line.line.steps:
            _one(journal, line, seat or line.seat, step)
    except Refusal as refusal:
        raise _told(line, refusal.detail) from None


def _one(journal: Journal, line: Play, seat: Seat, step: Step) -> None:
    if journal.game.clock is None or journal.game.clock.seat != seat:
        raise _told(line, "The turn is over before this step.")
    play.play_one(journal, step)


def _decline_extras(journal: Journal, number: int) -> None:
    """Decline extra turns that left no line (T-60)."""
    clock = journal.game.clock
    while clock is not None and clock.kind in EXTRA_KINDS and clock.number < number:
        play.play_one(journal, END)
        clock = journal.game.clock


def _leave(journal: Journal, seat: Seat, reason: str) -> None:
    play.require_running(journal.game)
    if reason == "resignation":
        journal.actor = PLAYER
        journal.choice(Resigned(seat), seat)
    else:
        journal.actor = SERVER
        journal.choice(TimedOut(seat, LOSING_STREAK), seat)
    play.withdraw(journal, seat, reason)


def _close(journal: Journal, told: Record) -> None:
    """Let the loser of a two-sided game leave, when the record says that it did."""
    if told.result is None or journal.game.result is not None:
        return
    winner, reason = told.result
    table = journal.game.table
    assert table is not None
    if reason in ("resignation", "timeouts") and journal.game.clock is not None:
        losing = [c.seat for c in journal.game.chairs if c.side != table.side(winner)]
        running = journal.game.clock.seat
        _leave(journal, running if running in losing else losing[0], reason)


def _compare(game: Game, text: str) -> None:
    """Hold the rebuilt game's own record against the one that was read."""
    told = [line.strip() for line in text.splitlines() if line.strip()]
    written = record.record_text(game, "all").splitlines()
    for number, line in enumerate(told, 1):
        if line not in written:
            raise _refused(number, "This is not what happens when the game is played again.")
    if len(told) != len(written):
        raise _refused(len(told), "Something is missing here.")


def _told(line: Play, detail: str) -> Refusal:
    flaw = Flaw("/record", "not_replayable", f"{line.text}: {detail}")
    return Refusal("validation_failed", "The record cannot be played again.", [flaw])


def _refused(number: int, detail: str) -> Refusal:
    flaw = Flaw("/record", "not_a_record", f"line {number}: {detail}")
    return Refusal("validation_failed", "This is no record of a game.", [flaw])
