"""Commands to games: each loads, decides, appends, and answers with what was appended."""

from __future__ import annotations

from app.services.types import ANY_VERSION, Answer, Expected, Seated, Submission
from domain.board.geometry import Seat
from domain.game.settings import Settings
from domain.rules.step import Step


class Games:
    """Everything that changes a game at somebody's request.

    Every method may raise ``Refusal`` (codes of the contract, section 7; its ``version`` is the
    game's when there is one) and ``StoreUnavailable``. ``token`` is the bearer token as sent, or
    None. A ``Submission`` with a key makes the command repeatable: the same key and body answer
    again with ``replayed`` set, another body is ``idempotency_key_reused``.
    """

    def create(
        self,
        settings: Settings,
        seat: Seat | None = 1,
        name: str | None = None,
        submission: Submission = Submission(),
    ) -> Seated:
        """Open a game and give its creator a seat, or the host's token when ``seat`` is None."""
        raise NotImplementedError

    def join(
        self,
        game_id: str,
        seat: Seat | None = None,
        name: str | None = None,
        invite: str | None = None,
        submission: Submission = Submission(),
    ) -> Seated:
        """Take a free seat; the game starts by itself when it was the last one."""
        raise NotImplementedError

    def leave(
        self,
        game_id: str,
        seat: Seat,
        token: str | None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
    ) -> Answer:
        """Give the own seat back before the start; its token dies."""
        raise NotImplementedError

    def cancel(
        self,
        game_id: str,
        token: str | None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
    ) -> Answer:
        """Call the game off before its start; the creator alone may."""
        raise NotImplementedError

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
        raise NotImplementedError

    def resign(
        self,
        game_id: str,
        token: str | None,
        submission: Submission = Submission(),
        expected: Expected = ANY_VERSION,
    ) -> Answer:
        """Give up, on or off turn (C-34)."""
        raise NotImplementedError

    def renew_token(
        self, game_id: str, seat: Seat, token: str | None, submission: Submission = Submission()
    ) -> Seated:
        """Replace the own seat's token; the old one can only repeat this very request."""
        raise NotImplementedError

    def rematch(
        self, game_id: str, token: str | None, submission: Submission = Submission()
    ) -> Seated:
        """Call for the next game with the same settings; every caller gets the same one.

        ``replayed`` is False only for the call that created it. ``token`` in the answer is the
        caller's own old token, which works in the new game.
        """
        raise NotImplementedError
