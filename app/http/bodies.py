"""Request bodies: JSON read strictly, with every limit checked before the parser runs."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import Request

from app.http.problems import Problem, refuse_header

MAX_BODY_BYTES = 16 * 1024
MAX_DEPTH = 32
MAX_DIGITS = 18
"""Longer integers are read as one that is beyond every range: a 422 like any other wrong value."""

BEYOND_EVERY_RANGE = 10**18
ABSENT: Any = object()


def read_json(request: Request) -> Any:
    """Return the JSON value of the body, or ``ABSENT`` when there is no body at all.

    Its size was checked before (``check_size``).

    Raises:
        Problem: ``body_too_large``, ``unsupported_media_type`` or ``malformed_json``.
    """
    raw = request.get_data(cache=True)
    if len(raw) > MAX_BODY_BYTES:
        raise _too_large()
    _check_media_type(request, bool(raw))
    return parse_json(raw) if raw else ABSENT


def check_size(request: Request) -> None:
    """Refuse a body that announces more than 16 KiB, or a coding that hides how long it is.

    Raises:
        Problem: ``body_too_large`` or ``malformed_request``.
    """
    if (request.content_length or 0) > MAX_BODY_BYTES:
        raise _too_large()
    coding = request.environ.get("HTTP_TRANSFER_ENCODING")
    if coding is not None and coding.strip().lower() != "chunked":
        refuse_header("Transfer-Encoding", "unsupported", "Bodies come whole or in chunks.")


def _too_large() -> Problem:
    return Problem("body_too_large", "A body may hold at most 16 KiB.")


def _check_media_type(request: Request, has_body: bool) -> None:
    """Refuse any body that is not plain UTF-8 JSON (RFC 9110, section 15.5.16)."""
    environ = request.environ
    given = environ.get("CONTENT_TYPE")
    if given == "application/json" and "HTTP_CONTENT_ENCODING" not in environ:
        return  # as nearly every body comes
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    coding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if given is None and not has_body:
        return
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise Problem(
            "unsupported_media_type",
            "Send the body as application/json in UTF-8.",
            [
                {
                    "parameter": "Content-Type",
                    "code": "unsupported",
                    "detail": "Only application/json in UTF-8 is read here.",
                }
            ],
            headers={"Accept": "application/json"},
        )
    if coding not in ("", "identity"):
        raise Problem(
            "unsupported_media_type",
            "Send the body without a content coding.",
            [
                {
                    "parameter": "Content-Encoding",
                    "code": "unsupported",
                    "detail": "Compressed bodies are not read here.",
                }
            ],
            headers={"Accept-Encoding": "identity"},
        )


def parse_json(raw: bytes) -> Any:
    """Parse UTF-8 JSON; NaN, a key twice, deep nesting and lone surrogates are refused.

    Raises:
        Problem: ``malformed_json``.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse(f"The body is not UTF-8 (byte {error.start}).")
    _check_depth(text)
    try:
        value = json.loads(
            text,
            parse_int=_integer,
            parse_constant=_constant,
            object_pairs_hook=_members,
        )
    except json.JSONDecodeError as error:
        _refuse(f"{error.msg} (line {error.lineno}, column {error.colno}).")
    if "\\u" in text:
        _check_surrogates(value)
    return value


def _refuse(detail: str) -> NoReturn:
    raise Problem("malformed_json", detail)


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        return -BEYOND_EVERY_RANGE if digits.startswith("-") else BEYOND_EVERY_RANGE
    return int(digits)


def _constant(name: str) -> NoReturn:
    _refuse(f"{name} is not JSON.")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        _refuse("A key stands twice in one object.")
    return members


def _check_depth(text: str) -> None:
    """Count open brackets outside strings; the parser's own recursion is never tried."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth, inside, escaped = 0, False, False
    for char in text:
        if inside:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                inside = False
        elif char == '"':
            inside = True
        elif char in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                _refuse(f"The body is nested deeper than {MAX_DEPTH} levels.")
        elif char in "]}":
            depth -= 1


def _check_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        _refuse("A string holds half a surrogate pair.")
