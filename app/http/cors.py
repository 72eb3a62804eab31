"""CORS: pages of configured origins may call the service, never with credentials."""

from __future__ import annotations

from flask import Flask, Response, request

EXPOSED = "ETag, Location, Link, Retry-After, Idempotency-Replayed"
ALLOWED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "Prefer, X-Request-ID"
)
MAX_AGE_SECONDS = "600"


def init_app(app: Flask, origins: tuple[str, ...]) -> None:
    """Answer ``OPTIONS`` and, for these exact origins, let pages read answers."""

    def finish(response: Response) -> Response:
        preflight = request.method == "OPTIONS" and response.status_code == 200
        if preflight:
            response.status_code = 204
            response.headers.pop("Content-Type", None)
            response.headers.pop("Content-Length", None)
        if origins:
            response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin is None or origin not in origins:
            return response
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        if preflight and "Access-Control-Request-Method" in request.headers:
            response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
            response.headers["Access-Control-Allow-Headers"] = ALLOWED
            response.headers["Access-Control-Max-Age"] = MAX_AGE_SECONDS
        return response

    app.after_request(finish)
