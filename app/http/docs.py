"""Pages for people: the contract rendered, a guide, and an explanation of every problem."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files

from flask import Response

from app.http.blueprints import Blueprint
from app.http.explanations import EXPLANATIONS
from app.http.problems import TABLE, Problem

bp = Blueprint("docs", __name__, description="Pages for people.")

HTML = "text/html"
SCRIPT = "text/javascript"
CONTROL = "public, max-age=300"
PAGE_POLICY = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'"
)
STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.55 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}"
    "code,pre{font-family:ui-monospace,monospace;font-size:.92em}"
    "pre{padding:.8em 1em;overflow:auto;border:1px solid #8886;border-radius:6px}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left;"
    "vertical-align:top}"
)
NAVIGATION = (
    '<nav><a href="/docs">Reference</a> · <a href="/docs/guide">Guide</a> · '
    '<a href="/docs/problems">Problems</a> · <a href="/openapi.yaml">openapi.yaml</a></nav>'
)


@cache
def _resource(folder: str, name: str) -> str:
    return (files("app.http") / folder / name).read_text(encoding="utf-8")


def page(title: str, body: str, head: str = "") -> Response:
    """Wrap a body into a page of our own."""
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>{head}</head><body>{body}</body></html>\n"
    )
    response = Response(html, content_type=f"{HTML}; charset=utf-8")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Cache-Control"] = CONTROL
    return response


def article(title: str, body: str) -> Response:
    """Wrap text into a page that is read from top to bottom."""
    return page(title, f"{NAVIGATION}<main>{body}</main>", f"<style>{STYLE}</style>")


@bp.route("/docs", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getDocs")
def get_docs() -> Response:
    """Read the reference

    The contract, rendered by a viewer that comes with the service.
    """
    viewer = (
        '<rapi-doc spec-url="/openapi.yaml" render-style="read" load-fonts="false" '
        'allow-authentication="true" allow-server-selection="false" show-header="false" '
        'schema-style="table" font-size="large">'
        f'<div slot="nav-logo">{NAVIGATION}</div></rapi-doc>'
        f"<noscript>{NAVIGATION}<p>The reference needs scripts; the guide does not.</p></noscript>"
    )
    script = '<script type="module" src="/docs/assets/rapidoc.js"></script>'
    return page("Santorini, served", viewer, script)


@bp.route("/docs/assets/rapidoc.js", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=SCRIPT)
@bp.operation("getViewer")
def get_viewer() -> Response:
    """Load the reference's viewer

    The script that renders the contract; it asks no other host for anything.
    """
    script = _resource("assets", "rapidoc-min.js")
    response = Response(script, content_type=f"{SCRIPT}; charset=utf-8")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


@bp.route("/docs/guide", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getGuide")
def get_guide() -> Response:
    """Read the guide

    A game from creation to its end, two small bots, notation, events and clocks.
    """
    return article("Guide", _resource("pages", "guide.html"))


@bp.route("/docs/problems", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getProblemPages")
def get_problem_pages() -> Response:
    """List what can go wrong

    Every code a problem can have, with its status, in the order of the contract.
    """
    rows = "".join(
        f'<tr><td>{kind.status}</td><td><a href="/docs/problems/{code}"><code>{code}</code></a>'
        f"</td><td>{escape(kind.title)}</td></tr>"
        for code, kind in TABLE.items()
    )
    table = f"<table><tr><th>Status</th><th>Code</th><th>Title</th></tr>{rows}</table>"
    return article("Problems", f"<h1>Problems</h1>{table}")


@bp.route(
    "/docs/problems/<word:code>",
    methods=["GET"],
    parameters=[{"in": "path", "name": "code", "schema": {"type": "string", "enum": [*TABLE]}}],
)
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getProblemPage", problems=["not_found"])
def get_problem_page(code: str) -> Response:
    """Read what a problem means

    What one code says, and what to do about it; the `type` of a problem leads here.
    """
    kind, explained = TABLE.get(code), EXPLANATIONS.get(code)
    if kind is None or explained is None:
        raise Problem("not_found", "There is no such problem.")
    return article(
        code,
        f"<h1><code>{code}</code></h1><p>Status {kind.status}. {escape(kind.title)}.</p>"
        f"<h2>What it means</h2><p>{escape(explained.meaning)}</p>"
        f"<h2>What to do</h2><p>{escape(explained.remedy)}</p>",
    )
