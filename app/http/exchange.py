"""What holds for every request and every answer: ids, limits, negotiation, headers."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from flask import Flask, Response, g, request

from app.adapters import patience
from app.http.bodies import check_size
from app.http.contract import Operation, template_of
from app.http.framework import Reply, current_request
from app.http.naming import unique_hex
from app.http.problems import Problem, refuse_header

JSON = "application/json"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._~-]{1,128}")
SAFETY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""What every answer bears, whoever writes it; a page has a content policy of its own."""


def answer_json(body: Any, status: int = 200) -> Response:
    """Encode plain data once, as it is."""
    return Reply(msgspec.json.encode(body), status, JSON)


def _identify() -> None:
    """Take the request's id over, or make one."""
    given = request.environ.get("HTTP_X_REQUEST_ID")
    known = given is not None and _REQUEST_ID.fullmatch(given)
    g.request_id = given if known else unique_hex()


def _check(operations: dict[tuple[str, str], Operation]) -> None:
    """Refuse what no operation takes: big bodies, unknown parameters, unservable media types."""
    asked = current_request()
    check_size(asked)
    if asked.url_rule is None or asked.method == "OPTIONS":
        return
    accepted = asked.environ.get("HTTP_ACCEPT")
    if not asked.query_string and accepted in (None, "*/*"):
        return  # nothing to check: the commonest case, kept cheap
    method = "GET" if asked.method == "HEAD" else asked.method
    operation = operations.get((asked.url_rule.endpoint, method))
    if operation is not None:
        if asked.query_string:
            _check_query(operation.parameters)
        if accepted not in (None, "*/*", *operation.media_types):
            _check_accept(operation.media_types)


def _check_query(known: frozenset[str]) -> None:
    flaws = []
    for name, values in request.args.lists():
        if name not in known:
            detail = "There is no such parameter."
            flaws.append({"parameter": name, "code": "unknown_parameter", "detail": detail})
        elif len(values) > 1:
            detail = "This parameter is given more than once."
            raise Problem(
                "malformed_request",
                f"{name}: {detail}",
                [{"parameter": name, "code": "repeated", "detail": detail}],
            )
    if flaws:
        raise Problem("unknown_parameter", "The query holds unknown parameters.", flaws)


def _check_accept(offered: tuple[str, ...]) -> None:
    if not offered or not request.accept_mimetypes:
        return
    if request.accept_mimetypes.best_match(offered) is None:
        detail = f"Served here: {', '.join(offered)}."
        raise Problem(
            "not_acceptable",
            detail,
            [{"parameter": "Accept", "code": "not_acceptable", "detail": detail}],
        )


def negotiated(*offered: str) -> str:
    """Choose the media type the caller likes best; the first one offered when it has no wish."""
    if not request.accept_mimetypes:
        return offered[0]
    return request.accept_mimetypes.best_match(offered) or offered[0]


def _finish(response: Response) -> Response:
    """Put the headers on that every answer bears."""
    headers = response.headers
    borne = {name for name, _ in headers}
    headers.add("X-Request-ID", g.get("request_id", ""))
    for name, value in SAFETY.items():
        if name not in borne:
            headers.add(name, value)
    if "Cache-Control" not in borne:
        safe = request.method in ("GET", "HEAD", "OPTIONS")
        headers.add("Cache-Control", "no-cache" if safe else "no-store")
    return response


def idempotency_key(minimum: int = 1) -> str | None:
    """Return the request's ``Idempotency-Key`` or None.

    Raises:
        Problem: ``malformed_request`` when it is not ``minimum`` to 128 visible ASCII characters.
    """
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return None
    if not re.fullmatch(r"[!-~]{1,128}", given):
        refuse_header("Idempotency-Key", "bad_format", "1 to 128 visible ASCII characters.")
    if len(given) < minimum:
        detail = f"Here the key brings a token back: at least {minimum} random characters."
        refuse_header("Idempotency-Key", "too_short", detail)
    return given


def init_app(app: Flask, operations: dict[tuple[str, str], Operation]) -> None:
    """Run the checks before every request and finish every answer."""
    by_endpoint = {
        (rule.endpoint, method): operations[template_of(rule), method]
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if (template_of(rule), method) in operations
    }
    app.before_request(_identify)
    app.before_request(patience.begin)
    app.teardown_request(lambda _: patience.end())
    app.before_request(lambda: _check(by_endpoint))
    app.after_request(_finish)
