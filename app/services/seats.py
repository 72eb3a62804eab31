"""Commands that hand out tokens: create, join, a new token, a rematch."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec import Struct

from app.adapters.dice import SystemDice
from app.adapters.store import Loaded, Sealed, StoreUnavailable, Tokens
from app.services import access, replay
from app.services.access import paused
from app.services.ledger import Ledger, Opened, Written, blank, not_found
from app.services.tokens import (
    answer_id,
    caller_of,
    command_id,
    earlier_id,
    fingerprint,
    new_game_id,
    new_token,
    seal,
    shard_of_answer,
    token_hash,
    unseal,
)
from app.services.types import Seated, Submission
from domain.board.geometry import Seat
from domain.game.commands import Create, Join, LinkRematch
from domain.game.decide import Context, decide
from domain.game.errors import Refusal
from domain.game.lifecycle import rematch_settings
from domain.game.settings import Settings
from domain.game.state import NEW

ATTEMPTS = 8
INVITE = "invite"
RESERVED = "reserved"
"""Marks, in the place of a token, a rematch whose seats are kept for their old players."""


class Seats:
    """Gives out seats and the tokens that prove them."""

    def __init__(self, ledger: Ledger) -> None:
        """Share the process's ledger."""
        self._ledger = ledger

    def create(
        self, settings: Settings, seat: Seat | None, name: str | None, submission: Submission
    ) -> Seated:
        """Open a game; see ``Games.create``."""
        kept = answer_id(submission)
        game_id = new_game_id(shard_of_answer(kept))
        opened = blank(game_id, self._ledger.store.now(), secrets.token_hex(16))
        entries = decide(NEW, Create(settings, seat, name), Context(opened.at, SystemDice()))
        token = new_token()
        invite = new_token() if settings.visibility == "private" else None
        role = "host" if seat is None else f"creator:{seat}"
        added = {token_hash(token): role} | ({token_hash(invite): INVITE} if invite else {})
        content = _content(game_id, len(entries), seat, token, invite)
        written = self._ledger.commit(
            opened,
            entries,
            command_id(submission, None),
            fingerprint=fingerprint(submission),
            tokens=Tokens(added),
            answer=seal(submission, content),
        )
        return self._seated(written, content, submission)

    def join(
        self,
        game_id: str,
        seat: Seat | None,
        name: str | None,
        invite: str | None,
        submission: Submission,
    ) -> Seated:
        """Take a free seat; see ``Games.join``."""
        command, kept = command_id(submission, None), answer_id(submission)
        formerly = earlier_id(submission, None)
        for _ in range(ATTEMPTS):
            opened = self._ledger.open(
                game_id, command=command, formerly=formerly, token=invite, answer=kept
            )
            if opened.loaded.record is not None:
                return self._repeated(opened.loaded, submission)
            try:
                self._require_welcome(opened)
                written, content = self._join(opened, seat, name, command, submission)
            except Refusal as refusal:
                raise access.dated(refusal, opened) from None
            if written.answer.verdict != "conflict":
                return self._seated(written, content, submission)
        raise StoreUnavailable("the game changed faster than this command could be decided")

    def _require_welcome(self, opened: Opened) -> None:
        """Refuse strangers to a private game, and to a rematch of others."""
        if opened.game.settings.visibility == "private" and opened.loaded.role != INVITE:
            raise not_found()
        if opened.loaded.paused:
            raise paused()
        if opened.game.status == "open":
            marked = self._ledger.store.load(
                opened.snapshot.game_id, opened.snapshot.version, token_hash=RESERVED
            )
            if marked is not None and marked.role == RESERVED:
                raise Refusal("game_full", "The seats of a rematch are kept for its players.")

    def _join(
        self, opened: Opened, seat: Seat | None, name: str | None, command: str, sub: Submission
    ) -> tuple[Written, dict[str, Any]]:
        entries = decide(opened.game, Join(seat, name), Context(opened.at, SystemDice()))
        taken = entries[0].seat
        assert taken is not None
        token = new_token()
        version = opened.snapshot.version + len(entries)
        content = _content(opened.snapshot.game_id, version, taken, token, None)
        written = self._ledger.commit(
            opened,
            entries,
            command,
            fingerprint=fingerprint(sub),
            tokens=Tokens({token_hash(token): f"seat:{taken}"}),
            answer=seal(sub, content),
        )
        return written, content

    def _seated(self, written: Written, content: dict[str, Any], submission: Submission) -> Seated:
        """Answer what was appended, or what was answered to the same request before."""
        answer = written.answer
        if answer.verdict == "appended":
            return Seated(written.snapshot, content["seat"], content["token"], content["invite"])
        if answer.verdict == "paused":
            raise paused()
        if answer.answer is not None:
            return self._unsealed(answer.answer, submission)
        if answer.verdict == "duplicate" and submission.key is None:
            # The store's answer was lost and asked for again: this very call has appended.
            snapshot, _ = self._ledger.past(content["game_id"], content["version"])
            return Seated(snapshot, content["seat"], content["token"], content["invite"])
        raise _answer_dropped()

    def _repeated(self, loaded: Loaded, submission: Submission) -> Seated:
        record = loaded.record
        assert record is not None
        replay.require_same(record.fingerprint, submission)
        if loaded.answer is None:
            raise _answer_dropped()
        return self._unsealed(
            Sealed(answer_id(submission), record.fingerprint, loaded.answer), submission
        )

    def _unsealed(self, sealed: Sealed, submission: Submission, token: str | None = None) -> Seated:
        replay.require_same(sealed.fingerprint, submission)
        content = unseal(submission, sealed.box, token)
        snapshot, _ = self._ledger.past(content["game_id"], content["version"])
        return Seated(snapshot, content["seat"], content["token"], content["invite"], True)

    # -- a new token ----------------------------------------------------------------------------

    def renew_token(
        self, game_id: str, seat: Seat, token: str | None, submission: Submission
    ) -> Seated:
        """Replace a seat's token; see ``Games.renew_token``."""
        opened = self._ledger.open(game_id, token=token, answer=answer_id(submission, token))
        retired = opened.loaded.role == f"retired:{seat}" and opened.loaded.answer is not None
        if not retired:
            try:
                access.owner_of(opened, token, seat)
            except Refusal as refusal:
                raise access.dated(refusal, opened) from None
        fresh = new_token()
        content = _content(game_id, opened.snapshot.version, seat, fresh, None)
        done = self._ledger.store.renew_token(
            game_id, token_hash(token), token_hash(fresh), seal(submission, content, token)
        )
        if isinstance(done, Sealed):
            return self._unsealed(done, submission, token)
        if not done:
            raise access.dated(access.token_unknown(), opened)
        return Seated(opened.snapshot, seat, fresh)

    # -- the next game --------------------------------------------------------------------------

    def rematch(self, game_id: str, token: str | None, submission: Submission) -> Seated:
        """Call for the next game; see ``Games.rematch``."""
        opened = self._ledger.open(game_id, token=token)
        try:
            seat = access.player(opened, token)
            if opened.game.status != "finished":
                raise Refusal("game_not_over", "The game is not over.")
        except Refusal as refusal:
            raise access.dated(refusal, opened) from None
        assert token is not None
        following = opened.game.next_game or _successor(opened)
        asked = _Call(opened, following, seat, token, command_id(submission, token))
        again = self._called_before(asked, submission)
        if again is not None:
            return again
        created = self._open_rematch(asked, submission)
        self._link(game_id, following)
        return created or self._call(asked, submission)

    def _called_before(self, asked: _Call, submission: Submission) -> Seated | None:
        """Return the first answer to a call with the same key, if there was one."""
        if submission.key is None:
            return None
        formerly = earlier_id(submission, asked.token)
        loaded = self._ledger.store.load(asked.following, command=asked.command, formerly=formerly)
        record = loaded.record if loaded is not None else None
        if record is None:
            return None
        replay.require_same(record.fingerprint, submission)
        snapshot, _ = self._ledger.past(asked.following, record.last)
        return Seated(snapshot, asked.seat, asked.token, replayed=True, created=record.first == 1)

    def _open_rematch(self, asked: _Call, submission: Submission) -> Seated | None:
        """Create the next game for its first caller; None when it exists."""
        finished = asked.finished.game
        if finished.next_game is not None:
            return None
        now = self._ledger.store.now()
        start = blank(asked.following, now, secrets.token_hex(16))
        create = Create(rematch_settings(finished), asked.seat, asked.name)
        written = self._ledger.commit(
            start,
            decide(NEW, create, Context(now, SystemDice())),
            asked.command,
            fingerprint=fingerprint(submission),
            tokens=Tokens({token_hash(asked.token): f"creator:{asked.seat}", RESERVED: RESERVED}),
        )
        if written.answer.verdict == "paused":
            raise paused()
        if written.answer.verdict != "appended":
            return None
        return Seated(written.snapshot, asked.seat, asked.token)

    def _link(self, game_id: str, following: str) -> None:
        """Record in the finished game which one follows it, once."""
        for _ in range(ATTEMPTS):
            opened = self._ledger.open(game_id)
            entries = decide(opened.game, LinkRematch(following), Context(opened.at, SystemDice()))
            if not entries:
                return
            written = self._ledger.commit(opened, entries, "rematch")
            if written.answer.verdict in ("appended", "duplicate"):
                return
            if written.answer.verdict == "paused":
                raise paused()

    def _call(self, asked: _Call, submission: Submission) -> Seated:
        """Take the caller's old seat in the next game, unless it has it already."""
        seat, token, hash_ = asked.seat, asked.token, token_hash(asked.token)
        for _ in range(ATTEMPTS):
            opened = self._ledger.open(asked.following, token=token)
            if caller_of(opened.loaded.role, hash_) is not None:
                return Seated(opened.snapshot, seat, token, created=False)
            join = Join(seat, asked.name)
            written = self._ledger.commit(
                opened,
                decide(opened.game, join, Context(opened.at, SystemDice())),
                asked.command,
                fingerprint=fingerprint(submission),
                tokens=Tokens({hash_: f"seat:{seat}"}),
            )
            if written.answer.verdict == "appended":
                return Seated(written.snapshot, seat, token, created=False)
            if written.answer.verdict == "paused":
                raise paused()
        raise StoreUnavailable("the game changed faster than this command could be decided")


class _Call(Struct, frozen=True):
    """One seat's call for the game that follows a finished one."""

    finished: Opened
    following: str
    seat: Seat
    token: str
    command: str

    @property
    def name(self) -> str | None:
        """The name the seat had."""
        return self.finished.game.chairs[self.seat - 1].name


def _successor(opened: Opened) -> str:
    """Derive the id of the next game, so that all callers mean the same one."""
    name = f"{opened.loaded.meta.secret}/{opened.snapshot.game_id}/next"
    return token_hash(name).lstrip("-_")[:16]


def _content(
    game_id: str, version: int, seat: Seat | None, token: str, invite: str | None
) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "version": version,
        "seat": seat,
        "token": token,
        "invite": invite,
    }


def _answer_dropped() -> Refusal:
    return Refusal(
        "idempotency_key_reused",
        "This Idempotency-Key was used more than a day ago; its answer is no longer kept.",
    )
