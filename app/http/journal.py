"""One line in the log for each request: what was asked of which game, and what came of it.

Paths are shown as templates, so that neither a ticket nor anything else a caller writes gets in;
tokens and idempotency keys are never looked at.
"""

from __future__ import annotations

import logging
from time import perf_counter

from flask import Flask, Response, g, request

from app.http.contract import template_of
from app.http.metrics import method_word

PROBES = ("/healthz", "/readyz", "/metrics")
"""Asked every few seconds by machines: while all is well they are noted at ``debug``."""

_log = logging.getLogger("santorini.requests")


def init_app(app: Flask) -> None:
    """Log every request when it is answered."""

    def note(response: Response) -> Response:
        routine = request.path in PROBES and response.status_code < 400
        level = logging.DEBUG if routine else logging.INFO
        if _log.isEnabledFor(level):
            now = perf_counter()
            _log.log(
                level,
                "%s %s status=%d game=%s seat=%s ms=%.1f id=%s",
                method_word(),
                template_of(request.url_rule) if request.url_rule else "none",
                response.status_code,
                (request.view_args or {}).get("game_id", "-"),
                g.get("seat") or "-",
                (now - g.get("began", now)) * 1000,
                g.get("request_id", "-"),
            )
        return response

    app.after_request(note)
