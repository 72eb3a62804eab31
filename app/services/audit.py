"""Is a log what it claims to be? Chain, order, legality by replay, and the published state."""

from __future__ import annotations

from collections.abc import Sequence

from app.adapters import chain, codec
from app.adapters.store import Envelope, Loaded, Meta
from app.services.ledger import folded, recorded
from app.services.types import Verification
from domain.game.checking import first_flaw
from domain.game.state import Game


def verify(game_id: str, loaded: Loaded) -> Verification:
    """Check a whole log as loaded, naming the first version that is wrong."""
    flaw = flaw_of(game_id, loaded)
    version, head = loaded.meta.version, loaded.meta.head
    if flaw is None:
        return Verification(True, version, head)
    problem = flaw.problem
    if _keeps_secrets(loaded):
        problem = problem.partition(":")[0]  # what follows may tell a square or a card
    return Verification(False, version, head, flaw.version, problem)


def _keeps_secrets(loaded: Loaded) -> bool:
    """Say whether a log holds what not everybody may know yet."""
    over = loaded.meta.status in ("finished", "cancelled")
    return not over and any("nonce" in event for event in loaded.events)


def flaw_of(game_id: str, loaded: Loaded) -> chain.Flawed | None:
    """Return the first flaw of a log as loaded, or None."""
    flaw = flaw_in(game_id, loaded.events, loaded.meta.head)
    if flaw is not None:
        return flaw
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
