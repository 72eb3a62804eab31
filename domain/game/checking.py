"""Is this log one that the rules could have written? Every choice is decided again and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.board.facts import Built, Chosen, Moved, Placed, PowerGained, TokenPlaced
from domain.game.commands import (
    Cancel,
    Command,
    Create,
    Join,
    Leave,
    LinkRematch,
    Play,
    Resign,
    RestartClock,
    TimeOut,
)
from domain.game.decide import Context, decide
from domain.game.errors import Refusal
from domain.game.events import (
    PLAYER,
    Cancelled,
    ClockRestarted,
    Created,
    Entry,
    Joined,
    Left,
    Offered,
    Passed,
    RematchCreated,
    Resigned,
    Started,
    StepCancelled,
    TimedOut,
    TurnEnded,
    TurnStarted,
)
from domain.game.evolve import fold
from domain.game.state import NEW, RAM, Game
from domain.rules.history import step_of
from domain.rules.parsing import parse_step
from domain.rules.step import END, PASS, Build, Choose, Move, Place, PlaceToken, Step

T = TypeVar("T")


class Unlawful(Struct, frozen=True):
    """The first version of a log that the rules would not have written, and what is wrong."""

    version: int
    problem: str


def first_flaw(entries: Sequence[Entry]) -> Unlawful | None:
    """Return the first entry that does not follow from the game before it, or None.

    Chance falls as the log says; deadlines are not judged.
    """
    game = NEW
    for unit in _units(entries):
        problem = _check(game, unit)
        if problem is not None:
            return problem
        game = fold(unit, game)
    return None


def _units(entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    """Cut a log before every choice that a command can begin with."""
    start = 0
    for index in range(1, len(entries)):
        if _begins(entries[index]):
            yield tuple(entries[start:index])
            start = index
    if entries:
        yield tuple(entries[start:])


def _begins(entry: Entry) -> bool:
    return entry.chosen and (
        entry.actor == PLAYER or isinstance(entry.data, TimedOut | ClockRestarted)
    )


def _check(game: Game, unit: tuple[Entry, ...]) -> Unlawful | None:
    version = game.version + 1
    command = _command(game, unit[0])
    if command is None:
        return Unlawful(version, "Nothing can begin with this event.")
    clock = game.clock
    now = (clock.deadline if clock is not None else None) or 0
    try:
        again = decide(game, command, Context(now, _Fallen(unit, game)))
    except Refusal as refusal:
        return Unlawful(version, refusal.detail)
    except (LookupError, ValueError, AssertionError):
        return Unlawful(version, "This cannot happen here.")
    if isinstance(unit[0].data, Created):
        again = again[:1]
    for offset, (told, redone) in enumerate(zip(unit, again, strict=False)):
        if _bare(told) != _bare(redone):
            return Unlawful(version + offset, "Something else follows from the events before.")
    if len(unit) != len(again):
        shorter = min(len(unit), len(again))
        return Unlawful(version + min(shorter, len(unit) - 1), "An event is missing or too many.")
    return None


def _bare(entry: Entry) -> Entry:
    """Return an entry without what a check cannot know: deadlines and flags of the import."""
    data = entry.data
    if isinstance(data, TurnStarted | ClockRestarted):
        entry = replace(entry, data=replace(data, deadline=None))
    elif isinstance(data, Created):
        entry = replace(entry, data=replace(data, imported=False))
    elif isinstance(data, TokenPlaced) and data.token == RAM:
        entry = replace(entry, data=replace(data, seat=0))
    return entry


def _command(game: Game, first: Entry) -> Command | None:
    match first.data:
        case Created(settings, _, seat):
            return Create(settings, seat)
        case Joined(seat, name):
            return Join(seat, name)
        case Left(seat):
            return Leave(seat)
        case Cancelled():
            return Cancel()
        case Resigned(seat):
            return Resign(seat)
        case TimedOut():
            return TimeOut()
        case ClockRestarted(_, deadline, reason):
            return RestartClock(reason, deadline)
        case RematchCreated(game_id):
            return LinkRematch(game_id)
    step = _step(game, first)
    return None if step is None or first.seat is None else Play(first.seat, (step,))


def _step(game: Game, entry: Entry) -> Step | None:
    match entry.data:
        case Moved(origin, to):
            return Move(origin, to)
        case Built(origin, at, dome):
            return Build(origin, at, dome)
        case Placed(_, to):
            return Place(to)
        case TokenPlaced(token, _, at) if token == RAM:
            return Place(at)
        case TokenPlaced(token, _, at, direction):
            return PlaceToken(token, at, direction)
        case Chosen(_, name, value):
            return Choose(name, value)
        case Passed():
            return PASS
        case TurnEnded():
            return END
        case StepCancelled(_, text):
            return parse_step(text)
    return None if game.turn is None else step_of(game.turn, entry.data)


class _Fallen:
    """Dice that fall as a unit of the log tells."""

    def __init__(self, unit: tuple[Entry, ...], game: Game) -> None:
        self._nonces = iter([entry.nonce for entry in unit if entry.nonce])
        self._steps = [step for e in unit if e.chosen and (step := _step(NEW, e))]
        self._values = [entry.data.value for entry in unit if isinstance(entry.data, Chosen)]
        self._seats = [seat for entry in unit if (seat := _drawn_seat(entry, game)) is not None]
        self._sequences = [
            tuple(found)
            for entry in unit
            if not isinstance(entry.data, PowerGained)
            for found in _sequences(entry.data)
        ]

    def choice(self, options: Sequence[T]) -> T:
        told: list[Any] = self._steps
        if isinstance(options[0], str | int):
            told = self._values if isinstance(options[0], str) else self._seats
        for index, value in enumerate(told):
            for option in options:
                if option == value:
                    del told[index]
                    return option
        return options[0]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        for sequence in self._sequences:
            if len(sequence) == len(items) and sorted(map(repr, sequence)) == sorted(
                map(repr, items)
            ):
                return sequence
        for sequence in self._sequences:
            if sequence and all(one in items for one in sequence):
                rest = [item for item in items if item not in sequence]
                return (*(item for item in sequence if item in items), *rest)
        return tuple(items)

    def nonce(self) -> str:
        return next(self._nonces, "")


def _drawn_seat(entry: Entry, game: Game) -> int | None:
    """Return the seat an entry may have been drawn for: who starts, who is the Challenger."""
    match entry.data:
        case Started(start, _) if game.settings.start_seat == "random":
            return start
        case Offered():
            return entry.seat
        case TurnStarted(seat, _, "draft"):
            return seat
    return None


def _sequences(value: Any) -> Iterator[Sequence[Any]]:
    """Yield the tuples in a fact, inner ones too: decks, offers, hands."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _sequences(getattr(value, name))
        yield tuple(_flat(value))
    elif isinstance(value, tuple):
        yield value
        for inner in value:
            yield from _sequences(inner)


def _flat(value: Any) -> Iterator[Any]:
    """Yield the words in a fact or a card's memory, in order."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _flat(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _flat(inner)
    elif value:
        yield value
