"""Is a log what it claims to be? Chain, order, legality by replay, and the published state."""

from __future__ import annotations

from collections.abc import Sequence

from app.adapters import chain, codec
from app.adapters.compaction import CLOSED
from app.adapters.packing import Damaged
from app.adapters.store import Envelope, Loaded, Meta, Store
from app.services.ledger import folded, recorded
from app.services.types import Verification
from domain.game.checking import first_flaw
from domain.game.state import Game

META_ALONE = 1_000_000_000
"""A version no log has: a reading after it brings no events."""
NO_HASH = f"sha256:{'0' * 64}"


def verify(store: Store, game_id: str, loaded: Loaded) -> Verification:
    """Check the whole log of a game, naming the first version that is wrong.

    ``loaded`` is a reading without events; a log that cannot even be read is a flawed one.
    """
    meta, secret = loaded.meta, loaded.meta.status not in CLOSED
    try:
        whole = store.load(game_id) or loaded
        flaw, meta = flaw_of(game_id, whole), whole.meta
        secret = secret and any("nonce" in event for event in whole.events)
    except Damaged as damage:
        flaw = chain.Flawed(damage.version, damage.problem)
    if flaw is None:
        return Verification(True, meta.version, meta.head)
    problem = flaw.problem
    if secret:  # what follows may tell a square or a card
        problem = problem.partition(":")[0].partition(" (")[0]
    return Verification(False, meta.version, meta.head, flaw.version, problem)


def unreadable(damage: Damaged) -> Verification:
    """Return the verdict on a game of which not even the state can be read."""
    return Verification(False, 0, NO_HASH, damage.version, damage.problem.partition(" (")[0])


def flaw_of(game_id: str, loaded: Loaded) -> chain.Flawed | None:
    """Return the first flaw of a log as loaded, or None."""
    told, published = len(loaded.events), loaded.meta.version
    flaw = flaw_in(game_id, loaded.events, loaded.meta.head if told == published else "")
    if flaw is not None:
        return flaw
    if told != published:
        problem = f"the log has {told} events, {published} were published"
        return chain.Flawed(min(told, published) + 1, problem)
    problem = _unpublished(folded(recorded(loaded.events)).game, loaded.meta)
    return chain.Flawed(loaded.meta.version, problem) if problem else None


def flaw_in(game_id: str, events: Sequence[Envelope], head: str = "") -> chain.Flawed | None:
    """Return the first flaw of a log by itself: chain, order, and every step by the rules."""
    if not events:
        return chain.Flawed(1, "the log is empty")
    flaw = chain.flaw_of(events, game_id, head)
    if flaw is not None:
        return flaw
    entries = []
    for event in events:
        try:
            entries.append(codec.entry_of(event))
        except ValueError as error:
            return chain.Flawed(event["version"], f"the event cannot be read: {error}")
    unlawful = first_flaw(entries)
    if unlawful is not None:
        return chain.Flawed(unlawful.version, f"the rules do not allow it: {unlawful.problem}")
    return None


def _unpublished(game: Game, meta: Meta) -> str:
    """Say how the published state differs from the one the log tells; empty when it does not."""
    deadline = game.clock.deadline if game.clock is not None else None
    told = {"version": game.version, "status": game.status, "deadline": deadline}
    for name, value in told.items():
        if getattr(meta, name) != value:
            return f"the published {name} is {getattr(meta, name)}, the log says {value}"
    return ""
