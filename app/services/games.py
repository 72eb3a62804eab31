"""Commands to games: each loads, decides, appends, and answers with what was appended."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from app.adapters.dice import SystemDice
from app.adapters.store import StoreUnavailable, Tokens
from app.services import access, replay
from app.services.access import paused
from app.services.clocks import Clocks, Expiry
from app.services.ledger import Ledger, Opened
from app.services.seats import Seats
from app.services.tokens import command_id, earlier_id, fingerprint
from app.services.types import (
    ANY_VERSION,
    Answer,
    Expected,
    Seated,
    Submission,
)
from domain.board.geometry import Seat
from domain.game.commands import Cancel, Command, Leave, Play, PlayNotation, Resign
from domain.game.decide import Context, decide
from domain.game.errors import Refusal
from domain.game.settings import Settings
from domain.rules.step import Step

ATTEMPTS = 8
"""Times a command is decided anew because somebody else was faster."""


class _Asked(NamedTuple):
    """One request to change a game."""

    command: str
    formerly: str
    token: str | None
    choose: Callable[[Opened], Command]
    """Says what is asked of a game; refuses who may not ask."""
    fingerprint: str
    expected: Expected
    tokens: Tokens


class Games:
    """Everything that changes a game at somebody's request.

    Every method may raise ``Refusal`` (codes of the contract, section 7; its ``version`` is the
    game's when there is one) and ``StoreUnavailable``. ``token`` is the bearer token as sent, or
    None. A ``Submission`` with a key makes the command repeatable: the same key and body answer
    again with ``replayed`` set, another body is ``idempotency_key_reused``.
    """

    def __init__(self, ledger: Ledger, clocks: Clocks) -> None:
        """Share the ledger and the clocks of the process."""
        self._ledger = ledger
        self._clocks = clocks
        self._seats = Seats(ledger)

    def create(
        self,
        settings: Settings,
        seat: Seat | None = 1,
        name: str | None = None,
        submission: Submission = Submission(),
    ) -> Seated:
        """Open a game and give its creator a seat, or the host's token when ``seat`` is None."""
        return self._seats.create(settings, seat, name, submission)

    def join(
        self,
        game_id: str,
        seat: Seat | None = None,
        name: str | None = None,
        invite: str | None = None,
        submission: Submission = Submission(),
    ) -> Seated:
        """Take a free seat; the game starts by itself when it was the last one."""
        return self._seats.join(game_id, seat, name, invite, submission)

    def renew_token(
        self, game_id: str, seat: Seat, token: str | None, submission: Submission = Submission()
    ) -> Seated:
        """Replace the own seat's token; the old one can only repeat this very request."""
        return self._seats.renew_token(game_id, seat, token, submission)

    def rematch(
        self, game_id: str, token: str | None, submission: Submission = Submission()
    ) -> Seated:
        """Call for the next game with the same settings; every caller gets the same one.

        ``created`` is True for the call that made it. ``token`` in the answer is the caller's own
        old token, which works in the new game.
        """
        return self._seats.rematch(game_id, token, submission)

    def leave(
        self,
        game_id: str,
        seat: Seat,
        token: str | None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
    ) -> Answer:
        """Give the own seat back before the start; its token dies."""

        def choose(opened: Opened) -> Command:
            access.owner_of(opened, token, seat)
            return Leave(seat)

        return self._command(game_id, token, choose, submission, expected, Tokens(revoked=(seat,)))

    def cancel(
        self,
        game_id: str,
        token: str | None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
    ) -> Answer:
        """Call the game off before its start; the creator alone may."""

        def choose(opened: Opened) -> Command:
            if not access.known_caller(opened, token).creator:
                raise Refusal("not_the_creator", "Only who created a game may call it off.")
            return Cancel()

        return self._command(game_id, token, choose, submission, expected)

    def play(
        self,
        game_id: str,
        token: str | None,
        *,
        steps: tuple[Step, ...] | None = None,
        line: str | None = None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
        dry_run: bool = False,
    ) -> Answer:
        """Play steps, or a piece of a turn line (T-60), of the own turn: all or nothing.

        A dry run stores nothing; its events bear no hashes.
        """

        def choose(opened: Opened) -> Command:
            seat = access.player(opened, token)
            return Play(seat, steps or ()) if line is None else PlayNotation(seat, line)

        if dry_run:
            return self._rehearse(game_id, token, choose, expected)
        return self._command(game_id, token, choose, submission, expected)

    def resign(
        self,
        game_id: str,
        token: str | None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
    ) -> Answer:
        """Give up, on or off turn (C-34)."""

        def choose(opened: Opened) -> Command:
            return Resign(access.player(opened, token))

        return self._command(game_id, token, choose, submission, expected)

    def _command(
        self,
        game_id: str,
        token: str | None,
        choose: Callable[[Opened], Command],
        submission: Submission,
        expected: Expected,
        tokens: Tokens = Tokens(),
    ) -> Answer:
        """Decide and append, again whenever somebody else was faster.

        The first decision is made on what this process remembers, if anything: mostly it is
        right, and the append says so. Whatever is not appended is judged on what the store says.
        """
        asked = _Asked(
            command_id(submission, token),
            earlier_id(submission, token),
            token,
            choose,
            fingerprint(submission),
            expected,
            tokens,
        )
        recalled = self._ledger.recall(game_id, token)
        if recalled is not None and not recalled.overdue:
            with suppress(Refusal):
                if answer := self._decided(recalled, asked):
                    return answer
        for _ in range(ATTEMPTS):
            opened = self._ledger.open(
                game_id, command=asked.command, formerly=asked.formerly, token=token
            )
            if opened.loaded.record is not None:
                return replay.first_answer(self._ledger, opened, submission, token)
            try:
                if answer := self._decided(opened, asked):
                    return answer
            except Refusal as refusal:
                raise access.dated(refusal, opened) from None
        raise StoreUnavailable("the game changed faster than this command could be decided")

    def _decided(self, opened: Opened, asked: _Asked) -> Answer | None:
        """Decide and append; None when the game has changed meanwhile.

        Raises:
            Refusal: the command cannot be carried out on the game as it was opened.
        """
        command = asked.choose(opened)
        if not self._in_time(opened):
            return None
        require_expected(opened, asked.expected)
        entries = decide(opened.game, command, Context(opened.at, SystemDice()))
        written = self._ledger.commit(
            opened,
            entries,
            asked.command,
            fingerprint=asked.fingerprint,
            tokens=asked.tokens,
            formerly=asked.formerly,
            token=asked.token,
        )
        if written.answer.verdict == "paused":
            raise paused()
        if written.answer.verdict != "appended":
            return None
        caller = access.reader_of(opened.loaded, asked.token)
        return Answer(written.snapshot, written.events, caller)

    def _in_time(self, opened: Opened) -> bool:
        """Apply the deadline first when it has passed (operations, section 2).

        False when the game has changed meanwhile and must be looked at again.

        Raises:
            Refusal: ``turn_expired``, or ``paused``.
        """
        if opened.loaded.paused:
            raise paused()
        if not opened.overdue:
            return True
        if self._clocks.expire(opened.snapshot.game_id) is Expiry.TIMED_OUT:
            refusal = Refusal("turn_expired", "The deadline of the running turn had passed.")
            refusal.version = self._ledger.open(opened.snapshot.game_id).snapshot.version
            raise refusal
        return False

    def _rehearse(
        self,
        game_id: str,
        token: str | None,
        choose: Callable[[Opened], Command],
        expected: Expected,
    ) -> Answer:
        opened = self._ledger.open(game_id, token=token)
        try:
            asked = choose(opened)
            require_expected(opened, expected)
            if opened.overdue:
                raise Refusal("turn_expired", "The deadline of the running turn has passed.")
            return replay.rehearsal(opened, asked, access.reader_of(opened.loaded, token))
        except Refusal as refusal:
            raise access.dated(refusal, opened) from None


def require_expected(opened: Opened, expected: Expected) -> None:
    """Refuse a caller whose picture of the game is stale.

    Raises:
        Refusal: ``version_conflict`` or ``precondition_failed``.
    """
    version = opened.snapshot.version
    if expected.if_match is not None and version not in expected.if_match:
        raise Refusal("precondition_failed", f"The game is at version {version}.")
    if expected.version is not None and version != expected.version:
        raise Refusal("version_conflict", f"The game is at version {version}.")
