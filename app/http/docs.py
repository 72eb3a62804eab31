"""Pages for people: the contract rendered, a guide, and an explanation of every problem."""

from __future__ import annotations

import re
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
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect x='2' y='20' width='28' height='10' rx='2' fill='%23d8cba8'/%3E"
    "%3Crect x='6' y='12' width='20' height='9' rx='2' fill='%23efe6cf'/%3E"
    "%3Cpath d='M9 12a7 7 0 0 1 14 0z' fill='%231d5fa8'/%3E%3C/svg%3E"
)
PAGES = {
    "/docs": "Reference",
    "/docs/guide": "Guide",
    "/docs/problems": "Problems",
    "/openapi.yaml": "openapi.yaml",
}


def _navigation(here: str) -> str:
    """Link the pages, and say which one this is."""
    links = "".join(
        f'<a href="{path}"{" aria-current=page" if path == here else ""}>{name}</a>'
        for path, name in PAGES.items()
    )
    return f'<nav><a class="brand" href="/docs/guide">Santorini, served</a>{links}</nav>'


@cache
def _resource(folder: str, name: str) -> str:
    return (files("app.http") / folder / name).read_text(encoding="utf-8")


def page(title: str, body: str, head: str = "") -> Response:
    """Wrap a body into a page of our own."""
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="{ICON}">'
        f"<title>{escape(title)}</title>{head}</head><body>{body}</body></html>\n"
    )
    response = Response(html, content_type=f"{HTML}; charset=utf-8")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Cache-Control"] = CONTROL
    return response


def article(title: str, body: str, here: str) -> Response:
    """Wrap text into a page that is read from top to bottom."""
    style = f"<style>{_resource('pages', 'article.css')}</style>"
    return page(title, f"<header>{_navigation(here)}</header><main>{body}</main>", style)


@bp.route("/", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getHome")
def get_home() -> Response:
    """Read where to begin

    What this is and where to read on, for whoever opens the bare address in a browser.
    """
    body = (
        '<h1>Santorini, served</h1><p class="lead">The board game over HTTP: any client creates a '
        "game, joins it, asks what is legal and plays.</p><ul>"
        '<li><a href="/docs/guide">Guide</a>: a game in curl, the rules in short, two bots</li>'
        '<li><a href="/docs">Reference</a>: every request and answer</li>'
        '<li><a href="/v1/games">/v1/games</a>: the public games</li>'
        '<li><a href="/v1/powers">/v1/powers</a> and <a href="/v1/variants">/v1/variants</a>: what '
        "can be played</li></ul>"
    )
    return article("Santorini, served", body, "/")


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
        'schema-style="table" schema-description-expanded="true" font-size="large" '
        'primary-color="#1d5fa8" nav-bg-color="#16324f" nav-text-color="#e9f2fb" '
        'nav-hover-bg-color="#1d4a78" nav-accent-color="#7fb8f2">'
        f'<div slot="nav-logo">{_navigation("/docs")}</div></rapi-doc>'
        "<noscript>The reference needs scripts; the guide and openapi.yaml do not.</noscript>"
    )
    style = (
        "body{margin:0}rapi-doc nav{display:grid;gap:.35rem;padding:1rem .9rem .4rem}"
        "rapi-doc nav a{color:#e9f2fb;font:15px system-ui,sans-serif}"
        "rapi-doc nav a.brand{font-weight:700;font-size:18px;text-decoration:none}"
    )
    script = '<script type="module" src="/docs/assets/rapidoc.js"></script>'
    return page("Santorini, served", viewer, f"<style>{style}</style>{script}")


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
    return article("Guide", _resource("pages", "guide.html"), "/docs/guide")


@bp.route("/docs/problems", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=HTML)
@bp.operation("getProblemPages")
def get_problem_pages() -> Response:
    """List what can go wrong

    Every code a problem can have, with its status, in the order of the contract.
    """
    rows = "".join(
        f'<tr><td class="status">{kind.status}</td>'
        f'<td><a href="/docs/problems/{code}"><code>{code}</code></a>'
        f"</td><td>{escape(kind.title)}</td></tr>"
        for code, kind in TABLE.items()
    )
    table = f"<table><tr><th>Status</th><th>Code</th><th>Title</th></tr>{rows}</table>"
    lead = (
        '<p class="lead">Every answer of 400 and above is a problem: its <code>code</code> never '
        "changes, its <code>detail</code> is for people.</p>"
    )
    return article("Problems", f"<h1>Problems</h1>{lead}{table}", "/docs/problems")


def _marked(text: str) -> str:
    """Escape a text and set what stands between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


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
    rows = "".join(
        f"<tr><th><code>{word}</code></th><td>{_marked(said)}</td></tr>"
        for word, said in explained.words.items()
    )
    return article(
        code,
        f"<h1><code>{code}</code></h1>"
        f'<p class="lead">{escape(kind.title)} · status {kind.status}</p>'
        f"<h2>What it means</h2><p>{_marked(explained.meaning)}</p>"
        f"{f'<table>{rows}</table>' if rows else ''}"
        f"<h2>What to do</h2><p>{_marked(explained.remedy)}</p>",
        "/docs/problems",
    )
