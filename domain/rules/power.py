"""Power: every hook a card may use, declared and explained once.

A power is a stateless singleton: the holder and its memory come in as ``held``. A subclass
overrides the few hooks its card talks about; ``Ruleset`` consults only what is truly overridden.
Families:

* **may** hooks widen what the holder can do on its own turn, given what is allowed so far;
* **cannot** hooks return what they *forbid*; the engine subtracts it, so they can never add a move;
* **must** hooks accept or reject finished turns;
* **then** hooks add the facts that follow from a step;
* **verdict** hooks claim, deny or take a win, or seal a loss;
* **life** hooks mark setup, the start and the end of turns;
* **sight** hooks say what a seat reads as a dome or cannot see.

Defaults change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, ClassVar, TypeAlias

from domain.board.facts import Fact
from domain.board.geometry import (
    NOWHERE,
    OFF_BOARD,
    Crew,
    Mask,
    Side,
    Square,
    Worker,
)
from domain.board.position import Held, Note, Position
from domain.rules.step import Step
from domain.rules.turn import Arrival, Raised, Turn

Sites: TypeAlias = tuple[Mask, Mask]
"""Where a builder may put a block, and where a dome."""


class Scope(Enum):
    """Who is bound by the *cannot* and *must* hooks of a power (T-32)."""

    FOREIGN_WORKERS = "workers that are not the holder's, whoever uses them"
    FOE_TURNS = "turns of the holder's opponents"
    EVERYBODY = "every worker on every turn"


REGISTRY: dict[str, Power] = {}
"""Every power by key, filled as its module is imported."""
PACTS: dict[str, Power] = {}
"""The rules of obligations that outlive their step, by the name of the choice (Pact.name)."""
PACT_MAKERS: dict[str, str] = {}
"""The keys of the powers whose choices leave such obligations, by the same names."""


class Power:
    """The rules of one card; overriding nothing makes a card that does nothing."""

    key: ClassVar[str] = ""
    name: ClassVar[str] = ""
    number: ClassVar[int] = 0
    group: ClassVar[str] = ""
    players: ClassVar[tuple[int, ...]] = (2, 3, 4)
    golden_fleece: ClassVar[bool] = False
    hidden_information: ClassVar[bool] = False
    phases: ClassVar[tuple[str, ...]] = ()
    bans: ClassVar[dict[str, str]] = {}
    """Banned partners and the kind of ban: ``rule`` or ``implementation`` (V-21)."""
    order_aid: ClassVar[int] = -1
    must_start: ClassVar[bool] = False
    must_not_start: ClassVar[bool] = False
    setup_workers: ClassVar[int] = 2
    extra_workers: ClassVar[int] = 0
    token_names: ClassVar[tuple[str, ...]] = ()
    tokens_on_card: ClassVar[bool] = False
    """Whether its tokens live in the card's memory and never lie on the board (T-71)."""
    revised: ClassVar[bool] = False

    scope: ClassVar[Scope] = Scope.FOE_TURNS
    hero: ClassVar[bool] = False
    wants_sexes: ClassVar[bool] = False
    """Whether the position key must show sexes when this power may matter (T-70)."""
    wants_last_moved: ClassVar[bool] = False
    """Whether the last worker moved by a foe must be remembered (T-29)."""
    wants_night_power: ClassVar[bool] = False
    """Whether a Night Power is named beside this card (C-51, V-24)."""
    start_order: ClassVar[int] = 0
    """Order among automatic start-of-turn effects of one seat (S2), lowest first."""
    deck_secret: ClassVar[bool] = False
    """Whether the state is a deck, unseen by its holder too (T-51)."""
    may_steal: ClassVar[bool] = False
    """Whether this power can bring somebody else's power into the holder's hands."""
    lends: ClassVar[bool] = False
    """Whether this card can put one more into its holder's hands (a face-up god, a loot, a Night
    Power)."""
    gains_workers: ClassVar[bool] = False
    """Whether the holder's side can have any number of workers."""
    note_travels: ClassVar[bool] = True
    """Whether the memory goes along when the power changes hands, or starts empty (T-49)."""
    answer_compulsory: ClassVar[bool] = False
    """Whether the answer R5 to an own move must be given (T-35) rather than may be."""
    build_completes: ClassVar[bool] = False
    """Whether a build after a move always leaves an ending, although ``may_end`` has its say.

    A hint that lets the search stop there; answering no is always right.
    """
    extra_turn: ClassVar[Power | None] = None
    """The rules that hold in an extra turn of the kind named like this power (T-45)."""
    pacts: ClassVar[dict[str, Power]] = {}
    """Rules of the obligations this power's choices leave behind, by choice name."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register one instance of every power that has a key."""
        super().__init_subclass__(**kwargs)
        if cls.key:
            REGISTRY[cls.key] = cls()
            PACTS.update(cls.pacts)
            PACT_MAKERS.update(dict.fromkeys(cls.pacts, cls.key))

    # -- may: the holder's own turn -------------------------------------------------------------

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Return the workers that may move now, given those of the base rules and other cards."""
        return crew

    def reach(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Return the squares a worker may move to, given those allowed so far."""
        return targets

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Return the workers that may build now, given those allowed so far."""
        return crew

    def sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Return the block and dome sites of a builder, given those allowed so far."""
        return sites

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Yield the further steps the card offers now (forces, tokens, removals, choices)."""
        return ()

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """Say whether the compulsory part of the turn is done, given the answer so far (T-11)."""
        return complete

    def optional(self, turn: Turn, held: Held, step: Step, optional: bool) -> bool:
        """Say whether a step is one the clock avoids (C-36 point 3), given the answer so far."""
        return optional

    def spends(self, turn: Turn, held: Held) -> bool:
        """Say whether this turn, as played so far, uses up a once-a-game power."""
        return False

    def may_rise(self, turn: Turn, held: Held) -> bool:
        """Say whether the card still lets a worker move up in the rest of this turn.

        A hint that keeps the search for obligations small; answering yes is always right.
        """
        return True

    # -- cannot: in scope -----------------------------------------------------------------------

    def forbidden_movers(self, turn: Turn, held: Held) -> Crew:
        """Return workers that cannot move in this turn."""
        return 0

    def forbidden_targets(self, turn: Turn, held: Held, worker: Worker, targets: Mask) -> Mask:
        """Return the squares among the targets that this worker cannot move to."""
        return NOWHERE

    def forbidden_sites(self, turn: Turn, held: Held, worker: Worker, sites: Sites) -> Sites:
        """Return the block and dome sites on which this worker cannot build."""
        return NOWHERE, NOWHERE

    def forbidden_end(self, turn: Turn, held: Held) -> bool:
        """Say whether a turn that ends as it stands breaks a hard obligation (T-33)."""
        return False

    # -- must: in scope -------------------------------------------------------------------------

    def demands(self, turn: Turn, held: Held) -> bool:
        """Say whether this finished turn fulfils the soft obligation (T-34)."""
        return True

    def hopeful(self, turn: Turn, held: Held, kind: type[Step]) -> bool:
        """Say whether a step of this kind leaves the obligation, soft or hard, within reach.

        A hint that keeps the search small; answering yes is always right.
        """
        return True

    # -- then -----------------------------------------------------------------------------------

    def displaces(self, turn: Turn, held: Held, mover: Worker, target: Square) -> Iterable[Fact]:
        """Yield what happens to the worker on the target of the holder's move (R1)."""
        return ()

    def strikes(self, turn: Turn, held: Held, arrival: Arrival) -> Iterable[Fact]:
        """Yield what the holder's move does before the win check (R3)."""
        return ()

    def awaits(self, turn: Turn, held: Held) -> bool:
        """Say whether the holder still answers its latest move with a force (R5)."""
        return False

    def transfers(self, turn: Turn, held: Held, arrival: Arrival) -> Square:
        """Return where any worker's move is carried on to (R6), or ``OFF_BOARD``."""
        return OFF_BOARD

    def defers_win(self, turn: Turn, held: Held, arrival: Arrival) -> bool:
        """Say whether the win check of this move waits for R6."""
        return False

    def carries(self, turn: Turn, held: Held, arrival: Arrival) -> Iterable[Fact]:
        """Yield the forces that follow an opponent's move (R7); in scope."""
        return ()

    def after_build(self, turn: Turn, held: Held, build: Raised) -> Iterable[Fact]:
        """Yield what follows the holder's chosen build (B3)."""
        return ()

    def after_step(self, turn: Turn, held: Held, step: Step) -> Iterable[Fact]:
        """Yield what follows another chosen step of the holder."""
        return ()

    def asks(self, turn: Turn, held: Held, build: Raised) -> bool:
        """Say whether the holder is asked after this build in a foe's turn (B5, T-50)."""
        return False

    def answers(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Yield the holder's answers while it is asked, ``pass`` apart."""
        return ()

    # -- verdict --------------------------------------------------------------------------------

    def claims_win(self, turn: Turn, held: Held, arrival: Arrival, square: Square) -> bool:
        """Say whether this move wins for the holder (W2).

        ``square`` is where the worker came to rest by the move: its target, or the far whirlpool.
        """
        return False

    def stands_won(self, position: Position, held: Held) -> bool:
        """Say whether the table as it stands wins for the holder (W3)."""
        return False

    def denies_win(
        self, turn: Turn, held: Held, side: Side, arrival: Arrival | None, square: Square
    ) -> bool:
        """Say whether this win of ``side`` is cancelled; ``arrival`` is None for W3."""
        return False

    def takes_win(self, turn: Turn, held: Held, arrival: Arrival, square: Square) -> bool:
        """Say whether the holder wins instead of the mover's owner."""
        return False

    def seals_loss(self, position: Position, held: Held, square: Square) -> bool:
        """Say whether a worker that enters this square loses the game for its owner (L1)."""
        return False

    def condemns(self, turn: Turn, held: Held) -> Iterable[Side]:
        """Yield the sides that lose at the end of the holder's turn (L2)."""
        return ()

    # -- life -----------------------------------------------------------------------------------

    def initial_note(self) -> Note:
        """Return the memory of a freshly dealt card, before any choice or chance."""
        return None

    def setup_choices(self, position: Position, held: Held) -> Iterable[Step]:
        """Yield the choices the holder makes before workers are placed."""
        return ()

    def late_setup_choices(self, position: Position, held: Held) -> Iterable[Step]:
        """Yield the choices the holder makes after all workers are placed."""
        return ()

    def dealt(
        self, position: Position, held: Held, spare: Sequence[str], dice: Any
    ) -> Iterable[Fact]:
        """Yield what is laid ready by chance before any choice (core section 9).

        ``spare`` names the powers that are in nobody's hands, were not offered, and are not banned
        with any power in the game (V-23).
        """
        return ()

    def after_setup(self, position: Position, held: Held, step: Step) -> Iterable[Fact]:
        """Yield what follows the holder's setup choice: the card remembers it."""
        return ()

    def placements(self, position: Position, held: Held, squares: Mask) -> Mask:
        """Return where the holder's side may place its next setup worker."""
        return squares

    def starts_turn(self, position: Position, held: Held) -> Iterable[Fact]:
        """Yield the automatic effects at the start of the holder's turn (S2)."""
        return ()

    def ends_turn(self, turn: Turn, held: Held) -> Iterable[Fact]:
        """Yield the automatic effects at the end of the holder's turn (E2)."""
        return ()

    def after_turn(self, turn: Turn, held: Held, dice: Any) -> Iterable[Fact]:
        """Yield the power changes at the close of any seat's turn (K1)."""
        return ()

    def draws_extra(self, turn: Turn, held: Held, dice: Any) -> tuple[Iterable[Fact], bool]:
        """Return facts of the close and whether the holder earns an extra turn (K2)."""
        return (), False

    # -- sight and text -------------------------------------------------------------------------

    def shows_dome(self, position: Position, held: Held, side: Side) -> Mask:
        """Return the squares this side sees as if they held only a dome (T-22)."""
        return NOWHERE

    def hides(self, position: Position, held: Held) -> Crew:
        """Return the workers that only the holder sees (T-51)."""
        return 0

    def veiled(self, note: Note) -> Note:
        """Return the memory as those see it who may not know its secret (T-51)."""
        return note

    def unordered(self, note: Note) -> Note:
        """Return the memory without the order of a deck that nobody may know (T-51)."""
        return note

    def deck(self, note: Note) -> tuple[str, ...]:
        """Return the cards of a deck in their order: one that is in use, then the next ones.

        One card fewer after each draw; anything else is a deck newly shuffled.
        """
        return ()

    def state(self, note: Note) -> dict[str, Any]:
        """Return the card's memory as the JSON ``state`` of the vectors; empty for none."""
        return {}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read the memory back from its JSON ``state``.

        Raises:
            KeyError, ValueError, TypeError: the state is not one this card can have.
        """
        return None

    def agrees(self, position: Position, held: Held) -> bool:
        """Say whether the card's memory and the table can stand together as a turn begins.

        Asked of positions from outside only; play never gets to one that answers no.
        """
        return True

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Return the state part of a position key (T-71); ``?`` for what is secret (T-74).

        A hero that is not spent is written ``1`` unless its card says more.
        """
        return "1" if self.hero else ""

    def key_tokens(self, position: Position, held: Held, secret: bool) -> Iterable[str]:
        """Yield tokens that live in the card's memory but stand in the key's sixth part."""
        return ()

    def may_bring(self, held: Held) -> Iterable[str]:
        """Yield the keys of powers this card may still bring into play."""
        return ()

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what distinguishes two partial turns; drop history that cannot matter.

        ``key`` is (workers, levels, domes, first, moves, moved, climbed, descended, builds, other,
        fresh, rest).
        """
        return key


def extra_kinds() -> tuple[str, ...]:
    """List the kinds of extra turns, each named by the power that earns it (T-45)."""
    return tuple(sorted(key for key, power in REGISTRY.items() if power.extra_turn is not None))


def power_of(held: Held) -> Power:
    """Return the rules of a held power."""
    return REGISTRY[held.power]


def overrides(power: Power, hook: str) -> bool:
    """Say whether a power has a hook of its own."""
    return getattr(type(power), hook) is not getattr(Power, hook)
