"""The log of a game: pages, lines, single events; and the proof that it is whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from flask import Response

from app.http import answers, caching
from app.http.blueprints import OPTIONAL, REQUIRED, Blueprint, F
from app.http.callers import bearer, services
from app.http.contract import header
from app.http.exchange import JSON, answer_json, idempotency_key, negotiated
from app.http.games import TAGGED, next_link, seconds_of
from app.http.requests import EventsQuery, Nothing
from app.http.streams import EVENT_STREAM, resumed_after, stream
from app.http.waiting import awaited, known_version
from app.services import EventPage
from app.views.events import event_bodies, event_body, is_hidden, page_body
from app.views.sight import viewer_of
from app.views.tables import events_csv

bp = Blueprint("events", __name__, description="The log of a game.")

NDJSON = "application/x-ndjson"
CSV = "text/csv"
PAGE = 500


def _alternative(media_type: str) -> Callable[[F], F]:
    return bp.alt_response(
        200, schema={"type": "string"}, content_type=media_type, headers=TAGGED, success=True
    )


@bp.route("/games/<game:game_id>/events", methods=["GET"])
@bp.arguments(EventsQuery, location="query")
@bp.response(200, answers.EventList, headers=TAGGED | {"Link": header("Link")})
@_alternative(NDJSON)
@_alternative(CSV)
@_alternative(EVENT_STREAM)
@bp.alt_response(
    204, description="A stream that is read to the end of an ended game.", success=True
)
@bp.operation(
    "getEvents",
    caller=OPTIONAL,
    problems=["not_found", "too_many_streams"],
    headers=["Prefer", "LastEventId"],
    conditional=True,
)
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Read the log

    As a JSON page, or by `Accept` as NDJSON (one event a line), as CSV or as a stream of
    server-sent events. With `wait` the answer comes when there are events after `after`.
    """
    resumed = resumed_after(query["after"])
    token = bearer()
    if "ticket" in query:
        token = services().tickets.redeem(game_id, query["ticket"])
    media_type = negotiated(JSON, NDJSON, CSV, EVENT_STREAM)
    if media_type == EVENT_STREAM:
        return stream(game_id, token, resumed)
    page = _awaited(query, game_id, token, media_type)
    # What a ticket shows is its owner's view, at an address that names nobody.
    own = "ticket" in query or page.snapshot.game.settings.visibility == "private"
    control = caching.policy(private=own)
    tag = caching.tag_of(page.snapshot.version)
    vary = "Accept, Authorization"
    if caching.unchanged(tag) or ("wait" in query and not page.events):
        return caching.not_modified(tag, control, vary)
    response = _as(media_type, page)
    if page.more and page.events:
        response.headers["Link"] = next_link({"after": page.events[-1].version})
    return caching.marked(response, tag, control, vary)


def _awaited(query: dict[str, Any], game_id: str, token: str | None, media_type: str) -> EventPage:
    """Read a page; wait for events when the caller says so and there are none."""
    use_cases, after = services(), query["after"]
    limit = query.get("limit", PAGE if media_type == JSON else None)
    return awaited(
        game_id,
        lambda: use_cases.reader.events(game_id, token, after, limit),
        lambda page: page.snapshot.version,
        lambda: after if "wait" in query else known_version(),
        seconds_of(query),
    )


def _as(media_type: str, page: EventPage) -> Response:
    """Write a page in one of the media types that are no stream."""
    if media_type == JSON:
        return answer_json(page_body(page))
    viewer = viewer_of(page.caller, page.snapshot.game)
    bodies = event_bodies(page.events, viewer)
    if media_type == NDJSON:
        return Response(encode_lines(bodies), content_type=NDJSON)
    return Response(events_csv(bodies), content_type=f"{CSV}; charset=utf-8; header=present")


def encode_lines(bodies: Iterable[dict[str, Any]]) -> bytes:
    """Write one JSON object a line."""
    return b"".join(msgspec.json.encode(body) + b"\n" for body in bodies)


@bp.route("/games/<game:game_id>/tickets", methods=["POST"])
@bp.arguments(Nothing, required=False)
@bp.response(201, answers.TicketAnswer, headers={"Idempotency-Replayed": header("Replayed")})
@bp.operation("createTicket", caller=REQUIRED, problems=["not_found"], headers=["IdempotencyKey"])
def create_ticket(body: dict[str, Any], game_id: str) -> Response:
    """Get a ticket for a stream

    For a browser's `EventSource`, which cannot send a token: good once within 30 seconds as
    `.../events?ticket=`, with the caller's view.
    """
    ticket, replayed = services().tickets.issue(game_id, bearer(), idempotency_key())
    response = answer_json({"ticket": ticket}, 201)
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


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
