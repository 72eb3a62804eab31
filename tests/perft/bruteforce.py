"""A slow and separate counter of complete turns: no merging, no pruning, no shortcuts.

It walks every sequence of candidate steps and applies the definitions of T-33 and T-34 to the
whole set of complete turns, as the rules state them. The engine has to come to the same results.
"""

from __future__ import annotations

from domain.board.facts import apply_all
from domain.rules.candidates import candidate_steps, complete, holdings
from domain.rules.closing import close_turn, start_facts
from domain.rules.history import ask
from domain.rules.keys import position_key
from domain.rules.resolve import advance, finish
from domain.rules.ruleset import ruleset_for
from domain.rules.turn import Turn


class TooMany(Exception):
    """The table has more sequences than a slow counter should walk."""


def sequences(turn: Turn, limit: int) -> list[Turn]:
    """List every partial turn that candidate steps reach, the opening included."""
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    seen: dict[Turn, None] = {turn: None}
    waiting = [turn]
    while waiting:
        here = waiting.pop()
        for step in candidate_steps(here, rules):
            after = advance(here, step, rules)[0]
            if after.asked:
                after = ask(after, 0)
            if after not in seen:
                seen[after] = None
                if len(seen) > limit:
                    raise TooMany
                if not after.over:
                    waiting.append(after)
    return list(seen)


def results(turn: Turn, limit: int = 6_000) -> set[tuple[str, int]]:
    """Return every (key, winner) that some lawful complete turn leads to.

    An extra turn may be declined, whatever anybody demands of one that is taken (T-45).
    """
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    ended = []
    for here in sequences(turn, limit):
        if here.over:
            ended.append(here)
        elif complete(here, rules):
            ended.append(finish(here, rules)[0])

    def lawful(here: Turn) -> bool:
        held = holdings(here, rules)
        return not any(hook(here, held[i]) for hook, i in rules.forbidden_end)

    def fulfils(here: Turn) -> bool:
        held = holdings(here, rules)
        lost = here.outcome is not None and rules.side in here.outcome.losers
        return not lost and all(hook(here, held[i]) for hook, i in rules.demands)

    def heroic(here: Turn) -> bool:
        return any(hook(here, turn.opening.held[i]) for hook, i in rules.spends)

    everything = [here for here in ended if lawful(here)]
    normal = [here for here in everything if not heroic(here)]
    heroes = [here for here in everything if heroic(here)]
    if not rules.demands:
        kept = everything
    elif any(fulfils(here) for here in normal):
        kept = [here for here in everything if fulfils(here)]
    elif any(fulfils(here) for here in heroes):
        kept = normal + [here for here in heroes if fulfils(here)]
    else:
        kept = everything
    declined = [finish(turn, rules)[0]] if turn.kind != "normal" else []
    return {_result(here) for here in (*kept, *declined)}


def _result(turn: Turn) -> tuple[str, int]:
    if turn.outcome is not None and turn.outcome.winner:
        return position_key(turn.position, turn.seat, turn.kind), turn.outcome.winner
    closing = close_turn(turn)
    position = apply_all(closing.position, start_facts(closing.position, closing.seat))
    return position_key(position, closing.seat, closing.kind), 0
