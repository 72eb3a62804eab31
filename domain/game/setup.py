"""From the last card dealt to the first turn: setup, choices, placement (core section 9)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from domain.board.facts import Chosen, Fact, Placed, PowerGained, TokenPlaced
from domain.board.geometry import BY_NAME, EVERYWHERE, Mask, Seat, Side, squares_of
from domain.board.position import Held, Position
from domain.game import pool
from domain.game.errors import IllegalStep
from domain.game.journal import Journal
from domain.game.state import RAM, Game
from domain.game.verdicts import begin_frame, begin_turn, end_frame
from domain.rules.engine import seat_after
from domain.rules.power import overrides, power_of
from domain.rules.step import Choose, Place, PlaceToken, Step, text_of

HOME_SQUARES: tuple[tuple[str, str], ...] = (("b1", "d1"), ("b5", "d5"))
"""Recommended squares of side 1 and side 2 (C-15)."""
REFUSED_LIST = 50


class Task(Struct, frozen=True):
    """One setup decision of a seat; ``phase`` is ``early``, ``place``, ``late`` or ``ram``."""

    kind: str
    seat: Seat
    phase: str


def open_setup(journal: Journal) -> None:
    """Lay out what is automatic (section 9, point 1), then ask for the first setup decision."""
    if journal.veiled:
        return
    game = journal.game
    if game.settings.powers.mode not in ("none", "golden_fleece"):
        _deal(journal)
    proceed(journal)


def proceed(journal: Journal) -> None:
    """Ask for the next setup decision, or start the first turn."""
    if journal.veiled:
        return
    task = pending(journal.game)
    if task is None or task.phase != "early":
        _place_at_home(journal)
    if task is not None:
        begin_frame(journal, task.seat, task.kind)
        return
    begin_turn(journal, _first_seat(journal.game))


def _place_at_home(journal: Journal) -> None:
    """Put the workers of recommended placement down, where free placement would come (C-15)."""
    game = journal.game
    if game.settings.placement == "recommended" and not _position(game).figures:
        for seat, square, sex in _home(game):
            journal.effect(Placed(seat, BY_NAME[square], sex), seat)


def pending(game: Game) -> Task | None:
    """Return the setup decision that is due, or None when all are made."""
    out = _position(game).out
    for task in _tasks(game):
        if task.seat not in out and (task.kind, task.seat) not in game.prepared:
            return task
    return None


def steps(game: Game) -> tuple[Step, ...]:
    """List the legal steps of the running setup decision, sorted by notation."""
    task = pending(game)
    if task is None:
        return ()
    return tuple(sorted(_steps(game, task), key=text_of))


def play(journal: Journal, step: Step, index: int) -> bool:
    """Play one step of a setup decision; say whether that decision goes on.

    Raises:
        IllegalStep: the piece cannot go there, or something else is due.
    """
    task = pending(journal.game)
    assert task is not None
    fact = fact_of(journal.game, step, index)
    journal.choice(fact, task.seat)
    for following in _follow_ups(journal.game, task, step):
        journal.effect(following, task.seat)
    if goes_on(journal.game):
        return True
    end_frame(journal)
    proceed(journal)
    return False


def fact_of(game: Game, step: Step, index: int) -> Fact:
    """Return what a legal step of the running setup decision does.

    Raises:
        IllegalStep: the piece cannot go there, or something else is due.
    """
    task = pending(game)
    assert task is not None
    legal = steps(game)
    if step not in legal:
        raise _refusal(game, task, step, index, legal)
    return _fact(game, task, step)


def goes_on(game: Game) -> bool:
    """Say whether the running setup decision, one step into it, still wants another."""
    task = pending(game)
    return task is not None and task.phase == "place" and _missing(game, task.seat) > 0


def play_by_clock(journal: Journal) -> None:
    """Place and choose at random for a seat that let its time run out (C-39)."""
    going = True
    while going:
        going = play(journal, journal.context.dice.choice(steps(journal.game)), 0)


def placing_squares(game: Game, seat: Seat) -> Mask:
    """Return where a seat may put its next worker (C-14, and its side's powers)."""
    position = _position(game)
    squares = EVERYWHERE & ~position.occupied
    for held in _held_by_side(position, seat):
        squares = power_of(held).placements(position, held, squares)
    return squares


# -- what is due --------------------------------------------------------------------------------


def _tasks(game: Game) -> Iterator[Task]:
    order = _turn_order(game)
    held = {h.seat: h for h in _position(game).held}
    choosers = [seat for seat in order if seat in held]
    for seat in choosers:
        if overrides(power_of(held[seat]), "setup_choices"):
            yield Task("setup", seat, "early")
    if game.settings.placement == "free":
        for seat in _placing_order(game, order):
            yield Task("placement", seat, "place")
    for seat in choosers:
        if overrides(power_of(held[seat]), "late_setup_choices"):
            yield Task("setup", seat, "late")
    if game.settings.powers.mode == "golden_fleece":
        yield Task("setup", order[0], "ram")


def _turn_order(game: Game) -> list[Seat]:
    start, seats = game.start_seat, len(game.chairs)
    assert start is not None
    return [(start - 1 + step) % seats + 1 for step in range(seats)]


def _placing_order(game: Game, order: list[Seat]) -> list[Seat]:
    variant = game.settings.variant
    if variant == "team4":
        return order[:2]
    if variant == "team4_split":
        return [order[0], order[2], order[1], order[3]]
    known = pool.catalogue()
    return sorted(
        order,
        key=lambda s: (p := game.chairs[s - 1].power) in known and known[p or ""].must_not_start,
    )


def _first_seat(game: Game) -> Seat:
    """Return who takes the first turn (C-16, C-44, V-4)."""
    order = _turn_order(game)
    if game.settings.variant == "team4":
        seat = order[2]
    elif game.settings.powers.mode == "golden_fleece":
        seat = order[1]
    else:
        seat = order[0]
    position = _position(game)
    return seat_after(position, seat) if seat in position.out else seat


def _missing(game: Game, seat: Seat) -> int:
    """Count the workers this placement still has to bring."""
    position = _position(game)
    table = position.table
    if table.split:
        return 1 - sum(figure.seat == seat for figure in position.figures)
    side = table.side(seat)
    size = max(
        [table.crew_size, *(power_of(h).setup_workers for h in _held_by_side(position, seat))]
    )
    return size - _standing(position, side)


def _standing(position: Position, side: Side) -> int:
    return sum(figure.side == side for figure in position.figures)


def _held_by_side(position: Position, seat: Seat) -> list[Held]:
    if position.table.mode == "golden_fleece":
        return []
    side = position.table.side(seat)
    return [held for held in position.held if position.table.side(held.seat) == side]


def _sex(position: Position, seat: Seat) -> str:
    """Return the sex of the side's next setup worker: the first is female (C-7)."""
    return "m" if _standing(position, position.table.side(seat)) else "f"


def _home(game: Game) -> Iterator[tuple[Seat, str, str]]:
    """Yield (seat, square, sex) of recommended placement (C-15, C-45) in the order of C-14."""
    table = _position(game).table
    for seat in _placing_order(game, _turn_order(game)):
        squares = HOME_SQUARES[table.side(seat) - 1]
        mates = table.seats_of(table.side(seat))
        for index, square in enumerate(squares):
            if mates[index % len(mates)] == seat:
                yield seat, square, "fm"[index]


# -- steps and facts ----------------------------------------------------------------------------


def _steps(game: Game, task: Task) -> Iterator[Step]:
    position = _position(game)
    if task.phase == "place":
        yield from (Place(square) for square in squares_of(placing_squares(game, task.seat)))
    elif task.phase == "ram":
        free = EVERYWHERE & ~(position.occupied | position.domes)
        yield from (Place(square) for square in squares_of(free))
    else:
        held = _chooser(game, task)
        power = power_of(held)
        early = task.phase == "early"
        choices = power.setup_choices if early else power.late_setup_choices
        yield from choices(position, held)


def _chooser(game: Game, task: Task) -> Held:
    return next(held for held in _position(game).held if held.seat == task.seat)


def _fact(game: Game, task: Task, step: Step) -> Fact:
    match step:
        case Place(to) if task.phase == "ram":
            return TokenPlaced(RAM, 0, to, "", game.ram_power or "")
        case Place(to):
            return Placed(task.seat, to, _sex(_position(game), task.seat))
        case PlaceToken(token, at, direction):
            return TokenPlaced(token, task.seat, at, direction)
        case Choose(name, value):
            return Chosen(task.seat, name, value)
    raise AssertionError(step)


def _follow_ups(game: Game, task: Task, step: Step) -> list[Fact]:
    if task.phase not in ("early", "late"):
        return []
    held = _chooser(game, task)
    return list(power_of(held).after_setup(_position(game), held, step))


def _deal(journal: Journal) -> None:
    """Put the dealt cards into play, with the memory and the chance they start with."""
    for chair in journal.game.chairs:
        if chair.power is not None and chair.power in pool.catalogue():
            note = pool.catalogue()[chair.power].initial_note()
            journal.effect(PowerGained(chair.seat, chair.power, note), chair.seat)
    for held in _position(journal.game).held:
        if pool.wants_night_power([held.power]):
            _name_night_power(journal, held)
        spare = pool.spare(journal.game)
        dice = journal.context.dice
        for fact in power_of(held).dealt(_position(journal.game), held, spare, dice):
            journal.effect(fact, held.seat)


def _name_night_power(journal: Journal, held: Held) -> None:
    """Lay the Night Power beside its card; the server names it where no draft has (C-54, V-24)."""
    game = journal.game
    if game.night_power is None:
        keys = [chair.power for chair in game.chairs if chair.power in pool.catalogue()]
        named = journal.context.dice.choice(pool.night_powers([key for key in keys if key]))
        journal.effect(Chosen(held.seat, "night_power", named), held.seat)
    step = Choose("night_power", journal.game.night_power or "")
    for fact in power_of(held).after_setup(_position(journal.game), held, step):
        journal.effect(fact, held.seat)


def _refusal(
    game: Game, task: Task, step: Step, index: int, legal: tuple[Step, ...]
) -> IllegalStep:
    texts = [text_of(other) for other in legal[:REFUSED_LIST]]
    if not any(type(step) is type(other) for other in legal):
        return IllegalStep("wrong_phase", f"{_due(task)} is due now.", index, texts)
    square = step.to if isinstance(step, Place) else getattr(step, "at", -1)
    if square >= 0 and _position(game).occupied >> square & 1:
        return IllegalStep("occupied", "There is a worker on that square.", index, texts)
    power = next((held.power for held in _held_by_side(_position(game), task.seat)), "")
    reason = "forbidden_by_power" if power else "nothing_there"
    return IllegalStep(reason, "That is not among the choices.", index, texts, power)


def _due(task: Task) -> str:
    return {"place": "A worker's placement", "ram": "The Ram's placement"}.get(
        task.phase, "A setup choice"
    )


def _position(game: Game) -> Position:
    assert game.position is not None
    return game.position
