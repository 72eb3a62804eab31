"""Errors as RFC 9457 problems: one table from refusal code to status and title.

Every answer of 400 and above is built here, whoever noticed the error: a view, the domain, the
router, the server or nobody (a crash).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple, NoReturn
from urllib.parse import quote

import msgspec
from flask import Flask, Response, g, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import HTTPException

from app.services import StoreUnavailable
from domain.game.errors import Flaw, IllegalStep, Refusal

PROBLEM_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 1

_log = logging.getLogger(__name__)


class Kind(NamedTuple):
    """What every problem of one code shares."""

    status: int
    title: str


TABLE: dict[str, Kind] = {
    "malformed_request": Kind(400, "The request is malformed"),
    "malformed_json": Kind(400, "The body is not valid JSON"),
    "unknown_parameter": Kind(400, "There is no such query parameter"),
    "bad_cursor": Kind(400, "The cursor is not one of ours"),
    "token_required": Kind(401, "This needs a token"),
    "token_unknown": Kind(401, "This token opens nothing here"),
    "not_your_seat": Kind(403, "That is another player's seat"),
    "not_a_player": Kind(403, "The host does not play"),
    "not_the_creator": Kind(403, "Only the creator may do this"),
    "not_found": Kind(404, "There is nothing here"),
    "method_not_allowed": Kind(405, "This method does not work here"),
    "not_acceptable": Kind(406, "None of the accepted media types is served here"),
    "body_too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The body is of an unsupported media type"),
    "not_your_turn": Kind(409, "It is another seat's turn"),
    "game_over": Kind(409, "The game is over"),
    "game_not_started": Kind(409, "The game has not started"),
    "game_full": Kind(409, "All seats are taken"),
    "seat_taken": Kind(409, "That seat is taken"),
    "game_started": Kind(409, "The game has started"),
    "game_not_over": Kind(409, "The game is not over"),
    "turn_expired": Kind(409, "The deadline of this turn has passed"),
    "version_conflict": Kind(409, "The game has moved on"),
    "request_in_progress": Kind(409, "The first request with this key is still running"),
    "precondition_failed": Kind(412, "The precondition does not hold"),
    "validation_failed": Kind(422, "The request does not say something that can be done"),
    "illegal_step": Kind(422, "The rules do not allow this step"),
    "incompatible_powers": Kind(422, "These powers may not meet"),
    "idempotency_key_reused": Kind(422, "This key came with another request before"),
    "rate_limited": Kind(429, "Too many requests"),
    "too_many_streams": Kind(429, "Too many open streams"),
    "internal_error": Kind(500, "A bug in the service"),
    "store_unavailable": Kind(503, "The store cannot be reached"),
    "paused": Kind(503, "The service is paused for maintenance"),
}
"""Refusal code to status and title; the order is that of the contract, section 7."""

_BY_STATUS: dict[int, str] = {
    400: "malformed_request",
    401: "token_required",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "malformed_request",
    412: "precondition_failed",
    413: "body_too_large",
    414: "malformed_request",
    415: "unsupported_media_type",
    422: "validation_failed",
    429: "rate_limited",
    431: "malformed_request",
    503: "store_unavailable",
}


class Problem(Exception):
    """An error found while handling a request, by its code in ``TABLE``.

    ``errors`` are members as they are shown; ``headers`` and ``more`` join the answer.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        errors: Sequence[Mapping[str, str]] = (),
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = dict(headers or {})
        self.more = dict(more or {})


def refuse_header(name: str, code: str, detail: str) -> NoReturn:
    """Refuse a request for one of its headers.

    Raises:
        Problem: always.
    """
    flaw = {"parameter": name, "code": code, "detail": detail}
    raise Problem("malformed_request", f"{name}: {detail}", [flaw])


def body_of(
    code: str,
    detail: str,
    errors: Sequence[Mapping[str, str]] = (),
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Build the members of a problem (contract, section 7) for the current request."""
    kind = TABLE[code]
    body: dict[str, Any] = {
        "type": f"/docs/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "instance": quote(request.path, safe="/:@!$&'()*+,;=~-._", errors="replace"),
        "code": code,
    }
    if errors:
        body["errors"] = [dict(error) for error in errors]
    body |= more or {}
    version = g.get("game_version")
    if version is not None and "version" not in body:
        body["version"] = version
    return body


def answer(
    code: str,
    detail: str,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Response:
    """Build the answer of a problem, with the headers its status asks for."""
    body = body_of(code, detail, errors, more)
    response = Response(msgspec.json.encode(body), status=body["status"], content_type=PROBLEM_TYPE)
    response.headers["Cache-Control"] = "no-store"
    g.problem = code
    if body["status"] == HTTPStatus.UNAUTHORIZED:
        invalid = ' error="invalid_token"' if code == "token_unknown" else ""
        response.headers["WWW-Authenticate"] = f"Bearer{invalid}"
    if body["status"] in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    for name, value in (headers or {}).items():
        response.headers[name] = value
    return response


def _on_problem(problem: Problem) -> Response:
    return answer(problem.code, problem.detail, problem.errors, problem.headers, problem.more)


def _on_refusal(refusal: Refusal) -> Response:
    """Answer what the domain or a service refused."""
    if refusal.code not in TABLE:
        return _on_crash(refusal)
    errors = [_shown(flaw) for flaw in refusal.flaws]
    more: dict[str, Any] = {}
    if isinstance(refusal, IllegalStep):
        more["legal_steps"] = list(refusal.legal[:50])
    version = getattr(refusal, "version", None)
    if version is not None:
        more["version"] = version
    headers = {}
    wait = getattr(refusal, "retry_after", None)
    if wait is not None:
        headers["Retry-After"] = str(wait)
    return answer(refusal.code, refusal.detail, errors, headers, more)


def _shown(flaw: Flaw) -> dict[str, str]:
    """Show one flaw: a pointer into the body, or the parameter of a question that has none."""
    if request.method in ("GET", "HEAD"):
        name = "after" if flaw.pointer.startswith("/steps") else flaw.pointer.lstrip("/")
        where = {"parameter": name}
    else:
        where = {"pointer": flaw.pointer if flaw.pointer[:1] in ("", "/") else f"/{flaw.pointer}"}
    power = {"power": flaw.power} if flaw.power else {}
    return {**where, "code": flaw.code, "detail": flaw.detail, **power}


def _on_http(error: HTTPException) -> Response:
    """Answer what the router or the framework refused."""
    status = error.code or 500
    if status >= 500 and status != 503:
        return _on_crash(error)
    code = _BY_STATUS.get(status, "malformed_request")
    headers = {
        name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")
    }
    return answer(code, _plain(error, code), headers=headers)


def _plain(error: HTTPException, code: str) -> str:
    """Say in our own words what the framework says in its own."""
    sentences = {
        "not_found": "This path names nothing that exists.",
        "method_not_allowed": f"{request.method} does not work on this path.",
        "body_too_large": "A body may hold at most 16 KiB.",
    }
    return sentences.get(code) or f"The request cannot be read ({error.name.lower()})."


def _on_unreadable(error: ParseException) -> Response:
    """Answer a body whose framing the server could not read (a bad chunk size)."""
    return answer("malformed_request", "The framing of the body is broken.")


def _on_store(error: StoreUnavailable) -> Response:
    """Answer a store that did not: whatever was asked may or may not have happened."""
    _log.warning("store unavailable: %s", error, extra={"request_id": g.get("request_id")})
    detail = "The store did not answer. Repeat the request with the same Idempotency-Key."
    return answer("store_unavailable", detail)


def _on_crash(error: Exception) -> Response:
    """Answer a bug: log it, tell nothing about it."""
    _log.error("unhandled error", exc_info=error, extra={"request_id": g.get("request_id")})
    return answer("internal_error", "Something broke here; the request was not at fault.")


def init_app(app: Flask) -> None:
    """Answer every error of this application with a problem."""
    app.register_error_handler(Problem, _on_problem)
    app.register_error_handler(Refusal, _on_refusal)
    app.register_error_handler(StoreUnavailable, _on_store)
    app.register_error_handler(ParseException, _on_unreadable)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(Exception, _on_crash)
