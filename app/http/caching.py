"""Conditional requests and caches (RFC 9110, RFC 9111): tags are versions, per viewer."""

from __future__ import annotations

from flask import Response, request

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


def unchanged(tag: str) -> bool:
    """Say whether the caller already has what bears this tag."""
    return request.if_none_match.contains_weak(tag)


def marked(response: Response, tag: str, control: str, vary: str = "Authorization") -> Response:
    """Put tag, policy and ``Vary`` on an answer."""
    response.set_etag(tag)
    response.headers["Cache-Control"] = control
    response.headers["Vary"] = vary
    return response


def not_modified(tag: str, control: str, vary: str = "Authorization") -> Response:
    """Answer 304: what the caller has is still right."""
    return marked(Response(status=304), tag, control, vary)
