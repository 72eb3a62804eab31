"""Tokens, command ids and sealed answers: what is secret, and what may be known of it."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.adapters.store import SHARDS, Sealed, shard_of
from app.services.types import Caller, Submission

TOKEN_BYTES = 32
ID_BYTES = 12
"""96 random bits: whoever knows the id of an unlisted game may read and join it."""
COMMAND_BYTES = 9
"""72 bits: a command's id is unique within its game only, and a game has a few hundred."""
COMMAND, FINGERPRINT = 12, 6
"""Characters of a command's id, and of its fingerprint, which a game keeps for ever."""
_NONCE = 12


def new_token() -> str:
    """Return a token of 256 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_game_id(shard: int | None = None) -> str:
    """Return a random game id, of one shard when that is asked for."""
    while True:
        game_id = secrets.token_urlsafe(ID_BYTES)
        if game_id[0] not in "-_" and (shard is None or shard_of(game_id) == shard):
            return game_id


def token_hash(token: str | None) -> str:
    """Return the hash under which a token is stored; empty for no token."""
    return _short(sha256(token.encode()).digest()) if token else ""


def caller_of(role: str | None, hash_: str) -> Caller | None:
    """Read a stored role; None for a token that is nobody's (any more)."""
    kind, _, seat = (role or "").partition(":")
    match kind:
        case "seat" | "creator":
            return Caller(int(seat), creator=kind == "creator", token_hash=hash_)
        case "host":
            return Caller(None, host=True, creator=True, token_hash=hash_)
    return None


def command_id(submission: Submission, token: str | None) -> str:
    """Return the id under which a command is recognised when it is sent again.

    A hash of caller, path and key, for a log must not show the key; random without a key.
    """
    if submission.key is None:
        return secrets.token_urlsafe(COMMAND_BYTES)
    return earlier_id(submission, token)[:COMMAND]


def earlier_id(submission: Submission, token: str | None) -> str:
    """Return the id under which the first release knew a command with a key, else empty."""
    if submission.key is None:
        return ""
    return _digest("command", token_hash(token), submission.path, submission.key)


def answer_id(submission: Submission, token: str | None = None) -> str:
    """Return the id of the answer that is kept sealed for a request with a key, else empty."""
    if submission.key is None:
        return ""
    return _digest("answer", token_hash(token), submission.path, submission.key)


def fingerprint(submission: Submission) -> str:
    """Return what two requests with the same key must share; empty without a key."""
    return "" if submission.key is None else _short(sha256(submission.body).digest())[:FINGERPRINT]


def same_request(kept: str, submission: Submission) -> bool:
    """Say whether a request is the one a fingerprint was kept of; the first release kept more."""
    return kept[:FINGERPRINT] == fingerprint(submission)


def _digest(*parts: str) -> str:
    return _short(sha256("\0".join(parts).encode()).digest()[:16])


def _short(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def shard_of_answer(id_: str) -> int | None:
    """Return the shard in which a game must lie to be created together with this answer."""
    return int.from_bytes(sha256(id_.encode()).digest()[:4], "big") % SHARDS if id_ else None


def seal(
    submission: Submission, content: dict[str, Any], token: str | None = None
) -> Sealed | None:
    """Lock an answer that holds a token with the request's key; None without a key."""
    id_ = answer_id(submission, token)
    if submission.key is None:
        return None
    nonce = secrets.token_bytes(_NONCE)
    box = _cipher(submission.key, id_).encrypt(nonce, msgspec.json.encode(content), id_.encode())
    return Sealed(id_, fingerprint(submission), nonce + box)


def unseal(submission: Submission, box: bytes, token: str | None = None) -> dict[str, Any]:
    """Open what ``seal`` locked.

    Raises:
        ValueError: the box is damaged; a wrong key never finds it.
    """
    id_ = answer_id(submission, token)
    assert submission.key is not None
    try:
        text = _cipher(submission.key, id_).decrypt(box[:_NONCE], box[_NONCE:], id_.encode())
    except InvalidTag as error:
        raise ValueError("a sealed answer is damaged") from error
    content: dict[str, Any] = msgspec.json.decode(text)
    return content


def _cipher(key: str, id_: str) -> AESGCM:
    derived = HKDF(SHA256(), 32, salt=id_.encode(), info=b"sealed answer").derive(key.encode())
    return AESGCM(derived)
