"""The log of a game: pages, lines, single events; and the proof that it is whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from flask import Response

from app.http import answers, caching
from app.http.blueprints import OPTIONAL, Blueprint
from app.http.callers import bearer, services
from app.http.contract import header
from app.http.exchange import JSON, answer_json, negotiated
from app.http.games import TAGGED, next_link
from app.http.requests import EventsQuery
from app.services import EventPage
from app.views.events import event_bodies, event_body, is_hidden, page_body
from app.views.sight import viewer_of

bp = Blueprint("events", __name__, description="The log of a game.")

NDJSON = "application/x-ndjson"
PAGE = 500


@bp.route("/games/<game:game_id>/events", methods=["GET"])
@bp.arguments(EventsQuery, location="query")
@bp.response(200, answers.EventList, headers=TAGGED | {"Link": header("Link")})
@bp.alt_response(200, schema={"type": "string"}, content_type=NDJSON, headers=TAGGED, success=True)
@bp.operation(
    "getEvents", caller=OPTIONAL, problems=["not_found"], headers=["Prefer"], conditional=True
)
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Read the log

    As a JSON page, or by `Accept` as NDJSON: one event a line.
    """
    lines = negotiated(JSON, NDJSON) == NDJSON
    limit = query.get("limit", None if lines else PAGE)
    page = services().reader.events(game_id, bearer(), query["after"], limit)
    control = caching.policy(private=page.snapshot.game.settings.visibility == "private")
    tag = caching.tag_of(page.snapshot.version)
    vary = "Accept, Authorization"
    if caching.unchanged(tag):
        return caching.not_modified(tag, control, vary)
    response = _ndjson(page) if lines else answer_json(page_body(page))
    if page.more and page.events:
        response.headers["Link"] = next_link({"after": page.events[-1].version})
    return caching.marked(response, tag, control, vary)


def _ndjson(page: EventPage) -> Response:
    viewer = viewer_of(page.caller, page.snapshot.game)
    return Response(encode_lines(event_bodies(page.events, viewer)), content_type=NDJSON)


def encode_lines(bodies: Iterable[dict[str, Any]]) -> bytes:
    """Write one JSON object a line."""
    return b"".join(msgspec.json.encode(body) + b"\n" for body in bodies)


@bp.route("/games/<game:game_id>/events/<version:version>", methods=["GET"])
@bp.response(200, answers.Event, headers=TAGGED)
@bp.operation("getEvent", caller=OPTIONAL, problems=["not_found"], conditional=True)
def get_event(game_id: str, version: int) -> Response:
    """Read one event

    Immutable once nothing in it is hidden.
    """
    page = services().reader.event(game_id, version, bearer())
    viewer = viewer_of(page.caller, page.snapshot.game)
    (recorded,) = page.events
    hidden = is_hidden(recorded, viewer)
    private = page.snapshot.game.settings.visibility == "private"
    control = caching.policy(private=private, frozen=True, hidden=hidden)
    tag = caching.tag_of(version, hidden)
    if caching.unchanged(tag):
        return caching.not_modified(tag, control)
    return caching.marked(answer_json(event_body(recorded, viewer)), tag, control)


@bp.route("/games/<game:game_id>/verification", methods=["GET"])
@bp.response(200, answers.VerificationAnswer)
@bp.operation("verifyGame", caller=OPTIONAL, problems=["not_found"])
def verify_game(game_id: str) -> Response:
    """Verify a log

    Re-checks the hash chain, the numbering, the legality of every step by replay, and the
    published state.
    """
    found = services().reader.verify(game_id, bearer())
    response = answer_json(
        {
            "ok": found.ok,
            "version": found.version,
            "log_hash": found.log_hash,
            "first_bad_version": found.first_bad_version,
            "problem": found.problem,
        }
    )
    response.headers["Vary"] = "Authorization"
    return response
