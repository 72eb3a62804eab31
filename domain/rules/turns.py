"""Whole turns: one canonical turn for every position that can be reached (T-63), and perft."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from domain.board.facts import PowerChanged, apply_all
from domain.board.geometry import OFF_BOARD, Seat, Side
from domain.board.position import Position
from domain.rules import plain
from domain.rules.candidates import candidate_steps, complete, own_crew
from domain.rules.closing import close_turn, open_turn, seat_after, start_facts, start_verdict
from domain.rules.keys import position_key
from domain.rules.legal import legal_steps, offers_end
from domain.rules.lines import mark, step_text
from domain.rules.lookahead import Lookahead, lookahead_for, search_key
from domain.rules.perception import perceived
from domain.rules.power import REGISTRY
from domain.rules.resolve import Progress, finish
from domain.rules.ruleset import ruleset_for
from domain.rules.secrets import attempt
from domain.rules.step import END, Step
from domain.rules.turn import Turn


class LegalTurn(NamedTuple):
    """A canonical completion: its line and steps, the resulting key, the winning side or 0.

    The key is None where a card decides that nobody may have seen.
    """

    line: str
    steps: tuple[tuple[int, Step], ...]
    """Pairs of (seat, step): an interrupt's answers are another seat's."""
    key: str | None
    winner: Side


class _Path(NamedTuple):
    turn: Turn
    line: str
    steps: tuple[tuple[int, Step], ...]


Namer: TypeAlias = Callable[[Position, Seat, str], str]
"""Writes the key of a table, the seat to move on it and the kind of its turn."""


class _Result(NamedTuple):
    """What a finished turn leads to: turns of equal class and winner are equivalent (T-63)."""

    kin: str
    key: str | None
    winner: Side


def _result(turn: Turn, namer: Namer | None = None) -> _Result:
    """Return the key a finished turn leads to, and the winning side (T-73).

    With a ``namer`` of its own the caller sees no deck: None is the key where a card is drawn.
    """
    name = namer or position_key
    if turn.outcome is not None and turn.outcome.winner:
        key = name(turn.position, turn.seat, turn.kind)
        return _Result(key, key, turn.outcome.winner)
    if namer is not None and _draws(turn):
        return _Result(f"drawn {name(turn.position, turn.seat, turn.kind)}", None, 0)
    key = name(*successor(turn))
    return _Result(key, key, 0)


class _Unmixed:
    """Dice for a deck whose order does not matter, because only that it is touched is asked."""

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items as they come."""
        return tuple(items)


def _draws(turn: Turn) -> bool:
    """Say whether the close of a turn turns up or draws a card of a deck in secret order."""
    if not any(REGISTRY[held.power].deck_secret for held in turn.position.held):
        return False
    return any(
        isinstance(fact, PowerChanged) and REGISTRY[fact.power].deck_secret
        for fact in close_turn(turn, _Unmixed()).facts
    )


def successor(turn: Turn) -> tuple[Position, int, str]:
    """Return the table, seat and kind of the turn that follows a finished one, S1 and S2 done."""
    closing = close_turn(turn)
    facts = start_facts(closing.position, closing.seat)
    return apply_all(closing.position, facts), closing.seat, closing.kind


def _joined(line: str, text: str) -> str:
    return f"{line} {text}" if line and text else line or text


PATIENCE = 20_000
"""Effort that a search for a stranger may cost: some two seconds of work."""


class EffortSpent(Exception):
    """A search has cost what it may."""


def completions(
    turn: Turn, layers: int = 1_000, effort: int | None = None
) -> Iterator[tuple[_Path, Turn]]:
    """Yield every way to complete the turn, one per partial turn, fewest steps first.

    Pairs of the path and the finished turn; paths of one length come out unsorted.

    Raises:
        EffortSpent: the ``effort`` allowed is spent, and there are more. Going on from a partial
            turn costs one for each worker that could act.
    """
    cost = max(1, own_crew(turn.position, turn.seat).bit_count())
    rules = ruleset_for(turn.opening, turn.seat, turn.kind)
    lookahead = lookahead_for(perceived(turn, turn.seat))
    layer: dict[Hashable, _Path] = {(search_key(turn, rules), turn.asked): _Path(turn, "", ())}
    seen: set[Hashable] = set()
    for _ in range(layers):
        seen.update(layer)
        following: dict[Hashable, _Path] = {}
        for path in layer.values():
            if effort is not None:
                if effort <= 0:
                    raise EffortSpent
                effort -= cost
            yield from _expand(path, lookahead, following)
        layer = {key: path for key, path in following.items() if key not in seen}
        if not layer:
            return


def _expand(
    path: _Path, lookahead: Lookahead, following: dict[Hashable, _Path]
) -> Iterator[tuple[_Path, Turn]]:
    turn, rules = path.turn, lookahead.rules
    actor = turn.asked or turn.seat
    view = perceived(turn, actor)
    steps: dict[Step, Progress | None] = (
        dict.fromkeys(candidate_steps(view, rules))
        if turn.asked
        else dict(lookahead.next_steps(view))
    )
    if not turn.asked:
        if complete(view, rules) and not steps:
            yield _closing(path, lookahead)
            return
        if offers_end(lookahead, view, bool(steps)):
            ended = finish(turn, rules)
            line = _joined(path.line, _joined(".", step_text(turn, None, ended[1])))
            yield _Path(ended[0], line, (*path.steps, (actor, END))), ended[0]
        if not steps:
            if path.steps and path.steps[-1][0] != turn.seat:
                yield _closing(path, lookahead)
            return
    for step, progress in steps.items():
        met = OFF_BOARD
        if progress is None or view is not turn:
            progress, met = attempt(turn, step, rules)
        after, happenings = progress
        text = step_text(turn, step, happenings, met != OFF_BOARD)
        new = _Path(after, _joined(path.line, text), (*path.steps, (actor, step)))
        if after.over:
            yield new, after
            continue
        key: Hashable = (search_key(after, rules), after.asked)
        known = following.get(key)
        if known is None or new.line < known.line:
            following[key] = new


def _closing(path: _Path, lookahead: Lookahead) -> tuple[_Path, Turn]:
    """Close a turn in which nothing is left to choose."""
    ended, happenings = finish(path.turn, lookahead.rules)
    line = _joined(path.line, step_text(path.turn, None, happenings))
    return _Path(ended, line, path.steps), ended


def legal_turns(
    turn: Turn, limit: int = 500, namer: Namer | None = None, effort: int | None = None
) -> tuple[list[LegalTurn], bool]:
    """List one canonical turn (T-63) a result, sorted by line; True when the list was cut.

    It is cut at ``limit`` results, or when the search has cost ``effort`` (``completions``).
    ``namer`` writes the keys for somebody who sees no deck; without it they are the true ones.
    """
    if turn.over:
        return [], False
    if not turn.moves and plain.is_bare(turn):
        listed = _plain_turns(turn, limit)
        if listed is not None:
            return listed, False
    return searched_turns(turn, limit, namer, effort)


def _plain_turns(turn: Turn, limit: int) -> list[LegalTurn] | None:
    """List the turns of a seat when nobody holds a power; None when there are too many."""
    follower = seat_after(turn.position, turn.seat)
    found = list(plain.whole_turns(turn, follower))
    if len(found) > limit:
        return None
    winner = turn.side
    listed = [
        LegalTurn(
            plain.line_of(one),
            tuple((turn.seat, step) for step in plain.steps_of(one)),
            one.key,
            winner if one.site < 0 else 0,
        )
        for one in found
    ]
    listed.sort()
    return listed


def searched_turns(
    turn: Turn, limit: int, namer: Namer | None = None, effort: int | None = None
) -> tuple[list[LegalTurn], bool]:
    """List canonical turns by the general search; see ``legal_turns``."""
    best: dict[tuple[str, Side], LegalTurn] = {}  # by class and winner
    truncated = False
    if not turn.asked and not legal_steps(turn):
        return [], False
    try:
        for path, ended in completions(turn, effort=effort):
            kin, key, winner = _result(ended, namer)
            line = path.line + mark(ended)
            known = best.get((kin, winner))
            if known is None:
                if len(best) >= limit:
                    truncated = True
                    break
            elif (len(known.steps), known.line) <= (len(path.steps), line):
                continue
            best[(kin, winner)] = LegalTurn(line, path.steps, key, winner)
    except EffortSpent:
        truncated = True
    return sorted(best.values(), key=attrgetter("line")), truncated


def perft(position: Position, seat: int, depth: int, kind: str = "normal") -> tuple[int, int]:
    """Count distinct results to a depth: (leaves, leaves that are wins); see the vectors' page."""
    turn = open_turn(position, seat, kind)
    if start_verdict(turn) is not None:
        return 0, 0
    rules = ruleset_for(position, seat, kind)
    if rules.plain and depth == 1:
        return plain.count_turns(position, seat)
    if not legal_steps(turn):
        return 0, 0
    results: dict[_Result, Turn] = {}
    for _, ended in completions(turn):
        results.setdefault(_result(ended), ended)
    if depth == 1:
        return len(results), sum(1 for result in results if result.winner)
    total = won = 0
    for (_, _, winner), ended in results.items():
        if winner:
            continue
        after, next_seat, next_kind = successor(ended)
        leaves, wins = perft(after, next_seat, depth - 1, next_kind)
        total += leaves
        won += wins
    return total, won
