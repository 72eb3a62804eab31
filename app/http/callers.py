"""Who sent the request and under which conditions: tokens, preconditions, repeats."""

from __future__ import annotations

import re

from flask import current_app, request

from app.http import repeats
from app.http.caching import tags_in
from app.http.exchange import idempotency_key
from app.http.framework import current_request
from app.http.problems import Problem
from app.services import Expected, Services, Submission

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{1,256}=*")
_VERSION = re.compile("[1-9][0-9]{0,8}")
SEALED_KEY_LENGTH = 16
"""Fewest characters of a key that brings a token back (contract, section 8)."""


def services() -> Services:
    """Return the use cases of this application."""
    found: Services = current_app.extensions["santorini"]
    return found


def bearer() -> str | None:
    """Return the token of the ``Authorization`` header, or None when there is no such header.

    Raises:
        Problem: ``token_required`` for another scheme, ``token_unknown`` for what no token is.
    """
    given: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if given is None:
        return None
    scheme, _, token = given.strip().partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("token_required", "Send the token as Authorization: Bearer.")
    if not _TOKEN.fullmatch(token.strip()):
        raise Problem("token_unknown", "This is not a token of ours.")
    return token.strip()


def submission(sealed: bool = False) -> Submission:
    """Describe the request so that it is recognised when it is sent again.

    ``sealed`` is for create and join, whose key brings a token back.

    Raises:
        Problem: ``request_in_progress``, or ``malformed_request`` for a key that is none.
    """
    key = idempotency_key(SEALED_KEY_LENGTH if sealed else 1)
    repeats.begin(key)
    asked = current_request()
    return Submission(asked.path, key, asked.get_data(cache=True))


def expected(version: int | None = None) -> Expected:
    """Gather what the caller believes the game's version to be.

    Raises:
        Problem: ``malformed_request`` for an ``If-Match`` that is no list of tags.
    """
    if "HTTP_AUTHORIZATION" not in request.environ:
        return Expected(version)  # whoever has no token is refused for that first
    tags = tags_in("If-Match")
    if not tags:
        return Expected(version)
    strong = (tag for weak, tag in tags if not weak)
    return Expected(version, frozenset(int(tag) for tag in strong if _VERSION.fullmatch(tag)))
