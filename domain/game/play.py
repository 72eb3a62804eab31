"""Playing: the steps of a request, the close of a turn, interrupts, resignation (C-17 .. C-34)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain.board.facts import Fact
from domain.board.geometry import Seat
from domain.game import draft, setup
from domain.game.commands import Play, Resign
from domain.game.errors import Flaw, IllegalStep, Refusal
from domain.game.events import ClockRestarted, Passed, Resigned, StepCancelled
from domain.game.journal import Journal
from domain.game.rehearsal import judged_blindly
from domain.game.state import Game
from domain.game.verdicts import begin_frame, begin_turn, conclude, end_frame, lose
from domain.rules import engine
from domain.rules.engine import Happening, Played, close_turn, legal_steps, play, seat_after
from domain.rules.legal import settle
from domain.rules.resolve import untouched
from domain.rules.step import Build, BuildEither, End, Pass, Step, text_of
from domain.rules.turn import Turn

REFUSED_LIST = 50


def play_steps(journal: Journal, command: Play) -> None:
    """Play the steps of a request, all or nothing (contract, section 5).

    Raises:
        Refusal: the seat is not to act.
        IllegalStep: the first step that cannot be played, with the steps that can.
    """
    require_turn(journal.game, command.seat)
    if len(command.steps) > 1:
        judged_blindly(journal, command.seat, lambda trial: _play_all(trial, command.steps))
    play_all(journal, command.steps)


def play_all(journal: Journal, steps: Sequence[Step]) -> bool:
    """Play steps within the running decision; say whether it is still running."""
    going, dropped = True, False
    for index, step in enumerate(steps):
        if dropped:
            break
        if not going:
            raise IllegalStep("wrong_phase", "The turn was over before this step.", index)
        going, dropped = play_one(journal, step, index)
    return going


def _play_all(journal: Journal, steps: Sequence[Step]) -> None:
    play_all(journal, steps)


def play_one(journal: Journal, step: Step, index: int = 0) -> tuple[bool, bool]:
    """Play one step; say whether its decision goes on, and whether the rest is to be dropped."""
    clock = journal.game.clock
    assert clock is not None
    if clock.kind == "draft":
        return draft.play(journal, step, index), False
    if clock.kind in ("setup", "placement"):
        return setup.play(journal, step, index), False
    turn = journal.game.turn
    assert turn is not None
    step = _with_piece(turn, step, index)
    require_legal(turn, step, index)
    return _take(journal, turn, step)


def _with_piece(turn: Turn, step: Step, index: int) -> Step:
    """Name the piece of a build that left it out, where only one is legal.

    Raises:
        Refusal: both a block and a dome are legal there.
    """
    if not isinstance(step, BuildEither):
        return step
    block, dome = Build(step.origin, step.at), Build(step.origin, step.at, dome=True)
    legal = [build for build in legal_steps(turn) if build in (block, dome)]
    if len(legal) > 1:
        flaw = Flaw(f"/steps/{index}/piece", "required", "Both a block and a dome are legal.")
        raise Refusal("validation_failed", "Say which piece to build.", [flaw])
    return legal[0] if legal else (dome if turn.position.level(step.at) == 3 else block)


def require_turn(game: Game, seat: Seat) -> None:
    """Refuse a seat that is not to act, saying why."""
    require_running(game)
    if game.clock is None or game.clock.seat != seat:
        raise Refusal("not_your_turn", "It is not your turn.")


def require_running(game: Game) -> None:
    """Refuse what only a running game can take."""
    if game.status == "open":
        raise Refusal("game_not_started", "The game has not started.")
    if game.status in ("finished", "cancelled"):
        raise Refusal("game_over", "The game is over.")


def require_legal(turn: Turn, step: Step, index: int) -> None:
    """Refuse a step that is not legal in this partial turn, with the reason and the legal ones."""
    legal = legal_steps(turn)
    if step in legal:
        return
    reason = engine.explain(turn, step)
    texts = [text_of(other) for other in legal[:REFUSED_LIST]]
    raise IllegalStep(reason.code, reason.detail, index, texts, reason.power)


def resign(journal: Journal, command: Resign) -> None:
    """Give up, on or off turn, from the end of the draft on (C-34)."""
    game = journal.game
    require_running(game)
    if game.status == "drafting":
        raise Refusal("game_not_started", "Nobody can resign before the draft is over (C-34).")
    if game.chairs[command.seat - 1].status == "eliminated":
        raise Refusal("game_over", "This seat is out of the game.")
    journal.choice(Resigned(command.seat), command.seat)
    withdraw(journal, command.seat, "resignation")


def withdraw(journal: Journal, seat: Seat, reason: str) -> None:
    """Let a seat lose outside a verdict of the board, and let the others go on (C-41)."""
    if not lose(journal, seat, reason):
        return
    clock = journal.game.clock
    assert clock is not None
    if journal.game.suspended is not None:
        _settle_interrupt(journal, seat)
    elif clock.seat == seat:
        _end_of_loser(journal, seat)
    elif journal.game.turn is not None:
        _resettle(journal, journal.game.turn)


def _end_of_loser(journal: Journal, seat: Seat) -> None:
    """End the turn of a seat that has just left, without end-of-turn effects (C-41)."""
    clock = journal.game.clock
    if clock is not None:
        end_frame(journal)
        if clock.kind in ("setup", "placement"):
            setup.proceed(journal)
            return
    assert journal.game.position is not None
    begin_turn(journal, seat_after(journal.game.position, seat))


def _settle_interrupt(journal: Journal, seat: Seat) -> None:
    """Go on when a seat leaves while an interrupt is asked (T-50)."""
    clock, suspended = journal.game.clock, journal.game.suspended
    assert clock is not None and suspended is not None
    if clock.seat == seat:
        _resume(journal)
        if journal.game.turn is not None:
            _resettle(journal, journal.game.turn)
    elif suspended.seat == seat:
        end_frame(journal)
        _end_of_loser(journal, suspended.seat)


def _resettle(journal: Journal, turn: Turn) -> None:
    """Judge a running turn anew after somebody else has left the table.

    What has become impossible is waived as after an interrupt (T-37); a turn in which nothing was
    played yet is stuck instead (C-31).
    """
    if legal_steps(turn):
        return
    if untouched(turn):
        if lose(journal, turn.seat, "stuck"):
            _end_of_loser(journal, turn.seat)
        return
    after, happenings = settle(turn, True)
    for happening in happenings:
        journal.effect(happening.fact, turn.seat)
    _after(journal, after)


def _take(journal: Journal, turn: Turn, step: Step) -> tuple[bool, bool]:
    played = play(turn, step)
    seat = turn.asked or turn.seat
    secret_loss = _write(journal, turn, step, played, seat)
    going = _after(journal, played.turn)
    return going and not turn.asked, bool(played.cancelled) or secret_loss


def _write(journal: Journal, turn: Turn, step: Step, played: Played, seat: Seat) -> bool:
    """Write what a step did; say whether it ended the game against the one who played it."""
    following = list(played.happenings)
    if played.cancelled:
        cancelled = StepCancelled(seat, text_of(step), played.cancelled)
        journal.choice(cancelled, seat, _unseen(following))
    elif isinstance(step, Pass):
        journal.choice(Passed(seat), seat, _unseen(following))
    elif isinstance(step, End):
        end_frame(journal, explicit=True)
    while following and not following[0].automatic:
        fact = following.pop(0).fact
        journal.choice(fact, seat, _unseen(following))
    if turn.asked:
        _resume(journal)
    while following:
        fact = following.pop(0).fact
        journal.effect(fact, getattr(fact, "seat", 0) or turn.seat, _unseen(following))
    outcome = played.turn.outcome
    return outcome is not None and outcome.winner != turn.side


def _unseen(following: list[Happening]) -> tuple[Fact, ...]:
    """Take the happenings from the front that only some seats may know of (P-39)."""
    facts: list[Fact] = []
    while following and following[0].hidden:
        facts.append(following.pop(0).fact)
    return tuple(facts)


def _resume(journal: Journal) -> None:
    """Close an interrupt and give the suspended turn the time it had left (C-35)."""
    suspended = journal.game.suspended
    assert suspended is not None
    end_frame(journal)
    if suspended.left is not None:
        deadline = journal.context.now + suspended.left
        journal.effect(ClockRestarted(suspended.seat, deadline, "interrupt"), suspended.seat)


def _after(journal: Journal, turn: Turn) -> bool:
    """Draw the consequences of a step: verdict, interrupt, close; say whether the turn goes on.

    An ``end`` step has closed the turn already.
    """
    if turn.outcome is not None:
        _decided(journal, turn)
        return False
    if turn.closed:
        if journal.game.clock is not None:
            end_frame(journal)
        if journal.veiled:
            return False
        closing = close_turn(turn, journal.context.dice)
        for fact in closing.facts:
            journal.effect(fact, getattr(fact, "seat", 0) or turn.seat)
        begin_turn(journal, closing.seat, closing.kind)
        return False
    if turn.asked:
        begin_frame(journal, turn.asked, "interrupt")
        return False
    return True


def _decided(journal: Journal, turn: Turn) -> None:
    """Record a win or a loss on the board; with sides left, the others go on (C-41)."""
    assert turn.outcome is not None
    if not conclude(journal, turn.outcome, turn.seat):
        return
    assert journal.game.position is not None
    if turn.closed and turn.seat not in journal.game.position.out:
        _after(journal, replace(turn, position=journal.game.position, outcome=None))
    elif turn.seat in journal.game.position.out:
        _end_of_loser(journal, turn.seat)
    elif journal.game.turn is not None:
        _resettle(journal, journal.game.turn)
