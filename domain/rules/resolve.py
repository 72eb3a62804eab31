"""The timeline of a step (turn model, section 6): resolve, apply, verdict, react.

``advance`` plays a step without asking whether it is legal; ``finish`` runs the end of a turn (E2).
Both return the next turn and what happened. The search and the game both go through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.board.facts import (
    BlockRemoved,
    Built,
    Chosen,
    Exchanged,
    Fact,
    Forced,
    Moved,
    PowerLost,
    TokenPlaced,
    TokenRemoved,
    WorkerPlaced,
    WorkerRemoved,
)
from domain.board.geometry import OFF_BOARD, Side, Square, Worker
from domain.board.position import Held, Position
from domain.rules.candidates import awaiting, holdings
from domain.rules.history import ask, record, record_pass
from domain.rules.losing import loss
from domain.rules.perception import hidden_crew, perceived
from domain.rules.power import REGISTRY
from domain.rules.ruleset import Ruleset
from domain.rules.step import (
    Build,
    Choose,
    End,
    Exchange,
    Force,
    Move,
    Pass,
    PlaceToken,
    PlaceWorker,
    RemoveBlock,
    RemoveBlocks,
    RemoveWorker,
    Step,
    TakeToken,
)
from domain.rules.turn import Arrival, Outcome, Turn


class Happening(NamedTuple):
    """A fact, whether it followed by itself rather than being chosen, and whether only some see it.

    ``hidden`` is set for what happens unseen to a worker that is secret (P-39).
    """

    fact: Fact
    automatic: bool
    hidden: bool = False


Progress = tuple[Turn, list[Happening]]


def _follow(turn: Turn, facts: Iterable[Fact], into: list[Happening]) -> Turn:
    for fact in facts:
        into.append(Happening(fact, True, _unseen(turn.position, fact)))
        turn = record(turn, fact, False)
    return turn


def _unseen(position: Position, fact: Fact) -> bool:
    """Say whether a fact only relocates a worker that somebody cannot see."""
    if type(fact) is not Forced:
        return False
    hidden = hidden_crew(position, None)
    return bool(hidden and hidden >> position.worker_at(fact.origin) & 1)


def _sealed(turn: Turn, rules: Ruleset, square: Square) -> bool:
    held = holdings(turn, rules)
    return any(hook(turn.position, held[index], square) for hook, index in rules.seals_loss)


def _entered(turn: Turn, rules: Ruleset, worker: Worker, square: Square) -> Turn:
    """Judge L1: the owner of a worker that enters the abyss loses at once."""
    if turn.outcome is None and _sealed(turn, rules, square):
        side = turn.position.figures[worker].side
        outcome = loss(turn.position, [side], "lose_condition")
        return replace(turn, outcome=outcome)
    return turn


def _judge_arrival(
    turn: Turn, rules: Ruleset, arrival: Arrival, square: Square, transferred: bool
) -> Turn:
    """Judge W1 and W2 for one move, then cancel or hand over the win (section 6.3)."""
    position = turn.position
    owner = position.figures[arrival.worker].side
    claims: list[tuple[Side, str]] = []
    if (
        owner == rules.side
        and position.levels[3] >> square & 1
        and (transferred or arrival.rise > 0)
    ):
        claims.append((owner, "climb"))
    if not (claims or rules.claims_win):
        return turn
    held = holdings(turn, rules)
    for hook, index in rules.claims_win:
        holder = position.table.side(held[index].seat)
        if holder == owner and hook(turn, held[index], arrival, square):
            claims.append((holder, "power"))
    for side, reason in claims:
        if any(hook(turn, held[index], side, arrival, square) for hook, index in rules.denies_win):
            continue
        for hook, index in rules.takes_win:
            if hook(turn, held[index], arrival, square):
                return replace(
                    turn, outcome=Outcome(position.table.side(held[index].seat), (), "power")
                )
        return replace(turn, outcome=Outcome(side, (), reason))
    return turn


def judge_table(turn: Turn, rules: Ruleset) -> Turn:
    """Judge W3: a table that stands won for somebody (P-16), checked after every event."""
    if turn.outcome is not None:
        return turn
    held = holdings(turn, rules)
    for hook, index in rules.stands_won:
        if hook(turn.position, held[index]):
            side = turn.position.table.side(held[index].seat)
            if not any(
                denies(turn, held[at], side, None, OFF_BOARD) for denies, at in rules.denies_win
            ):
                return replace(turn, outcome=Outcome(side, (), "power"))
    return turn


def _move(turn: Turn, step: Move, rules: Ruleset) -> Progress:
    position = turn.position
    fact = Moved(step.origin, step.to, turn.seat)
    happenings = [Happening(fact, False)]
    worker = position.worker_at(step.origin)
    if rules.plain_moving:
        turn = record(turn, fact, True)
        if (
            turn.moves[-1].rise > 0
            and position.levels[3] >> step.to & 1
            and position.figures[worker].side == rules.side
        ):
            return replace(turn, outcome=Outcome(rules.side, (), "climb")), happenings
        return turn, happenings
    held = holdings(turn, rules)
    victim, displaced = -1, []
    if position.occupied >> step.to & 1:
        victim = position.worker_at(step.to)
        for hook, index in rules.displaces:
            displaced.extend(hook(turn, held[index], worker, step.to))
    turn = record(turn, fact, True)
    if displaced:
        turn = _follow(turn, displaced, happenings)
    if rules.seals_loss:
        if victim >= 0:
            turn = _entered(turn, rules, victim, turn.position.workers[victim])
        turn = _entered(turn, rules, worker, step.to)
    arrival = turn.moves[-1]
    if turn.outcome is None:
        for hook, index in rules.strikes:
            turn = _follow(turn, list(hook(turn, held[index], arrival)), happenings)
        if not _deferred(turn, rules, held, arrival):
            turn = _judge_arrival(turn, rules, arrival, step.to, False)
            turn = judge_table(turn, rules) if rules.stands_won else turn
    if turn.outcome is None and rules.late_effects and not awaiting(turn, rules):
        turn = _late_effects(turn, rules, happenings)
    return turn, happenings


def _deferred(turn: Turn, rules: Ruleset, held: tuple[Held, ...], arrival: Arrival) -> bool:
    """Say whether the win check of a move waits for what comes after it (R4)."""
    return bool(rules.defers_win) and any(
        hook(turn, held[index], arrival) for hook, index in rules.defers_win
    )


def _late_effects(turn: Turn, rules: Ruleset, happenings: list[Happening]) -> Turn:
    """Carry a finished move on: whirlpools (R6), then slides (R7)."""
    arrival = turn.moves[-1]
    held = holdings(turn, rules)
    side = turn.position.figures[arrival.worker].side
    deferred = _deferred(turn, rules, held, arrival)
    to = OFF_BOARD
    for hook, index in rules.transfers:
        to = hook(turn, held[index], arrival)
        if to != OFF_BOARD:
            turn = _follow(turn, [Forced(arrival.target, to)], happenings)
            turn = _entered(turn, rules, arrival.worker, to)
            break
    if deferred and turn.outcome is None:
        square = arrival.target if to == OFF_BOARD else to
        turn = _judge_arrival(turn, rules, arrival, square, to != OFF_BOARD)
    for hook, index, exempt in rules.carries:
        if side == exempt or turn.outcome is not None:
            continue
        for fact in hook(turn, held[index], arrival):
            turn = _follow(turn, [fact], happenings)
            turn = _entered(turn, rules, arrival.worker, fact.to)
            if turn.outcome is not None:
                break
    return turn


def _without_tokens(turn: Turn, square: Square, happenings: list[Happening]) -> Turn:
    """Take the tokens off a square that was built on or dug out (C-11)."""
    if not turn.position.tokens:
        return turn
    gone = [
        TokenRemoved(token.name, token.square, token.direction)
        for token in turn.position.tokens
        if token.square == square
    ]
    return _follow(turn, gone, happenings)


def _build(turn: Turn, step: Build, rules: Ruleset) -> Progress:
    fact = Built(step.origin, step.at, step.dome)
    happenings = [Happening(fact, False)]
    turn = record(turn, fact, True)
    turn = _without_tokens(turn, step.at, happenings)
    if rules.plain_building:
        return turn, happenings
    held = holdings(turn, rules)
    build = turn.builds[-1]
    for hook, index in rules.after_build:
        turn = _follow(turn, list(hook(turn, held[index], build)), happenings)
    if rules.stands_won:
        turn = judge_table(turn, rules)
    if turn.outcome is None:
        for hook, index in rules.asks:
            view = perceived(turn, held[index].seat)
            if hook(view, holdings(view, rules)[index], build):
                turn = ask(turn, held[index].seat)
                break
    return turn, happenings


def _force(turn: Turn, step: Force, rules: Ruleset) -> Progress:
    pending = rules.late_effects and awaiting(turn, rules)
    worker = turn.position.worker_at(step.origin)
    happenings = [Happening(Forced(step.origin, step.to), False)]
    turn = record(turn, happenings[0].fact, True)
    turn = _entered(turn, rules, worker, step.to)
    if pending and turn.outcome is None:
        turn = _late_effects(turn, rules, happenings)
    return turn, happenings


def _exchange(turn: Turn, step: Exchange, rules: Ruleset) -> Progress:
    happenings = [Happening(Exchanged(step.pairs), False)]
    turn = record(turn, happenings[0].fact, True)
    for _, to in step.pairs:
        turn = _entered(turn, rules, turn.position.worker_at(to), to)
    return turn, happenings


def _remove_block(turn: Turn, step: RemoveBlock | RemoveBlocks, rules: Ruleset) -> Progress:
    count = 1 if isinstance(step, RemoveBlock) else turn.position.level(step.at)
    happenings = [Happening(BlockRemoved(step.at, count), False)]
    turn = record(turn, happenings[0].fact, True)
    return _without_tokens(turn, step.at, happenings), happenings


def _remove_worker(turn: Turn, step: RemoveWorker, rules: Ruleset) -> Progress:
    happenings = [Happening(WorkerRemoved(step.at), False)]
    return record(turn, happenings[0].fact, True), happenings


def _place_worker(turn: Turn, step: PlaceWorker, rules: Ruleset) -> Progress:
    seat = turn.asked or turn.seat
    happenings = [Happening(WorkerPlaced(seat, step.to), False)]
    turn = record(turn, happenings[0].fact, True)
    turn = _entered(turn, rules, len(turn.position.workers) - 1, step.to)
    return turn, happenings


def _place_token(turn: Turn, step: PlaceToken, rules: Ruleset) -> Progress:
    fact = TokenPlaced(step.token, turn.seat, step.at, step.direction)
    return record(turn, fact, True), [Happening(fact, False)]


def _take_token(turn: Turn, step: TakeToken, rules: Ruleset) -> Progress:
    token = next(t for t in turn.position.tokens if t.name == step.token)
    fact = TokenRemoved(token.name, token.square, token.direction)
    return record(turn, fact, True), [Happening(fact, False)]


def _choose(turn: Turn, step: Choose, rules: Ruleset) -> Progress:
    fact = Chosen(turn.seat, step.name, step.value)
    return record(turn, fact, True), [Happening(fact, False)]


def _pass(turn: Turn, step: Pass, rules: Ruleset) -> Progress:
    happenings: list[Happening] = []
    pending = not turn.asked and rules.late_effects and awaiting(turn, rules)
    turn = record_pass(turn)
    return (_late_effects(turn, rules, happenings) if pending else turn), happenings


def _end(turn: Turn, step: End, rules: Ruleset) -> Progress:
    return finish(turn, rules)


_ADVANCE: dict[type[Any], Callable[[Turn, Any, Ruleset], Progress]] = {
    Move: _move,
    Build: _build,
    Force: _force,
    Exchange: _exchange,
    RemoveBlock: _remove_block,
    RemoveBlocks: _remove_block,
    RemoveWorker: _remove_worker,
    PlaceWorker: _place_worker,
    PlaceToken: _place_token,
    TakeToken: _take_token,
    Choose: _choose,
    Pass: _pass,
    End: _end,
}


def advance(turn: Turn, step: Step, rules: Ruleset) -> Progress:
    """Play one step that is known to be possible; return the next turn and what happened."""
    kind = type(step)
    asked = turn.asked
    turn, happenings = _ADVANCE[kind](turn, step, rules)
    if kind is Move or kind is Build or kind is End:
        return turn, happenings
    return _react(turn, step, rules, happenings, asked)


def _react(
    turn: Turn, step: Step, rules: Ruleset, happenings: list[Happening], asked: int
) -> Progress:
    """Let the acting seat's own card follow up on a step that is neither move nor build."""
    held = holdings(turn, rules)
    if asked:
        for _, index in rules.answers:
            own = held[index]
            if own.seat == asked:
                follow = REGISTRY[own.power].after_step(turn, own, step)
                turn = _follow(turn, list(follow), happenings)
        return ask(turn, 0), happenings
    for hook, index in rules.after_step:
        turn = _follow(turn, list(hook(turn, held[index], step)), happenings)
    return turn, happenings


def finish(turn: Turn, rules: Ruleset) -> Progress:
    """Run the automatic end of the turn (E2) and close it."""
    happenings: list[Happening] = []
    held = holdings(turn, rules)
    losers: list[Side] = []
    if not (turn.kind != "normal" and untouched(turn)):
        for hook, index in rules.ends_turn:
            turn = _follow(turn, list(hook(turn, held[index])), happenings)
        if rules.stands_won:
            turn = judge_table(turn, rules)
        for hook, index in rules.condemns:
            losers.extend(hook(turn, held[index]))
        spent = [
            PowerLost(held[index].seat, held[index].power, "spent")
            for hook, index in rules.spends
            if hook(turn, held[index])
        ]
        turn = _follow(turn, spent, happenings)
    if losers and turn.outcome is None:
        turn = replace(turn, outcome=loss(turn.position, losers, "lose_condition"))
    return replace(turn, closed=True), happenings


def untouched(turn: Turn) -> bool:
    """Say whether nothing has been played in this turn yet."""
    return not (turn.moves or turn.builds or turn.other or turn.cut)
