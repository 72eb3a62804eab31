"""Questions about games: nothing here changes anything, not even an overdue deadline."""

from __future__ import annotations

from app.services.types import (
    Caller,
    EventPage,
    GamePage,
    GameQuery,
    Reading,
    Verification,
)


class Reader:
    """Reads games, logs and lists; secrets included, for a view to take out.

    Every method may raise ``Refusal`` and ``StoreUnavailable``. A game that does not exist, or is
    private and the token is none of its own, is ``not_found``; a token unknown to an open game is
    ``token_unknown``.
    """

    def authenticate(self, game_id: str, token: str | None) -> Caller:
        """Say who the bearer is in a game; a spectator without a token."""
        raise NotImplementedError

    def read(self, game_id: str, token: str | None = None, version: int | None = None) -> Reading:
        """Return the game now, or as it stood after event ``version`` (404 beyond the log)."""
        raise NotImplementedError

    def events(
        self, game_id: str, token: str | None = None, after: int = 0, limit: int | None = 500
    ) -> EventPage:
        """Return up to ``limit`` events after version ``after``; all of them when None."""
        raise NotImplementedError

    def event(self, game_id: str, version: int, token: str | None = None) -> EventPage:
        """Return one event, as a page of one; ``not_found`` beyond the log."""
        raise NotImplementedError

    def verify(self, game_id: str, token: str | None = None) -> Verification:
        """Re-check the whole log: chain, contiguity, legality by replay, published state."""
        raise NotImplementedError

    def list(self, query: GameQuery) -> GamePage:
        """List public games by creation time; ``bad_cursor`` for a cursor that is not ours."""
        raise NotImplementedError
