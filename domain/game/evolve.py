"""evolve: the game after one entry. A table from data type to function; no rules, no dice.

Nothing here refuses anything: an entry is true once it has been decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from domain.board.facts import (
    BlockRemoved,
    Built,
    Chosen,
    Exchanged,
    Fact,
    Forced,
    Moved,
    Placed,
    PowerChanged,
    PowerGained,
    PowerLost,
    TokenPlaced,
    TokenRemoved,
    WorkerPlaced,
    WorkerRemoved,
    apply,
)
from domain.board.geometry import Seat
from domain.board.position import Held, Position, empty_position, table_for
from domain.game import lines
from domain.game.events import (
    Cancelled,
    ClockRestarted,
    Created,
    Eliminated,
    Entry,
    Finished,
    Joined,
    Left,
    Loser,
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
from domain.game.settings import powers_mode
from domain.game.state import NEW, RAM, TURN_KINDS, Chair, Clock, Game
from domain.rules.closing import lapse
from domain.rules.history import ask, record, record_pass
from domain.rules.keys import watching_seats
from domain.rules.power import power_of
from domain.rules.turn import Turn

_STATUS = {"draft": "drafting", "setup": "placing", "placement": "placing"}
LOSING_STREAK = 3
"""Time-outs in a row that lose the game (C-37)."""


def evolve(game: Game, entry: Entry) -> Game:
    """Return the game after one entry."""
    if entry.chosen:
        game = replace(game, chosen_at=game.version + 1)
    game = _EVOLVE[type(entry.data)](game, entry, entry.data)
    for fact in entry.hidden or ():
        game = _hidden(game, fact)
    return game


def fold(entries: Iterable[Entry], game: Game = NEW) -> Game:
    """Return the game after all entries, in order."""
    return reduce(evolve, entries, game)


def _next(game: Game, **changes: Any) -> Game:
    return replace(game, version=game.version + 1, **changes)


def _chair(game: Game, seat: Seat, **changes: Any) -> tuple[Chair, ...]:
    return tuple(replace(c, **changes) if c.seat == seat else c for c in game.chairs)


# -- the life of a game -------------------------------------------------------------------------


def _created(game: Game, entry: Entry, data: Created) -> Game:
    table = table_for(data.settings.variant, powers_mode(data.settings))
    return _next(
        game,
        settings=data.settings,
        imported=data.imported,
        creator_seat=data.creator_seat,
        table=table,
        position=empty_position(table),
        chairs=tuple(Chair(seat, side) for seat, side in enumerate(table.sides, 1)),
    )


def _joined(game: Game, entry: Entry, data: Joined) -> Game:
    return _next(game, chairs=_chair(game, data.seat, name=data.name, status="active"))


def _left(game: Game, entry: Entry, data: Left) -> Game:
    return _next(game, chairs=_chair(game, data.seat, name=None, status="free"))


def _started(game: Game, entry: Entry, data: Started) -> Game:
    chairs = tuple(
        replace(chair, power=power) for chair, power in zip(game.chairs, data.powers, strict=True)
    )
    return _next(game, status="placing", start_seat=data.start_seat, chairs=chairs)


def _offered(game: Game, entry: Entry, data: Offered) -> Game:
    challenger = game.challenger or entry.seat
    if not data.final:
        return _next(game, challenger=challenger, limited=data.powers)
    if game.settings.powers.mode == "golden_fleece" and len(data.powers) == 1:
        return _next(game, offer=data.powers, ram_power=data.powers[0])
    return _next(game, challenger=challenger, offer=data.powers)


def _turn_started(game: Game, entry: Entry, data: TurnStarted) -> Game:
    clock = Clock(data.number, data.seat, data.kind, data.deadline)
    if data.kind == "interrupt":
        return _interrupted(game, clock)
    changes: dict[str, Any] = {"clock": clock, "status": _STATUS.get(data.kind, "playing")}
    if data.kind in TURN_KINDS:
        assert game.position is not None
        changes["turn"] = Turn(data.seat, data.kind, game.position, game.position)
        changes["numbered"] = data.number
    if data.kind == "draft" and game.challenger is None:
        changes["challenger"] = data.seat
    return _next(game, **changes)


def _interrupted(game: Game, clock: Clock) -> Game:
    suspended, turn = game.clock, game.turn
    assert suspended is not None and turn is not None
    if suspended.deadline is not None and clock.deadline is not None:
        began = clock.deadline - (game.settings.turn_seconds or 0) * 1000
        suspended = replace(suspended, left=max(0, suspended.deadline - began))
    return _next(game, clock=clock, suspended=suspended, turn=ask(turn, clock.seat))


def _turn_ended(game: Game, entry: Entry, data: TurnEnded) -> Game:
    if data.kind == "interrupt":
        assert game.turn is not None and game.suspended is not None
        clock = replace(game.suspended, left=None)
        return _next(game, clock=clock, suspended=None, turn=ask(game.turn, 0))
    changes: dict[str, Any] = {"clock": None, "turn": None, "line": "", "by_clock": False}
    changes["lines"] = lines.ended(game, data)
    if data.kind in TURN_KINDS:
        assert game.position is not None
        changes["position"] = lapse(game.position, data.seat)
    chair = game.chairs[data.seat - 1]
    if chair.consecutive_timeouts and chair.status == "active" and not game.by_clock:
        changes["chairs"] = _chair(game, data.seat, consecutive_timeouts=0)
    if data.kind in ("setup", "placement"):
        changes["prepared"] = (*game.prepared, (data.kind, data.seat))
    return _next(game, **changes)


def _passed(game: Game, entry: Entry, data: Passed) -> Game:
    turn = game.turn
    if turn is not None and not turn.asked:
        turn = record_pass(turn)
    return _next(game, turn=turn, line=lines.extended(game, "-"))


def _step_cancelled(game: Game, entry: Entry, data: StepCancelled) -> Game:
    return _next(game, line=lines.extended(game, f"!{data.step}"))


def _resigned(game: Game, entry: Entry, data: Resigned) -> Game:
    return _next(game)


def _cancelled(game: Game, entry: Entry, data: Cancelled) -> Game:
    return _next(game, status="cancelled", clock=None)


def _timed_out(game: Game, entry: Entry, data: TimedOut) -> Game:
    if game.clock is not None and game.clock.kind == "interrupt":
        return _next(game)
    chairs = _chair(game, data.seat, consecutive_timeouts=data.count)
    return _next(game, chairs=chairs, by_clock=data.count < LOSING_STREAK)


def _clock_restarted(game: Game, entry: Entry, data: ClockRestarted) -> Game:
    clock = game.clock
    return _next(game, clock=None if clock is None else replace(clock, deadline=data.deadline))


def _eliminated(game: Game, entry: Entry, data: Eliminated) -> Game:
    assert game.position is not None
    out = tuple(sorted({*game.position.out, *data.seats}))
    turn = game.turn
    if turn is not None:
        turn = replace(turn, position=replace(turn.position, out=out))
    chairs = tuple(
        replace(chair, status="eliminated") if chair.seat in data.seats else chair
        for chair in game.chairs
    )
    losers = (*game.losers, *(Loser(seat, data.reason) for seat in data.seats))
    line, written = lines.eliminated(game, data)
    return _next(
        game,
        position=replace(game.position, out=out),
        turn=turn,
        chairs=chairs,
        losers=losers,
        line=line,
        lines=written,
    )


def _finished(game: Game, entry: Entry, data: Finished) -> Game:
    ended = game.clock or Clock(game.numbered, entry.seat or 1, "normal")
    return _next(
        game,
        status="finished",
        result=data,
        ended=game.suspended or ended,
        clock=None,
        suspended=None,
        turn=None,
        line="",
        lines=lines.finished(game, data),
    )


def _rematch_created(game: Game, entry: Entry, data: RematchCreated) -> Game:
    return _next(game, next_game=data.game_id)


# -- board facts --------------------------------------------------------------------------------


def _board(game: Game, fact: Fact, chosen: bool) -> tuple[Turn | None, Position]:
    turn = game.turn
    if turn is not None:
        turn = record(turn, fact, chosen)
        return turn, turn.position
    assert game.position is not None
    return None, apply(game.position, fact)


def _fact(game: Game, entry: Entry, fact: Fact) -> Game:
    turn, position = _board(game, fact, entry.chosen)
    if game.clock is None or _leaves(game, entry):
        return _next(game, turn=turn, position=position)
    line = lines.extended(game, lines.fact_text(game, fact, entry.chosen))
    return _next(game, turn=turn, position=position, line=line)


def _leaves(game: Game, entry: Entry) -> bool:
    """Say whether a fact clears the table of an eliminated side; no line tells it (C-41)."""
    assert game.position is not None
    return not entry.chosen and entry.seat in game.position.out


def _hidden(game: Game, fact: Fact) -> Game:
    turn, position = _board(game, fact, False)
    line = lines.extended(game, lines.hidden_text(game, fact))
    return replace(game, turn=turn, position=position, line=line)


def _placed(game: Game, entry: Entry, fact: Placed) -> Game:
    assert game.position is not None
    position = apply(game.position, fact)
    text = lines.fact_text(game, fact, True)
    if game.clock is None:
        return _next(game, position=position, lines=lines.laid(game, fact.seat, text))
    return _next(game, position=position, line=lines.extended(game, text))


def _token_placed(game: Game, entry: Entry, fact: TokenPlaced) -> Game:
    """Put a token down; one that is chosen in the setup stays on its card, the Ram apart."""
    if fact.token == RAM:
        return _watched(_fact(game, entry, replace(fact, seat=0, card=game.ram_power or "")))
    if game.clock is not None and game.clock.kind == "setup":
        return _next(game, line=lines.extended(game, lines.fact_text(game, fact, True)))
    return _fact(game, entry, fact)


def _watched(game: Game) -> Game:
    """Start to remember who moved last once somebody may ask for it (T-29)."""
    position = game.position
    assert position is not None
    if position.last_moved or not watching_seats(position):
        return game
    nobody = (-1,) * len(set(position.table.sides))
    return replace(game, position=replace(position, last_moved=nobody))


def _dealt(game: Game, fact: PowerGained | PowerChanged) -> tuple[Chair, ...]:
    held = Held(fact.power, fact.seat, fact.note)
    return tuple(
        replace(chair, dealt=held) if chair.power == fact.power else chair for chair in game.chairs
    )


def _power(game: Game, entry: Entry, fact: PowerGained | PowerChanged) -> Game:
    changed = replace(_fact(game, entry, fact), chairs=_dealt(game, fact))
    if isinstance(fact, PowerChanged):
        changed = replace(changed, shuffles=_shuffles(game, fact))
    return _watched(changed) if game.numbered == 0 else changed


def _shuffles(game: Game, fact: PowerChanged) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the orders of decks so far, this one included unless a card was drawn from the last.

    What is known of a deck before its first shuffle is no order.
    """
    assert game.position is not None
    held = game.position.holding(fact.power)
    if held is None:
        return game.shuffles
    power = power_of(held)
    order, before = power.deck(fact.note), power.deck(held.note)
    shuffled = any(name == fact.power for name, _ in game.shuffles)
    if not order or (shuffled and len(order) == len(before) - 1):
        return game.shuffles
    return (*game.shuffles, (fact.power, order))


def _chosen(game: Game, entry: Entry, fact: Chosen) -> Game:
    changed = _fact(game, entry, fact)
    match fact.name:
        case "offer":
            return replace(changed, offer=(*game.offer, fact.value))
        case "night_power":
            return replace(changed, night_power=fact.value)
        case "start_power":
            return replace(changed, start_power=fact.value)
        case "start_seat":
            return replace(changed, start_seat=int(fact.value[1:]))
        case "power" if game.settings.powers.mode == "golden_fleece":
            return replace(changed, ram_power=fact.value)
        case "power":
            return replace(changed, chairs=_chair(game, fact.seat, power=fact.value))
    return changed


_EVOLVE: dict[type[Any], Callable[[Game, Entry, Any], Game]] = {
    Created: _created,
    Joined: _joined,
    Left: _left,
    Started: _started,
    Offered: _offered,
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    Passed: _passed,
    StepCancelled: _step_cancelled,
    Resigned: _resigned,
    Cancelled: _cancelled,
    TimedOut: _timed_out,
    ClockRestarted: _clock_restarted,
    Eliminated: _eliminated,
    Finished: _finished,
    RematchCreated: _rematch_created,
    Placed: _placed,
    WorkerPlaced: _fact,
    Moved: _fact,
    Forced: _fact,
    Exchanged: _fact,
    Built: _fact,
    BlockRemoved: _fact,
    WorkerRemoved: _fact,
    TokenPlaced: _token_placed,
    TokenRemoved: _fact,
    PowerGained: _power,
    PowerLost: _fact,
    PowerChanged: _power,
    Chosen: _chosen,
}
