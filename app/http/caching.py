"""Conditional requests and caches (RFC 9110, RFC 9111): tags are versions, per viewer."""

from __future__ import annotations

import re

from flask import Response, request

from app.http.framework import Reply
from app.http.problems import refuse_header

_TAG = re.compile(r'(W/)?"([!#-~]*)"')
_TAGS = re.compile(r'(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*')

FOREVER = "public, max-age=31536000, immutable"
SHARED = "no-cache"
OWN = "private, no-cache"


def policy(*, private: bool, frozen: bool = False, hidden: bool = False) -> str:
    """Choose the ``Cache-Control`` of a read.

    ``private`` is for games that do not exist for everybody, ``frozen`` for what can never change,
    ``hidden`` while something in it is not shown to everybody.
    """
    if private or hidden:
        return OWN
    if frozen:
        return FOREVER
    return OWN if "Authorization" in request.headers else SHARED


def tag_of(version: int, hidden: bool = False) -> str:
    """Return the tag of a version; another one as long as something in it is hidden."""
    return f"{version}r" if hidden else str(version)


def tags_in(name: str) -> list[tuple[bool, str]] | None:
    """Read a list of tags from a header: (weak, tag) each; empty without it, None for ``*``.

    Raises:
        Problem: ``malformed_request`` for what is no list of tags (RFC 9110, section 8.8.3).
    """
    given = request.headers.get(name)
    if given is None:
        return []
    if given.strip() == "*":
        return None
    if not _TAGS.fullmatch(given.strip()):
        refuse_header(name, "bad_format", 'A list of tags like "12", or *.')
    return [(bool(weak), tag) for weak, tag in _TAG.findall(given)]


def unchanged(tag: str) -> bool:
    """Say whether the caller already has what bears this tag (weak comparison).

    Raises:
        Problem: as ``tags_in``.
    """
    tags = tags_in("If-None-Match")
    return tags is None or any(tag == other for _, other in tags)


def marked(response: Response, tag: str, control: str, vary: str = "Authorization") -> Response:
    """Put tag, policy and ``Vary`` on an answer."""
    headers = response.headers
    headers["ETag"] = f'"{tag}"'
    headers["Cache-Control"] = control
    headers["Vary"] = vary
    return response


def not_modified(tag: str, control: str, vary: str = "Authorization") -> Response:
    """Answer 304: what the caller has is still right."""
    return marked(Reply(status=304), tag, control, vary)
