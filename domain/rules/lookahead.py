"""Can this partial turn still be finished? (T-33, T-34, T-36)

A plain graph search over ``Turn`` values: equal turns merge, cycles are harmless, a found ending
marks its path alive, an exhausted search marks all it saw dead. No recursion and no depth limit.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from domain.board.position import Held
from domain.rules.candidates import candidate_steps, complete, deepest_steps, holdings
from domain.rules.history import ask
from domain.rules.resolve import Progress, advance, finish, untouched
from domain.rules.ruleset import Entries, Ruleset, ruleset_for
from domain.rules.step import Build, Step
from domain.rules.turn import Turn


def search_key(turn: Turn, rules: Ruleset) -> Hashable:
    """Return what tells two partial turns of one opening apart; equal keys have equal futures."""
    position = turn.position
    key: tuple[Any, ...] = (
        position.workers,
        position.levels,
        position.domes,
        turn.first,
        turn.moves,
        turn.moved,
        turn.climbed,
        turn.descended,
        turn.builds,
        turn.other,
        turn.fresh,
        (
            position.tokens,
            position.held,
            position.last_moved,
            position.pacts,
            turn.fallen,
            turn.again,
        ),
    )
    if rules.search_key:
        held = holdings(turn, rules)
        for hook, index in rules.search_key:
            key = hook(turn, held[index], key)
    return key


class Lookahead:
    """The search for one turn's opening; what it learns is kept for the whole turn."""

    __slots__ = ("_alive", "_policy", "opening", "rules")

    def __init__(self, opening: Turn, rules: Ruleset) -> None:
        """Prepare the search for turns that began like ``opening``."""
        self.opening = opening
        self.rules = rules
        self._alive: dict[Hashable, bool] = {}
        self._policy: tuple[bool, bool] | None = None

    def judged(self) -> bool:
        """Say whether some endings of this turn's programs are unlawful (T-33, T-34)."""
        rules = self.rules
        return bool(rules.forbidden_end or (rules.demands and self.policy() != (False, False)))

    def accepts(self, turn: Turn) -> bool:
        """Say whether a turn that ends here is lawful; ``turn`` can end or has ended."""
        rules = self.rules
        if not self.judged():
            return True
        if turn.outcome is None and not turn.closed:
            turn = finish(turn, rules)[0]
        held = holdings(turn, rules)
        if self._breaks_hard(turn, held):
            return False
        if not rules.demands:
            return True
        normal, heroic = self.policy()
        required = heroic if self._heroic(turn) else normal
        return not required or self._fulfils(turn, held)

    def _breaks_hard(self, turn: Turn, held: tuple[Held, ...]) -> bool:
        return any(hook(turn, held[index]) for hook, index in self.rules.forbidden_end)

    def _fulfils(self, turn: Turn, held: tuple[Held, ...]) -> bool:
        outcome = turn.outcome
        if outcome is not None and self.rules.side in outcome.losers:
            return False
        return all(hook(turn, held[index]) for hook, index in self.rules.demands)

    def _heroic(self, turn: Turn) -> bool:
        opening = self.opening.position.held
        return any(hook(turn, opening[index]) for hook, index in self.rules.spends)

    def policy(self) -> tuple[bool, bool]:
        """Return whether ordinary turns and hero turns must fulfil the obligations (T-34)."""
        if self._policy is None:
            self._policy = (False, False)
            for heroic in self._fulfilments():
                self._policy = (not heroic, True)
                if not heroic:
                    break
        return self._policy

    def _hopeful(self, turn: Turn, kind: type[Step], hopes: Entries) -> bool:
        """Say whether a step of a kind leaves the obligations within reach, as far as is known."""
        held = holdings(turn, self.rules)
        return all(hook(turn, held[index], kind) for hook, index in hopes)

    def _fulfilments(self) -> Iterator[bool]:
        """Yield, for each complete turn that fulfils the obligations, whether it spends a hero."""
        rules = self.rules
        start = self.opening
        hopes = rules.hopeful + rules.hopeful_to_end
        seen: set[Hashable] = {search_key(start, rules)}
        stack = [start]
        while stack:
            turn = stack.pop()
            judgement: dict[type[Step], bool] = {}
            for step in candidate_steps(turn, rules):
                kind = type(step)
                if kind not in judgement:
                    judgement[kind] = self._hopeful(turn, kind, hopes)
                if not judgement[kind]:
                    continue
                after = advance(turn, step, rules)[0]
                if after.asked:
                    after = ask(after, 0)
                if after.over or complete(after, rules):
                    ended = after if after.over else finish(after, rules)[0]
                    now = holdings(ended, rules)
                    if self._fulfils(ended, now) and not self._breaks_hard(ended, now):
                        yield self._heroic(ended)
                if not after.over:
                    key = search_key(after, rules)
                    if key not in seen:
                        seen.add(key)
                        stack.append(after)

    def alive(self, turn: Turn) -> bool:
        """Say whether the turn, as played so far, has a lawful ending."""
        rules = self.rules
        if turn.asked:
            turn = ask(turn, 0)
        if turn.over:
            return self.accepts(turn)
        if complete(turn, rules) and not self.judged():
            return True
        return self._search(turn)

    def _search(self, start: Turn) -> bool:
        rules, known = self.rules, self._alive
        judged = self.judged()
        quick = not judged and rules.build_completes
        hopes = rules.hopeful_to_end
        if rules.demands and self.policy() == (True, True):
            hopes += rules.hopeful
        first = search_key(start, rules) if judged or rules.search_key else None
        if first is not None:
            verdict = known.get(first)
            if verdict is not None:
                return verdict
        if complete(start, rules) and self.accepts(start):
            return self._found({first: None}, first)
        seen: dict[Hashable, Hashable] = {first: None}
        stack: list[tuple[Turn, Hashable, Iterator[Step]]] = []
        stack.append((start, first, deepest_steps(start, rules)))
        while stack:
            turn, key, steps = stack[-1]
            judgement: dict[type[Step], bool] = {}
            for step in steps:
                kind = type(step)
                if quick and kind is Build and turn.moves:
                    return self._found(seen, key)
                if hopes:
                    if kind not in judgement:
                        judgement[kind] = self._hopeful(turn, kind, hopes)
                    if not judgement[kind]:
                        continue
                after = advance(turn, step, rules)[0]
                if after.asked:
                    after = ask(after, 0)
                if after.over:
                    if self.accepts(after):
                        return self._found(seen, key)
                    continue
                if complete(after, rules) and (not judged or self.accepts(after)):
                    return self._found(seen, key)
                after_key = search_key(after, rules)
                if after_key in seen:
                    continue
                verdict = known.get(after_key)
                if verdict:
                    return self._found(seen, key)
                if verdict is None:
                    seen[after_key] = key
                    stack.append((after, after_key, deepest_steps(after, rules)))
                    break
            else:
                stack.pop()
        for key in seen:
            if key is not None:
                known[key] = False
        return False

    def _found(self, parents: dict[Hashable, Hashable], key: Hashable) -> bool:
        known = self._alive
        step: Hashable | None = key
        while step is not None:
            known[step] = True
            step = parents[step]
        return True

    def next_steps(self, turn: Turn) -> list[tuple[Step, Progress]]:
        """List the steps after which a lawful ending is left, with what they lead to.

        ``end`` is not among them.
        """
        rules = self.rules
        steps = []
        for step in candidate_steps(turn, rules):
            progress = advance(turn, step, rules)
            if self.alive(progress[0]):
                steps.append((step, progress))
        return steps

    def has_next(self, turn: Turn) -> bool:
        """Say whether any step but ``end`` leaves a lawful ending."""
        for step in candidate_steps(turn, self.rules):
            if self.alive(advance(turn, step, self.rules)[0]):
                return True
        return False

    def may_end(self, turn: Turn) -> bool:
        """Say whether the turn may be closed here (T-11), or an extra one declined (T-45)."""
        if turn.asked or turn.over:
            return False
        if turn.kind != "normal" and untouched(turn):
            return True
        return complete(turn, self.rules) and self.accepts(turn)


_CACHE: dict[tuple[Any, ...], Lookahead] = {}
_CACHE_LIMIT = 512


def lookahead_for(turn: Turn) -> Lookahead:
    """Return the search for the turn's opening, shared by all partial turns that began like it."""
    key = (turn.opening, turn.seat, turn.kind)
    found = _CACHE.get(key)
    if found is None:
        if len(_CACHE) >= _CACHE_LIMIT:
            _CACHE.clear()
        opening = Turn(turn.seat, turn.kind, turn.opening, turn.opening)
        found = _CACHE[key] = Lookahead(opening, ruleset_for(turn.opening, turn.seat, turn.kind))
    return found
