"""What the server plays when the clock has run out (C-36): a pure function of the turn.

Choice, in this order: a completion that wins, then one that does not lose and uses no optional
power step, then any that does not lose; among equals the fewest steps and the smallest line (T-61).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from domain.board.geometry import NEIGHBOURS
from domain.rules.candidates import complete, holdings, own_crew
from domain.rules.history import ask
from domain.rules.legal import offers_end
from domain.rules.lines import step_text
from domain.rules.lookahead import Lookahead, lookahead_for, search_key
from domain.rules.perception import perceived
from domain.rules.plain import plain_completion
from domain.rules.resolve import finish, untouched
from domain.rules.ruleset import Ruleset, ruleset_for
from domain.rules.sight import may_still_rise
from domain.rules.step import END, PASS, Build, End, Move, Pass, Step
from domain.rules.turn import Turn


class _Line(NamedTuple):
    line: str
    steps: tuple[Step, ...]
    turn: Turn


def automatic_steps(turn: Turn) -> tuple[Step, ...]:
    """Return the steps that complete the turn from where it stands, for the seat to act.

    Empty only when the turn is over or the seat is stuck. An interrupt and an extra turn that has
    not been started are declined (C-40). Uses only what the seat may know.
    """
    if turn.over:
        return ()
    if turn.asked:
        return (PASS,)
    if turn.kind != "normal" and untouched(turn):
        return (END,)
    if ruleset_for(turn.opening, turn.seat, turn.kind).plain:
        return plain_completion(turn)
    return searched_completion(turn)


def searched_completion(turn: Turn) -> tuple[Step, ...]:
    """Find the steps that complete a turn by the general search; see ``automatic_steps``."""
    view = perceived(turn, turn.seat)
    lookahead = lookahead_for(view)
    won = _shallowest(view, lookahead, lean=False, winning=True)
    if won is not None:
        return won
    for lean in (True, False):
        found = _shallowest(view, lookahead, lean=lean, winning=False)
        if found is not None:
            return found
    return _any(view, lookahead)


def _shallowest(
    turn: Turn, lookahead: Lookahead, lean: bool, winning: bool
) -> tuple[Step, ...] | None:
    """Search layer by layer for the best completion of one kind; None when there is none.

    ``lean`` leaves optional power steps out; ``winning`` asks for a win of the active side, and
    gives up on partial turns that no longer lead to one.
    """
    rules = lookahead.rules
    layer: dict[Hashable, _Line] = {search_key(turn, rules): _Line("", (), turn)}
    closing = _closed_already(turn, lookahead)
    if closing:
        return ()
    seen = set(layer)
    only_by_moves = winning and not (rules.condemns or _wins_standing(turn, rules))
    while layer:
        found: list[_Line] = []
        following: dict[Hashable, _Line] = {}
        for path in layer.values():
            if not (only_by_moves and _past_winning(path.turn, rules)):
                _grow(path, lookahead, lean, found, following)
        good = [line for line in found if _suits(line.turn, rules, winning)]
        if good:
            return min(good).steps
        layer = {key: path for key, path in following.items() if key not in seen}
        seen.update(layer)
    return None


def _wins_standing(turn: Turn, rules: Ruleset) -> bool:
    """Say whether the seat's side holds a power that can win it the game without a move."""
    held = holdings(turn, rules)
    side_of = turn.position.table.side
    return any(
        side_of(held[index].seat) == rules.side
        for _, index in (*rules.stands_won, *rules.seals_loss)
    )


def _past_winning(turn: Turn, rules: Ruleset) -> bool:
    """Say whether no move can win any more: they are over, or none goes up and only that wins."""
    if turn.moves and turn.builds:
        return True
    return not (rules.claims_win or rules.transfers or may_still_rise(turn))


def _closed_already(turn: Turn, lookahead: Lookahead) -> bool:
    return complete(turn, lookahead.rules) and not lookahead.has_next(turn)


def _suits(turn: Turn, rules: Ruleset, winning: bool) -> bool:
    outcome = turn.outcome
    if winning:
        return outcome is not None and outcome.winner == rules.side
    if outcome is None:
        return True
    return rules.side not in outcome.losers and outcome.winner in (0, rules.side)


def _grow(
    path: _Line,
    lookahead: Lookahead,
    lean: bool,
    found: list[_Line],
    following: dict[Hashable, _Line],
) -> None:
    turn, rules = path.turn, lookahead.rules
    steps = lookahead.next_steps(turn)
    if offers_end(lookahead, turn, bool(steps)) and not (lean and optional(turn, END, rules)):
        ended, happenings = finish(turn, rules)
        line = f"{path.line} .".strip()
        text = step_text(turn, None, happenings)
        found.append(_Line(f"{line} {text}".strip(), (*path.steps, END), ended))
    for step, (after, happenings) in steps:
        if lean and optional(turn, step, rules):
            continue
        line = f"{path.line} {step_text(turn, step, happenings)}".strip()
        if after.asked:
            after = ask(after, 0)
        if not after.over and complete(after, rules) and not lookahead.has_next(after):
            after, more = finish(after, rules)
            line = f"{line} {step_text(turn, None, more)}".strip()
        new = _Line(line, (*path.steps, step), after)
        if after.over:
            found.append(new)
            continue
        key = search_key(after, rules)
        known = following.get(key)
        if known is None or new.line < known.line:
            following[key] = new


def _any(turn: Turn, lookahead: Lookahead) -> tuple[Step, ...]:
    """Return the best of the completions that lose, when nothing else is left."""
    rules = lookahead.rules
    layer: dict[Hashable, _Line] = {search_key(turn, rules): _Line("", (), turn)}
    seen = set(layer)
    while layer:
        found: list[_Line] = []
        following: dict[Hashable, _Line] = {}
        for path in layer.values():
            _grow(path, lookahead, False, found, following)
        if found:
            return min(found).steps
        layer = {key: path for key, path in following.items() if key not in seen}
        seen.update(layer)
    return ()


def optional(turn: Turn, step: Step, rules: Ruleset) -> bool:
    """Say whether the clock avoids this step (C-36 point 3)."""
    verdict = not (isinstance(step, End | Pass) or _mortal(turn, step))
    if rules.optional:
        held = holdings(turn, rules)
        for hook, index in rules.optional:
            verdict = hook(turn, held[index], step, verdict)
    return verdict


def _mortal(turn: Turn, step: Step) -> bool:
    """Say whether a seat without powers could play this step here (C-18 .. C-20)."""
    position = turn.position
    free = ~(position.occupied | position.domes)
    if isinstance(step, Move):
        worker = position.worker_at(step.origin)
        targets = NEIGHBOURS[step.origin] & free
        targets &= ~position.levels[position.level(step.origin) + 2]
        return (
            not turn.moves
            and not turn.builds
            and bool(own_crew(position, turn.seat) >> worker & 1)
            and bool(targets >> step.to & 1)
        )
    if isinstance(step, Build):
        last = turn.last
        worker = position.worker_at(step.origin)
        full = bool(position.levels[3] >> step.at & 1)
        return (
            last is not None
            and not turn.builds
            and last.worker == worker
            and step.dome == full
            and bool((NEIGHBOURS[step.origin] & free) >> step.at & 1)
        )
    return False
