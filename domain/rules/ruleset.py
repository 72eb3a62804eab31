"""Ruleset: the hooks that are truly overridden, compiled once per seat and powers in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.board.geometry import Seat, Side
from domain.board.position import Held, Position
from domain.rules.power import PACTS, REGISTRY, Power, Scope, overrides

Hook = Callable[..., Any]
Entries = tuple[tuple[Hook, int], ...]
SidedEntries = tuple[tuple[Hook, int, Side], ...]

OWN = (
    "movers", "reach", "builders", "sites", "actions", "may_end", "optional", "spends",
    "displaces", "strikes", "awaits", "after_build", "after_step", "condemns", "ends_turn",
    "search_key",
)  # fmt: skip
SCOPED = ("forbidden_movers", "forbidden_targets", "forbidden_sites", "forbidden_end", "carries")
WORKER_SCOPED = ("forbidden_targets", "forbidden_sites")
DEMANDING = ("demands",)
ANYBODY = (
    "transfers", "defers_win", "stands_won", "denies_win", "seals_loss", "shows_dome", "after_turn",
    "hides",
)  # fmt: skip
FOES = ("asks", "answers", "takes_win")


class Ruleset:
    """The hooks in force for one seat's turn.

    An entry is (bound hook, index into the holdings); hooks about single workers also carry the
    holder's side, 0 when everybody is bound. ``extra`` holds what is in force without being held:
    the rules of an extra turn, pacts.
    """

    __slots__ = (
        *OWN, *SCOPED, *DEMANDING, *ANYBODY, *FOES, "hopeful", "claims_win", "extra",
        "late_effects", "judged", "plain", "seat", "side", "plain_building", "plain_moving",
        "answer_compulsory", "build_completes", "hopeful_to_end",
    )  # fmt: skip

    # The slots are filled from the names above, so their types are declared here.
    movers: Entries
    reach: Entries
    builders: Entries
    sites: Entries
    actions: Entries
    may_end: Entries
    optional: Entries
    spends: Entries
    displaces: Entries
    strikes: Entries
    awaits: Entries
    after_build: Entries
    after_step: Entries
    condemns: Entries
    ends_turn: Entries
    search_key: Entries
    forbidden_movers: Entries
    forbidden_targets: SidedEntries
    forbidden_sites: SidedEntries
    forbidden_end: Entries
    carries: SidedEntries
    demands: Entries
    hopeful: Entries
    hopeful_to_end: Entries
    transfers: Entries
    defers_win: Entries
    stands_won: Entries
    denies_win: Entries
    seals_loss: Entries
    shows_dome: Entries
    after_turn: Entries
    hides: Entries
    asks: Entries
    answers: Entries
    takes_win: Entries
    claims_win: Entries
    extra: tuple[Held, ...]
    seat: Seat
    side: Side
    judged: bool
    plain: bool
    late_effects: bool
    plain_building: bool
    plain_moving: bool
    build_completes: bool
    answer_compulsory: bool

    def __init__(self, position: Position, seat: Seat, kind: str) -> None:
        """Compile the hooks for the seat's turn of this kind."""
        self.seat = seat
        self.side = side = position.table.side(seat)
        sources: list[tuple[Power, Held, int]] = [
            (REGISTRY[held.power], held, index) for index, held in enumerate(position.held)
        ]
        extra: list[Held] = []
        special = REGISTRY[kind].extra_turn if kind in REGISTRY else None
        count = len(position.held)
        if special is not None:
            extra.append(Held(kind, seat))
            sources.append((special, extra[-1], count))
        for pact in position.pacts:
            extra.append(Held(pact.name, pact.seat, pact))
            sources.append((PACTS[pact.name], extra[-1], count + len(extra) - 1))
        self.extra = tuple(extra)
        table = position.table

        def gather(hook: str, condition: Callable[[Power, Held], bool]) -> Entries:
            return tuple(
                (getattr(power, hook), index)
                for power, held, index in sources
                if overrides(power, hook) and condition(power, held)
            )

        def mine(_: Power, held: Held) -> bool:
            return held.seat == seat

        def foe(_: Power, held: Held) -> bool:
            return table.side(held.seat) != side

        def in_scope(power: Power, held: Held) -> bool:
            return power.scope is not Scope.FOE_TURNS or foe(power, held)

        for hook in OWN:
            setattr(self, hook, gather(hook, mine))
        for hook in SCOPED:
            entries = gather(hook, in_scope)
            if hook in ("forbidden_targets", "forbidden_sites", "carries"):
                sided = []
                for bound, index in entries:
                    power, held, _ = sources[index]
                    bound_side = (
                        table.side(held.seat) if power.scope is Scope.FOREIGN_WORKERS else 0
                    )
                    sided.append((bound, index, bound_side))
                setattr(self, hook, tuple(sided))
            else:
                setattr(self, hook, entries)
        for hook in DEMANDING:
            setattr(self, hook, gather(hook, in_scope))
        self.hopeful = gather("hopeful", lambda p, h: in_scope(p, h) and overrides(p, "demands"))
        self.hopeful_to_end = gather(
            "hopeful", lambda p, h: in_scope(p, h) and overrides(p, "forbidden_end")
        )
        for hook in ANYBODY:
            setattr(self, hook, gather(hook, lambda _power, _held: True))
        for hook in FOES:
            setattr(self, hook, gather(hook, foe))
        self.claims_win = gather("claims_win", lambda p, h: mine(p, h) or foe(p, h))
        self.late_effects = bool(self.transfers or self.carries)
        self.answer_compulsory = any(
            power.answer_compulsory for power, held, _ in sources if held.seat == seat
        )
        self.judged = bool(self.forbidden_end or self.demands)
        ram = any(token.name == "ram" for token in position.tokens)
        self.plain = kind == "normal" and not sources and not ram
        self.plain_moving = not (
            self.displaces or self.strikes or self.awaits or self.late_effects or self.claims_win
            or self.denies_win or self.takes_win or self.seals_loss or self.stands_won
        )  # fmt: skip
        self.build_completes = all(sources[i][0].build_completes for _, i in self.may_end)
        self.plain_building = not (self.after_build or self.stands_won or self.asks)


_CACHE: dict[tuple[Any, ...], Ruleset] = {}
_CACHE_LIMIT = 4096


def ruleset_for(position: Position, seat: Seat, kind: str) -> Ruleset:
    """Return the compiled rules for a seat's turn; cached by powers in play and pacts."""
    key = (
        position.table,
        seat,
        kind,
        tuple((held.power, held.seat) for held in position.held) if position.held else (),
        position.pacts,
        bool(position.tokens and position.rams),
    )
    rules = _CACHE.get(key)
    if rules is None:
        if len(_CACHE) >= _CACHE_LIMIT:
            _CACHE.clear()
        rules = _CACHE[key] = Ruleset(position, seat, kind)
    return rules
