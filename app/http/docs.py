"""Pages for people: the contract rendered, and an explanation of every problem."""

from __future__ import annotations

from html import escape

from flask import Response

from app.http.blueprints import Blueprint
from app.http.problems import TABLE, Problem

bp = Blueprint("docs", __name__, description="Pages for people.")

HTML = "text/html"
PAGE_POLICY = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'"
)


def page(title: str, body: str) -> Response:
    """Wrap a body into a page of our own, with no script."""
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;"
        "padding:0 1rem;color:#222}code,pre{background:#f4f1e8;padding:.1em .3em}"
        "pre{padding:1em;overflow:auto}</style></head>"
        f"<body>{body}</body></html>\n"
    )
    response = Response(html, content_type=f"{HTML}; charset=utf-8")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Cache-Control"] = "public, max-age=300"
    return response


@bp.route("/docs", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getDocs")
def get_docs() -> Response:
    """Read the documentation"""
    codes = "".join(
        f'<li><a href="/docs/problems/{code}"><code>{code}</code></a> {kind.status}: '
        f"{escape(kind.title)}</li>"
        for code, kind in TABLE.items()
    )
    return page(
        "Santorini, served",
        "<h1>Santorini, served</h1>"
        '<p>The contract is <a href="/openapi.yaml">openapi.yaml</a> (OpenAPI 3.1).</p>'
        f"<h2>Problems</h2><ul>{codes}</ul>",
    )


@bp.route("/docs/problems/<word:code>", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getProblemPage", problems=["not_found"])
def get_problem_page(code: str) -> Response:
    """Read what a problem means"""
    kind = TABLE.get(code)
    if kind is None:
        raise Problem("not_found", "There is no such problem.")
    return page(
        code,
        f"<h1><code>{escape(code)}</code></h1><p>Status {kind.status}. {escape(kind.title)}.</p>"
        '<p><a href="/docs">All problems</a></p>',
    )
