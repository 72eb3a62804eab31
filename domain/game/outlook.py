"""What may happen next in a game: pure questions that change nothing (contract, sections 4, 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.board.geometry import Seat
from domain.board.position import Position
from domain.game import draft, setup
from domain.game.errors import Flaw, IllegalStep, Refusal
from domain.game.events import Entry
from domain.game.evolve import evolve
from domain.game.play import require_legal
from domain.game.secrets import hiding_seats
from domain.game.state import TURN_KINDS, Game
from domain.rules import engine
from domain.rules.engine import BadNotation, LegalTurn, parse_line, position_key
from domain.rules.parsing import Word
from domain.rules.perception import disclosed, perceived
from domain.rules.power import REGISTRY, overrides, power_of
from domain.rules.step import (
    END,
    Build,
    Choose,
    Force,
    Move,
    PlaceToken,
    Step,
    text_of,
)
from domain.rules.turn import Turn
from domain.rules.turns import PATIENCE, successor

DEFAULT_LIMIT = 500
SETUP_KINDS = ("setup", "placement")
_SETUP_PHASES = {"arrow": "direction"}


class Prospect(Struct, frozen=True):
    """Who is to act after some looked-ahead steps, and which steps are then legal.

    Sorted by notation; empty, with no seat, when nothing is left to play in the turn.
    """

    seat: Seat | None
    steps: tuple[Step, ...] = ()

    @property
    def can_end(self) -> bool:
        """Say whether ``end`` is among the steps."""
        return END in self.steps


NOTHING = Prospect(None)


def seat_to_act(game: Game) -> Seat | None:
    """Return the seat that is to act, or None when nobody is."""
    return None if game.clock is None else game.clock.seat


def acts_in_secret(game: Game) -> bool:
    """Say whether the seat to act has a secret, so that others get no list of its steps (T-51)."""
    return game.clock is not None and has_secret(game, game.clock.seat)


def has_secret(game: Game, seat: Seat | None) -> bool:
    """Say whether a seat holds a card with a secret that only it may read (T-51)."""
    return game.position is not None and any(
        held.seat == seat and power_of(held).hidden_information and not power_of(held).deck_secret
        for held in game.position.held
    )


def prospect(game: Game, after: str = "") -> Prospect:
    """Look along the running decision: who acts after some steps, and with which legal steps.

    ``after`` is a piece of its line (T-60), other seats' answers included; nothing is committed.
    All is judged on the table as the seat to act sees it (T-38).

    Raises:
        Refusal: ``after`` is no notation, or another seat's answer stands where none is asked.
        IllegalStep: a step of ``after`` is not legal; its index counts from 0.
    """
    if game.clock is None:
        if after.strip():
            raise _bad_after("Nobody is to move.")
        return NOTHING
    words = _words(game, after)
    if game.turn is not None:
        turn = _turn_after(game, words)
        if turn.over:
            return NOTHING
        if _beyond(game, turn):
            return Prospect(turn.seat)
        return Prospect(turn.asked or turn.seat, engine.legal_steps(turn))
    return _choices_after(game, words)


def legal_steps(game: Game, after: str = "") -> tuple[Step, ...]:
    """List the legal next steps of the seat to act, sorted by notation; see ``prospect``."""
    return prospect(game, after).steps


def can_end(game: Game, after: str = "") -> bool:
    """Say whether ``end`` is among the legal steps."""
    return prospect(game, after).can_end


def legal_turns(
    game: Game, after: str = "", limit: int = DEFAULT_LIMIT, viewer: Seat | str | None = None
) -> tuple[list[LegalTurn], bool]:
    """List one canonical completion for every result (T-63), and whether the list was cut.

    Empty outside whole turns. Judged on the table as the seat to act sees it; the keys are those
    of the ``viewer``, a seat or None for the public, and None where an unseen card decides, or
    where the viewer knows of a worker in the way that the seat to act cannot see.
    """
    words = _words(game, after)
    if game.turn is None or game.clock is None or game.clock.kind not in TURN_KINDS:
        return [], False
    namer = _namer(game, viewer)
    turns, truncated = engine.legal_turns(_turn_after(game, words), limit, namer, PATIENCE)
    if viewer in hiding_seats(game) and viewer != game.clock.seat:
        steps = [word.step for word in words if word.step is not None]
        turns = [_as_hidden_know(game.turn, steps, turn, namer) for turn in turns]
    return turns, truncated


def _as_hidden_know(
    turn: Turn, before: Sequence[Step], listed: LegalTurn, namer: Callable[..., str]
) -> LegalTurn:
    """Return a foe's turn with the key that the seat whose workers it cannot see gives it (T-74).

    None where the turn would meet one of them, so that it cannot be played to its end (P-39).
    """
    if listed.key is None:
        return listed
    for step in (*before, *(step for _, step in listed.steps)):
        turn, _, cancelled = engine.play(turn, step)
        if cancelled or turn.cut:
            return listed._replace(key=None)
    if turn.outcome is not None:
        return listed._replace(key=namer(turn.position, turn.seat, turn.kind))
    return listed._replace(key=namer(*successor(turn)))


def _namer(game: Game, viewer: Seat | str | None) -> Callable[[Position, Seat, str], str]:
    """Return what writes keys for a viewer, who knows its own cards whoever is to act (T-74)."""
    assert game.position is not None
    own = {held.power: held for held in game.position.held if held.seat == viewer}
    kept = {key: held for key, held in own.items() if overrides(REGISTRY[key], "veiled")}

    def name(position: Position, seat: Seat, kind: str) -> str:
        if kept:
            held = tuple(kept.get(h.power, h) for h in position.held)
            position = replace(position, held=held)
        return position_key(position, seat, kind, viewer)

    return name


def winners_of(game: Game, side: int) -> tuple[Seat, ...]:
    """Return the seats of a side, none for side 0: the ``winners`` of an answer."""
    return game.table.seats_of(side) if game.table is not None and side else ()


def phase(game: Game) -> str:
    """Name the phase of what is running (contract, section 4), empty when nothing is."""
    clock = game.clock
    if clock is None:
        return ""
    if clock.kind == "draft":
        decision = draft.pending(game)
        return decision.name if decision else ""
    if clock.kind == "setup":
        return _setup_phase(setup.steps(game))
    if clock.kind == "placement":
        return "place"
    if clock.kind == "interrupt":
        return "place_worker"
    return "" if game.turn is None else _turn_phase(game.turn)


def _setup_phase(steps: Sequence[Step]) -> str:
    match steps[0] if steps else None:
        case Choose(name, _):
            return name
        case PlaceToken(token, _, _):
            return _SETUP_PHASES.get(token, token)
    return "ram"


def _turn_phase(turn: Turn) -> str:
    """Return the first of start, move, build, end in which a step is still legal (T section 2)."""
    steps = engine.legal_steps(turn)
    kinds = {type(step) for step in steps}
    forcing = Force in kinds and not turn.builds
    if forcing and not turn.moves and _starts(turn):
        return "start"
    if Move in kinds or forcing or (not turn.moves and _move_follows(turn, steps)):
        return "move"
    return "build" if Build in kinds else "end"


def _move_follows(turn: Turn, steps: Sequence[Step]) -> bool:
    """Say whether one of these steps is only the way to a move, so that it belongs to its phase."""
    known = _as_known(turn)
    return any(_offers_move(engine.play(known, step).turn) for step in steps)


def _offers_move(turn: Turn) -> bool:
    if turn.over or turn.asked:
        return False
    return any(isinstance(step, Move) for step in engine.legal_steps(turn))


def _starts(turn: Turn) -> bool:
    """Say whether the active seat holds a power whose steps start its turn."""
    return any(
        held.seat == turn.seat and "start_of_turn" in power_of(held).phases
        for held in turn.position.held
    )


def _words(game: Game, after: str) -> tuple[Word, ...]:
    placing = game.clock is not None and game.clock.kind in SETUP_KINDS
    try:
        line = parse_line(after, placing)
    except BadNotation as error:
        raise _bad_after(f"{str(error).capitalize()}.") from None
    return tuple(word for word in line.words if word.step is not None)


def _turn_after(game: Game, words: Sequence[Word]) -> Turn:
    """Return the running turn as its seat to act sees it, some steps on."""
    assert game.turn is not None
    turn = _as_known(game.turn)
    active = turn.seat
    for index, word in enumerate(words):
        assert word.step is not None
        if turn.over or _beyond(game, turn):
            raise IllegalStep("wrong_phase", "The turn is over before this step.", index)
        asked = turn.asked or active
        bare = asked if index == 0 else active  # whoever is to act says its own step plainly
        if (word.seat or bare) != asked:
            raise IllegalStep("wrong_phase", f"Seat {asked} is to act before this step.", index)
        require_legal(turn, word.step, index)
        turn = engine.play(turn, word.step).turn
    return turn


def _as_known(turn: Turn) -> Turn:
    """Return a turn as the seat to act knows it (T-38)."""
    seat = turn.asked or turn.seat
    turn = perceived(turn, seat)
    return replace(turn, position=disclosed(turn.position, seat))


def _beyond(game: Game, turn: Turn) -> bool:
    """Say whether a look past an interrupt has come to a seat with a secret, where it ends."""
    assert game.turn is not None
    return bool(game.turn.asked) and not turn.asked and has_secret(game, turn.seat)


def _choices_after(game: Game, words: Sequence[Word]) -> Prospect:
    """Look along a draft decision, a setup choice or a placement."""
    clock = game.clock
    assert clock is not None
    drafting = clock.kind == "draft"
    for index, word in enumerate(words):
        assert word.step is not None
        decision = draft.pending(game) if drafting else None
        part = draft if drafting else setup
        game = evolve(game, Entry(part.fact_of(game, word.step, index), clock.seat))
        if draft.pending(game) == decision if drafting else setup.goes_on(game):
            continue
        if index + 1 < len(words):
            raise IllegalStep("wrong_phase", "The decision is made before this step.", index + 1)
        return NOTHING
    return Prospect(clock.seat, draft.steps(game) if drafting else setup.steps(game))


def _bad_after(detail: str) -> Refusal:
    flaw = Flaw("after", "not_notation", detail)
    return Refusal("validation_failed", detail, [flaw])


def texts(steps: Sequence[Step]) -> list[str]:
    """Write steps in notation, in order."""
    return [text_of(step) for step in steps]
