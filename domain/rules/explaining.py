"""Why a step is not legal: the first rule it breaks (contract, section 7)."""

from __future__ import annotations

from msgspec import Struct

from domain.board.geometry import BITS, NAMES, NEIGHBOURS, Square
from domain.board.position import Held, Position
from domain.rules.candidates import (
    builder_crew,
    candidate_steps,
    complete,
    holdings,
    mover_crew,
    own_crew,
    shut_for,
)
from domain.rules.lookahead import lookahead_for
from domain.rules.perception import perceived
from domain.rules.power import REGISTRY
from domain.rules.resolve import advance
from domain.rules.ruleset import Ruleset, ruleset_for
from domain.rules.step import (
    Build,
    End,
    Exchange,
    Force,
    Move,
    Pass,
    Place,
    PlaceWorker,
    RemoveBlock,
    RemoveBlocks,
    RemoveWorker,
    Step,
)
from domain.rules.turn import Turn


class Reason(Struct, frozen=True):
    """A code of the contract, a sentence for people, and the power in the way, if one is."""

    code: str
    detail: str
    power: str = ""


def explain(turn: Turn, step: Step) -> Reason:
    """Say why a step that ``legal_steps`` does not list is not legal.

    Judged on what the acting seat may know, so that no answer depends on a secret (T-52).
    """
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    view = perceived(turn, turn.asked or turn.seat)
    if not view.asked and step in candidate_steps(view, rules):
        return _unfinishable(view, step, rules)
    held = holdings(view, rules)
    match step:
        case Move():
            return _move(view, step, rules, held)
        case Build():
            return _build(view, step, rules, held)
        case End():
            if complete(view, rules):
                return _end(view, rules, held)
            return Reason("wrong_phase", "The compulsory part of the turn is not done (T-11).")
        case Pass():
            return Reason("wrong_phase", "Nothing is offered that could be declined (T-10a).")
        case Place():
            return Reason("wrong_phase", "Workers are placed before the first turn (C-14).")
    return _other(view, step)


def _unfinishable(turn: Turn, step: Step, rules: Ruleset) -> Reason:
    """Explain a step that is possible by itself but leaves no lawful ending."""
    lookahead = lookahead_for(turn)
    after = advance(turn, step, rules)[0]
    if rules.judged:
        plain = _reaches_any_end(after, lookahead.rules)
        names = [_key_of(hook) for hook, _ in (*rules.demands, *rules.forbidden_end)]
        if plain and names:
            return Reason(
                "obligation_unmet",
                f"After this step {names[0]} could not be obeyed any more (T-33, T-34).",
                names[0],
            )
    return Reason("dead_end", "After this step the turn could not be completed (T-36).")


def _key_of(hook: object) -> str:
    """Return the key of the card a hook belongs to: its own, or a pact's or extra turn's."""
    rules = getattr(hook, "__self__", None)
    for key, power in REGISTRY.items():
        if power is rules or power.extra_turn is rules or rules in power.pacts.values():
            return key
    return ""


def _reaches_any_end(turn: Turn, rules: Ruleset) -> bool:
    """Say whether the turn could be completed if no obligation bound it."""
    stack, seen = [turn], 0
    while stack and seen < 5_000:
        here = stack.pop()
        seen += 1
        if here.over or complete(here, rules):
            return True
        stack.extend(advance(here, step, rules)[0] for step in candidate_steps(here, rules))
    return False


def _end(turn: Turn, rules: Ruleset, held: tuple[Held, ...]) -> Reason:
    for hook, _ in (*rules.demands, *rules.forbidden_end):
        name = _key_of(hook)
        return Reason("obligation_unmet", f"Ending here would not obey {name} (T-34).", name)
    return Reason("wrong_phase", "The turn closes by itself here; there is no end step (T-11).")


def _closed(turn: Turn, square: Square, shut: int) -> Reason | None:
    position = turn.position
    if position.domes & BITS[square]:
        return Reason("domed", f"{NAMES[square]} carries a dome (C-5).")
    if position.occupied & BITS[square]:
        return Reason("occupied", f"{NAMES[square]} holds a worker (C-8).")
    if shut & BITS[square]:
        return Reason("domed", f"{NAMES[square]} counts as a dome for this seat (T-22).")
    return None


def _actor(turn: Turn, square: Square, crew: int) -> Reason | None:
    worker = turn.position.worker_at(square)
    if worker < 0:
        return Reason("nothing_there", f"No worker stands on {NAMES[square]}.")
    if not crew >> worker & 1:
        own = own_crew(turn.position, turn.seat) >> worker & 1
        whose = "cannot act now" if own else "is not this seat's to use (C-17)"
        return Reason("not_this_worker", f"The worker on {NAMES[square]} {whose}.")
    return None


def _move(turn: Turn, step: Move, rules: Ruleset, held: tuple[Held, ...]) -> Reason:
    crew = mover_crew(turn, rules, held)
    position = turn.position
    worker = position.worker_at(step.origin)
    if not crew and (turn.moves or turn.builds):
        if worker < 0:
            return Reason("nothing_there", f"No worker stands on {NAMES[step.origin]}.")
        return Reason("wrong_phase", "No further move is possible in this turn (C-17).")
    for hook, index in rules.forbidden_movers:
        if worker >= 0 and hook(turn, held[index]) >> worker & 1:
            return _by_power(hook, f"{_key_of(hook)} keeps the worker from moving (T-31).")
    wrong = _actor(turn, step.origin, crew)
    if wrong:
        return wrong
    if not NEIGHBOURS[step.origin] & BITS[step.to]:
        return Reason(
            "not_adjacent", f"{NAMES[step.to]} does not neighbour {NAMES[step.origin]} (C-2)."
        )
    closed = _closed(turn, step.to, shut_for(position, rules, held))
    if closed:
        return closed
    if position.level(step.to) > position.level(step.origin) + 1:
        return Reason("too_high", f"{NAMES[step.to]} is more than one level higher (C-18).")
    side = position.figures[worker].side
    for hook, index, exempt in rules.forbidden_targets:
        if side != exempt and hook(turn, held[index], worker, BITS[step.to]) & BITS[step.to]:
            return _by_power(hook, f"{_key_of(hook)} forbids this move (T-31).")
    return Reason("wrong_phase", "This move is not possible at this point of the turn.")


def _by_power(hook: object, detail: str) -> Reason:
    return Reason("forbidden_by_power", detail, _key_of(hook))


def _build(turn: Turn, step: Build, rules: Ruleset, held: tuple[Held, ...]) -> Reason:
    crew = builder_crew(turn, rules, held)
    if not crew:
        if turn.position.worker_at(step.origin) < 0:
            return Reason("nothing_there", f"No worker stands on {NAMES[step.origin]}.")
        when = "before the move" if not turn.moves else "any more in this turn"
        return Reason("wrong_phase", f"Nothing can be built {when} (C-17).")
    wrong = _actor(turn, step.origin, crew)
    if wrong:
        return wrong
    position = turn.position
    if not NEIGHBOURS[step.origin] & BITS[step.at]:
        return Reason(
            "not_adjacent", f"{NAMES[step.at]} does not neighbour {NAMES[step.origin]} (C-2)."
        )
    closed = _closed(turn, step.at, shut_for(position, rules, held))
    if closed:
        return closed
    full = bool(position.levels[3] & BITS[step.at])
    side = position.figures[position.worker_at(step.origin)].side
    for hook, index, exempt in rules.forbidden_sites:
        bit = BITS[step.at]
        no_blocks, no_domes = hook(turn, held[index], position.worker_at(step.origin), (bit, bit))
        if side != exempt and (no_domes if step.dome else no_blocks) & bit:
            return _by_power(hook, f"{_key_of(hook)} forbids building here (T-31).")
    if step.dome != full:
        piece = "a dome" if full else "a block"
        return Reason("wrong_piece", f"Only {piece} goes on {NAMES[step.at]} here (C-20).")
    left = position.dome_left() if step.dome else position.block_sites() & BITS[step.at]
    if not left:
        return Reason("out_of_pieces", "The piece for this build has run out (C-10).")
    return Reason("wrong_phase", "This build is not possible at this point of the turn.")


def _other(turn: Turn, step: Step) -> Reason:
    position: Position = turn.position
    match step:
        case Force(origin, _) | RemoveWorker(origin) | RemoveBlocks(origin):
            if position.worker_at(origin) < 0:
                return Reason("nothing_there", f"No worker stands on {NAMES[origin]}.")
        case RemoveBlock(at):
            if not position.level(at):
                return Reason("nothing_there", f"No block stands on {NAMES[at]}.")
        case PlaceWorker(to):
            if position.occupied & BITS[to]:
                return Reason("occupied", f"{NAMES[to]} holds a worker (C-8).")
        case Exchange(pairs):
            for origin, _ in pairs:
                if position.worker_at(origin) < 0:
                    return Reason("nothing_there", f"No worker stands on {NAMES[origin]}.")
    return Reason("wrong_phase", "No power offers this step at this point of the turn.")
