"""Tickets: a browser's ``EventSource`` cannot send a token, so it shows a ticket, once."""

from __future__ import annotations

import secrets
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.adapters.tickets import TicketBox
from app.services.reader import Reader
from domain.game.errors import Refusal

SECONDS = 30
_NONCE = 12


class Tickets:
    """Issues and redeems tickets. The token itself is kept only locked with its ticket."""

    def __init__(self, reader: Reader, box: TicketBox) -> None:
        """Ask ``reader`` who may have one; keep them in ``box``."""
        self._reader = reader
        self._box = box

    def issue(self, game_id: str, token: str | None, key: str | None = None) -> tuple[str, bool]:
        """Return a ticket that stands for this token in this game, once, for half a minute.

        With an idempotency key it is the same ticket as before; the flag says whether it was
        there already.

        Raises:
            Refusal: ``token_required``, or as ``Reader.authenticate``.
        """
        caller = self._reader.authenticate(game_id, token)
        if token is None or not caller.known:
            raise Refusal("token_required", "A ticket stands for a token.")
        ticket = secrets.token_urlsafe(32) if key is None else _repeated(game_id, token, key)
        nonce = secrets.token_bytes(_NONCE)
        box = AESGCM(_key(ticket)).encrypt(nonce, token.encode(), game_id.encode())
        return ticket, not self._box.put(_name(ticket), nonce + box, SECONDS)

    def redeem(self, game_id: str, ticket: str) -> str:
        """Return the token a ticket stands for; it is good for nothing from now on.

        Raises:
            Refusal: ``token_unknown`` for a ticket that is used, too old, of another game or none.
        """
        found = self._box.take(_name(ticket))
        if found is not None:
            try:
                opened = AESGCM(_key(ticket)).decrypt(
                    found[:_NONCE], found[_NONCE:], game_id.encode()
                )
            except InvalidTag:
                pass
            else:
                return opened.decode()
        raise Refusal("token_unknown", "This ticket is used, too old or none of this game's.")


def _repeated(game_id: str, token: str, key: str) -> str:
    """Derive the ticket of a request that can be sent again."""
    return sha256("\0".join(("ticket", game_id, token, key)).encode()).hexdigest()


def _key(ticket: str) -> bytes:
    return sha256(b"key\0" + ticket.encode()).digest()


def _name(ticket: str) -> str:
    return sha256(b"name\0" + ticket.encode()).hexdigest()
