"""Questions about games: nothing here changes anything, not even an overdue deadline."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode

from app.adapters.packing import Damaged
from app.adapters.store import Millis, Query
from app.services import audit
from app.services.access import reader_of
from app.services.ledger import Ledger, not_found, recorded
from app.services.listing import EVERY
from app.services.tokens import token_hash
from app.services.types import (
    SPECTATOR,
    Caller,
    EventPage,
    GamePage,
    GameQuery,
    Reading,
    Snapshot,
    Verification,
)
from domain.game.errors import Refusal


class Reader:
    """Reads games, logs and lists; secrets included, for a view to take out.

    Every method may raise ``Refusal`` and ``StoreUnavailable``. A game that does not exist, or is
    private and the token is none of its own, is ``not_found``; a token unknown to an open game is
    ``token_unknown``.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Share the ledger of the process."""
        self._ledger = ledger

    def _open(self, game_id: str, token: str | None) -> tuple[Snapshot, Caller]:
        if token is None:
            known = self._ledger.glance(game_id)
            if known is not None and known.game.settings.visibility != "private":
                return known, SPECTATOR
        opened = self._ledger.open(game_id, token=token)
        return opened.snapshot, reader_of(opened.loaded, token)

    def authenticate(self, game_id: str, token: str | None) -> Caller:
        """Say who the bearer is in a game; a spectator without a token."""
        return self._open(game_id, token)[1]

    def read(self, game_id: str, token: str | None = None, version: int | None = None) -> Reading:
        """Return the game now, or as it stood after event ``version`` (404 beyond the log)."""
        now, caller = self._open(game_id, token)
        if version is None or version == now.version:
            return Reading(now, caller, now.version, now.game)
        if not 1 <= version < now.version:
            raise not_found("The game has no such version.")
        snapshot, _ = self._ledger.past(game_id, version)
        return Reading(snapshot, caller, now.version, now.game)

    def events(
        self, game_id: str, token: str | None = None, after: int = 0, limit: int | None = 500
    ) -> EventPage:
        """Return up to ``limit`` events after version ``after``; all of them when None.

        None is beyond the snapshot, whatever was appended between the two reads: who has them all
        has come as far as the game that is shown.
        """
        now, caller = self._open(game_id, token)
        newest = now.version
        if after >= newest:
            return EventPage((), now, caller)
        loaded = self._ledger.store.load(game_id, max(after, 0), limit=limit)
        if loaded is None:
            raise not_found()
        events = tuple(event for event in recorded(loaded.events) if event.version <= newest)
        more = bool(events) and events[-1].version < newest
        return EventPage(events, now, caller, more)

    def event(self, game_id: str, version: int, token: str | None = None) -> EventPage:
        """Return one event, as a page of one; ``not_found`` beyond the log."""
        now, caller = self._open(game_id, token)
        if not 1 <= version <= now.version:
            raise not_found("The game has no such event.")
        loaded = self._ledger.store.load(game_id, version - 1, limit=1)
        if loaded is None or not loaded.events:
            raise not_found()
        return EventPage(recorded(loaded.events), now, caller)

    def verify(self, game_id: str, token: str | None = None) -> Verification:
        """Re-check the whole log: chain, contiguity, legality by replay, published state."""
        asked = token_hash(token)
        try:
            loaded = self._ledger.store.load(game_id, audit.META_ALONE, token_hash=asked)
        except Damaged as damage:
            return audit.unreadable(damage)
        if loaded is None:
            raise not_found()
        reader_of(loaded, token)
        return audit.verify(self._ledger.store, game_id, loaded)

    def list(self, query: GameQuery) -> GamePage:
        """List public games by creation time; ``bad_cursor`` for a cursor that is not ours."""
        found = self._ledger.store.page(
            Query(
                _indexes(query),
                query.oldest_first,
                query.limit + 1,
                _place(query.cursor),
                token_hash(query.to_move),
            )
        )
        shown = found[: query.limit]
        more = len(found) > len(shown)
        games = self._ledger.snapshots([game_id for _, game_id in shown])
        return GamePage(games, _cursor(shown[-1]) if more else None)


def _indexes(query: GameQuery) -> tuple[str, ...]:
    filters = {
        "status": query.status,
        "variant": query.variant,
        "player": query.player,
        "power": query.power,
    }
    chosen = tuple(f"{name}:{value}" for name, value in filters.items() if value is not None)
    return chosen or (EVERY,)


def _cursor(place: tuple[Millis, str]) -> str:
    return urlsafe_b64encode(f"{place[0]}.{place[1]}".encode()).rstrip(b"=").decode()


def _place(cursor: str | None) -> tuple[Millis, str] | None:
    if cursor is None:
        return None
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        created, _, game_id = text.partition(".")
        place = (int(created), game_id)
        if not game_id or _cursor(place) != cursor:
            raise ValueError(cursor)
    except (ValueError, binascii.Error) as error:
        raise Refusal("bad_cursor", "This cursor is not one of ours.") from error
    return place
