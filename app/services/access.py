"""Who may know of a game, and who may do what in it."""

from __future__ import annotations

from app.adapters.store import Loaded
from app.services.ledger import Opened, not_found
from app.services.tokens import caller_of, token_hash
from app.services.types import SPECTATOR, Caller
from domain.board.geometry import Seat
from domain.game.errors import Refusal


def reader_of(loaded: Loaded, token: str | None) -> Caller:
    """Say who reads a game; a spectator without a token.

    Raises:
        Refusal: ``not_found`` for strangers to a private game, ``token_unknown`` elsewhere.
    """
    caller = caller_of(loaded.role, token_hash(token))
    if caller is not None:
        return caller
    if loaded.meta.visibility == "private":
        raise not_found()
    if token is not None:
        raise token_unknown()
    return SPECTATOR


def known_caller(opened: Opened, token: str | None) -> Caller:
    """Say who commands; nobody commands without a token.

    Raises:
        Refusal: as ``reader_of``, or ``token_required``.
    """
    caller = reader_of(opened.loaded, token)
    if not caller.known:
        raise Refusal("token_required", "This needs the token of a seat of the game.")
    return caller


def player(opened: Opened, token: str | None) -> Seat:
    """Return the seat of whoever commands.

    Raises:
        Refusal: as ``known_caller``, or ``not_a_player`` for the host.
    """
    seat = known_caller(opened, token).seat
    if seat is None:
        raise Refusal("not_a_player", "The host of a game does not play in it.")
    return seat


def owner_of(opened: Opened, token: str | None, seat: Seat) -> None:
    """Refuse whoever does not hold this seat.

    Raises:
        Refusal: as ``player``; ``not_found`` for a seat the game does not have,
            ``not_your_seat`` for another seat.
    """
    own = player(opened, token)
    if not 1 <= seat <= len(opened.game.chairs):
        raise not_found("There is no such seat.")
    if own != seat:
        raise Refusal("not_your_seat", "This is another seat's token.")


def dated(refusal: Refusal, opened: Opened) -> Refusal:
    """Put the game's version on a refusal, unless that denies that there is such a game."""
    if refusal.code != "not_found":
        refusal.version = refusal.version or opened.snapshot.version
    return refusal


def token_unknown() -> Refusal:
    """Return the one refusal of unknown, revoked and foreign tokens."""
    return Refusal("token_unknown", "No seat of this game has this token.")


def paused() -> Refusal:
    """Return the refusal of every command during maintenance."""
    return Refusal("paused", "The service is paused for maintenance; clocks stand still.")
