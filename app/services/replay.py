"""Answers that append nothing: the first answer to a repeated request, and a rehearsal."""

from __future__ import annotations

from msgspec.structs import replace

from app.adapters import codec
from app.adapters.dice import SystemDice
from app.services.access import token_unknown
from app.services.ledger import Ledger, Opened
from app.services.tokens import caller_of, same_request, token_hash
from app.services.types import SPECTATOR, Answer, Caller, Recorded, Submission
from domain.game.commands import Command
from domain.game.decide import rehearse
from domain.game.errors import Refusal
from domain.game.journal import Context


def first_answer(
    ledger: Ledger, opened: Opened, submission: Submission, token: str | None
) -> Answer:
    """Answer a request again as it was answered first.

    Raises:
        Refusal: ``idempotency_key_reused`` when it is not the same request.
    """
    record = opened.loaded.record
    assert record is not None
    require_same(record.fingerprint, submission)
    snapshot, events = ledger.past(opened.snapshot.game_id, record.last)
    caller = _repeater(opened, token)
    return Answer(snapshot, events[record.first - 1 :], caller, submission.key is not None)


def _repeater(opened: Opened, token: str | None) -> Caller:
    """Say who repeats a command: its id names the token, which died if the seat was left."""
    role = opened.loaded.role or ""
    if role.startswith("retired"):
        raise token_unknown()
    return caller_of(role, token_hash(token)) or SPECTATOR


def require_same(first: str, submission: Submission) -> None:
    """Refuse a key that was used for something else.

    Raises:
        Refusal: ``idempotency_key_reused``.
    """
    if not same_request(first, submission):
        raise Refusal(
            "idempotency_key_reused", "This Idempotency-Key was used with another request."
        )


def rehearsal(opened: Opened, asked: Command, caller: Caller) -> Answer:
    """Decide without storing: on the table as the caller sees it, with events without hashes.

    Raises:
        Refusal: what the game does not accept.
    """
    before = opened.snapshot
    context = Context(opened.at, SystemDice())
    entries, game = rehearse(opened.game, asked, caller.seat, context)
    events = tuple(
        Recorded(
            version, entry, codec.body_of(entry, before.game_id, version, opened.at, "dry-run")
        )
        for version, entry in enumerate(entries, before.version + 1)
    )
    after = replace(before, game=game, updated_at=opened.at)
    return Answer(after, events, caller)
