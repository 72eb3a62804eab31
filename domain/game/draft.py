"""The draft: offer, Night Power, picks and start seat in either order (C-50 .. C-54, V-4)."""

from __future__ import annotations

from msgspec import Struct

from domain.board.facts import Chosen
from domain.board.geometry import Seat
from domain.game import pool, setup
from domain.game.errors import IllegalStep
from domain.game.events import Offered
from domain.game.journal import Journal
from domain.game.state import Game
from domain.game.verdicts import begin_frame, end_frame
from domain.rules.step import Choose, Step, text_of

REFUSED_LIST = 50
"""At most this many legal steps are listed with a refusal (contract, section 7)."""


class Decision(Struct, frozen=True):
    """One thing to be named: by which ``choose`` step, and by whom."""

    name: str
    seat: Seat


def open_draft(journal: Journal) -> None:
    """Name the Challenger, lay out cards where the server does, and ask for the first decision."""
    game = journal.game
    dice, settings = journal.context.dice, game.settings
    challenger = game.creator_seat or dice.choice([chair.seat for chair in game.chairs])
    if settings.powers.offer == "limited":
        limited = pool.draw_limited(settings, dice)
        journal.effect(Offered(limited, final=False), challenger)
    elif settings.powers.offer == "quick":
        quick = pool.draw(settings, pool.offer_size(settings), dice)
        journal.effect(Offered(quick, final=True), challenger)
    _advance(journal, challenger)


def pending(game: Game) -> Decision | None:
    """Return what is to be decided next, or None when the draft is complete."""
    challenger = game.challenger
    assert challenger is not None
    powers = game.settings.powers
    if len(game.offer) < pool.offer_size(game.settings):
        return Decision("offer", challenger)
    if powers.mode == "golden_fleece":
        return None if game.ram_power else Decision("power", challenger % 2 + 1)
    if game.night_power is None and pool.wants_night_power(game.offer):
        return Decision("night_power", challenger)
    if powers.order == "bga" and game.start_power is None:
        return Decision("start_power", challenger)
    for seat in _picking_order(game, challenger):
        if game.chairs[seat - 1].power is None:
            return Decision("power", seat)
    return Decision("start_seat", challenger) if game.start_seat is None else None


def options(game: Game, decision: Decision) -> tuple[str, ...]:
    """List what may be named in a decision."""
    match decision.name:
        case "offer":
            cards = game.limited or pool.eligible(game.settings)
            return pool.additions(game.offer, cards, pool.offer_size(game.settings))
        case "night_power":
            return pool.night_powers(game.offer)
        case "start_power":
            return _start_powers(game)
        case "power":
            return _remaining(game)
    return tuple(f"S{seat}" for seat in _start_seats(game))


def steps(game: Game) -> tuple[Step, ...]:
    """List the legal steps of the running decision, sorted by notation."""
    decision = pending(game)
    if decision is None:
        return ()
    named = (Choose(decision.name, value) for value in options(game, decision))
    return tuple(sorted(named, key=text_of))


def play(journal: Journal, step: Step, index: int) -> bool:
    """Play one step of a draft decision; say whether that decision goes on.

    Raises:
        IllegalStep: the step names something that is not to be had.
    """
    decision = pending(journal.game)
    assert decision is not None
    journal.choice(fact_of(journal.game, step, index), decision.seat)
    if pending(journal.game) == decision:
        return True
    end_frame(journal)
    _advance(journal, decision.seat)
    return False


def fact_of(game: Game, step: Step, index: int) -> Chosen:
    """Return what a legal step of the running decision says.

    Raises:
        IllegalStep: the step names something that is not to be had.
    """
    decision = pending(game)
    assert decision is not None
    if not isinstance(step, Choose) or step.name != decision.name:
        raise _refusal(game, "wrong_phase", f"Now {decision.name} is to be chosen.", index)
    if step.value not in options(game, decision):
        raise _why_not(game, decision, step.value, index)
    return Chosen(decision.seat, step.name, step.value)


def play_by_clock(journal: Journal) -> None:
    """Decide for a seat that let its time run out (C-38)."""
    decision = pending(journal.game)
    assert decision is not None
    going = True
    while going:
        value = _for_absent(journal, decision)
        going = play(journal, Choose(decision.name, value), 0)


def _for_absent(journal: Journal, decision: Decision) -> str:
    game, values = journal.game, options(journal.game, decision)
    if decision.name == "start_power":
        return pool.lowest_aid(values) or journal.context.dice.choice(values)
    if decision.name == "start_seat":
        powers = {f"S{chair.seat}": chair.power for chair in game.chairs}
        aided = pool.lowest_aid(key for value in values if (key := powers[value]))
        for value in values:
            if aided is not None and powers[value] == aided:
                return value
    return journal.context.dice.choice(values)


def _advance(journal: Journal, seat: Seat) -> None:
    """Do what is forced, then ask for the next decision or go on to the setup."""
    if journal.game.challenger is None:
        begin_frame(journal, seat, "draft")
        return
    while (decision := pending(journal.game)) is not None:
        forced = _forced(journal.game, decision)
        if forced is None:
            begin_frame(journal, decision.seat, "draft")
            return
        journal.effect(Chosen(decision.seat, decision.name, forced), decision.seat)
    setup.open_setup(journal)


def _forced(game: Game, decision: Decision) -> str | None:
    if decision.name == "start_seat" and game.settings.powers.order == "bga":
        starter = game.start_power
        return next(f"S{chair.seat}" for chair in game.chairs if chair.power == starter)
    if decision.name in ("power", "start_power", "start_seat"):
        values = options(game, decision)
        return values[0] if len(values) == 1 else None
    return None


def _picking_order(game: Game, challenger: Seat) -> list[Seat]:
    seats = len(game.chairs)
    return [(challenger + step - 1) % seats + 1 for step in range(1, seats + 1)]


def _remaining(game: Game) -> tuple[str, ...]:
    taken = {chair.power for chair in game.chairs}
    return tuple(key for key in game.offer if key not in taken)


def _start_powers(game: Game) -> tuple[str, ...]:
    known = pool.catalogue()
    forced = tuple(key for key in game.offer if known[key].must_start)
    return forced or tuple(key for key in game.offer if not known[key].must_not_start)


def _start_seats(game: Game) -> tuple[Seat, ...]:
    return pool.start_seats({chair.seat: chair.power for chair in game.chairs})


def _why_not(game: Game, decision: Decision, value: str, index: int) -> IllegalStep:
    known = pool.catalogue()
    if decision.name == "start_seat" and value in {f"S{chair.seat}" for chair in game.chairs}:
        return _refusal(game, "forbidden_by_power", "A power decides who starts (C-52).", index)
    if value not in known:
        return _refusal(game, "nothing_there", f"{value!r} cannot be chosen.", index)
    if decision.name in ("offer", "night_power"):
        if value in game.offer:
            return _refusal(game, "occupied", f"{value} is in the offer already.", index)
        for other in game.offer:
            if pool.banned(value, other):
                detail = f"{value} and {other} are a banned pair (V-20)."
                return _refusal(game, "forbidden_by_power", detail, index, other)
    if decision.name == "offer" and value in (game.limited or pool.eligible(game.settings)):
        detail = f"With {value} the offer could not be completed."
        return _refusal(game, "dead_end", detail, index)
    if decision.name == "start_power" and value in game.offer:
        detail = "A power decides who starts (C-52)."
        return _refusal(game, "forbidden_by_power", detail, index, value)
    return _refusal(game, "nothing_there", f"{value} cannot be chosen here.", index)


def _refusal(game: Game, reason: str, detail: str, index: int, power: str = "") -> IllegalStep:
    legal = [text_of(step) for step in steps(game)[:REFUSED_LIST]]
    return IllegalStep(reason, detail, index, legal, power)
