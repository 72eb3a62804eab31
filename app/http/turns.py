"""Playing: what is legal, steps, resignation."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.http import answers, caching
from app.http.blueprints import OPTIONAL, REQUIRED, Blueprint
from app.http.callers import bearer, expected, services, submission
from app.http.exchange import JSON
from app.http.framework import Reply
from app.http.games import REPEATABLE, TAGGED, is_private, played_answer
from app.http.kept import encoded
from app.http.requests import AfterQuery, Nothing, PlaySteps, StepsQuery, TurnsQuery
from app.services import Reading, Submission
from app.views.sight import Viewer, viewer_for
from app.views.turns import legal_steps_body, legal_turns_body

LINES = {
    "notation": {"summary": "A whole turn", "value": {"notation": "b2>b3 b3^c3"}},
    "objects": {
        "summary": "The same as objects, if nothing has happened meanwhile",
        "value": {
            "steps": [
                {"type": "move", "from": "b2", "to": "b3"},
                {"type": "build", "from": "b3", "at": "c3", "piece": "block"},
            ],
            "expected_version": 13,
        },
    },
}
"""Bodies that the document shows."""
SAME_GAME = {"game_id": "$request.path.game_id"}

bp = Blueprint("turns", __name__, description="Play.")


@bp.route("/games/<game:game_id>/legal-steps", methods=["GET"])
@bp.arguments(AfterQuery, location="query")
@bp.response(200, answers.LegalSteps, headers=TAGGED)
@bp.operation(
    "getLegalSteps",
    caller=OPTIONAL,
    problems=["not_found", "illegal_step"],
    conditional=True,
    links={
        "playSteps": {
            "parameters": SAME_GAME,
            "requestBody": {"steps": ["$response.body#/steps/0"]},
        }
    },
)
def get_legal_steps(query: dict[str, Any], game_id: str) -> Response:
    """List the legal next steps

    Of the seat to act, sorted by notation; `after` looks further along its turn without
    committing anything. Every step listed can be finished into a legal turn.
    """
    reading = services().reader.read(game_id, bearer())
    control = caching.policy(private=is_private(reading))
    tag = caching.tag_of(reading.snapshot.version)
    if caching.unchanged(tag):
        return caching.not_modified(tag, control)
    after = query.get("after", "")
    body = encoded(lambda: legal_steps_body(reading, after), "steps", *_asked(reading), after)
    return caching.marked(Reply(body, content_type=JSON), tag, control)


@bp.route("/games/<game:game_id>/legal-turns", methods=["GET"])
@bp.arguments(TurnsQuery, location="query")
@bp.response(200, answers.LegalTurns, headers=TAGGED)
@bp.operation(
    "getLegalTurns",
    caller=OPTIONAL,
    problems=["not_found", "illegal_step"],
    conditional=True,
)
def get_legal_turns(query: dict[str, Any], game_id: str) -> Response:
    """List the legal turns

    One canonical completion of the running turn for every position it can still reach.
    """
    reading = services().reader.read(game_id, bearer())
    control = caching.policy(private=is_private(reading))
    tag = caching.tag_of(reading.snapshot.version)
    if caching.unchanged(tag):
        return caching.not_modified(tag, control)
    after, limit = query.get("after", ""), query["limit"]
    body = encoded(
        lambda: legal_turns_body(reading, after, limit), "turns", *_asked(reading), after, limit
    )
    return caching.marked(Reply(body, content_type=JSON), tag, control)


def _asked(reading: Reading) -> tuple[str, Viewer]:
    """Return what tells questions about legal steps apart: the version, and who looks at it."""
    return reading.snapshot.log_hash, viewer_for(reading)


@bp.route("/games/<game:game_id>/steps", methods=["POST"])
@bp.arguments(StepsQuery, location="query")
@bp.arguments(PlaySteps, examples=LINES)
@bp.response(201, answers.Played, headers=REPEATABLE)
@bp.alt_response(
    200,
    schema=answers.Played,
    description="A dry run: what would happen, nothing stored.",
    success=True,
)
@bp.operation(
    "playSteps",
    caller=REQUIRED,
    problems=[
        "not_found",
        "not_a_player",
        "not_your_turn",
        "game_not_started",
        "game_over",
        "turn_expired",
        "version_conflict",
        "illegal_step",
    ],
    headers=["IdempotencyKey", "IfMatch"],
    links={"getLegalSteps": {"parameters": SAME_GAME}, "getLegalTurns": {"parameters": SAME_GAME}},
)
def play_steps(query: dict[str, Any], body: dict[str, Any], game_id: str) -> Response:
    """Play steps

    One or more steps of the own turn, all or nothing, as objects or as notation. A turn may be
    sent whole or in parts; what was accepted stands. With `dry_run` nothing is stored.
    """
    dry_run = query["dry_run"]
    answer = services().games.play(
        game_id,
        bearer(),
        steps=tuple(body["steps"]) if "steps" in body else None,
        line=body.get("notation"),
        submission=Submission() if dry_run else submission(),
        expected=expected(body.get("expected_version")),
        dry_run=dry_run,
    )
    return played_answer(answer, 200 if dry_run else 201)


@bp.route("/games/<game:game_id>/resignation", methods=["POST"])
@bp.arguments(Nothing, required=False)
@bp.response(201, answers.Played, headers=REPEATABLE)
@bp.operation(
    "resignGame",
    caller=REQUIRED,
    problems=["not_found", "not_a_player", "game_not_started", "game_over"],
    headers=["IdempotencyKey", "IfMatch"],
)
def resign_game(body: dict[str, Any], game_id: str) -> Response:
    """Resign

    On or off turn; it cannot be withdrawn (C-34).
    """
    return played_answer(services().games.resign(game_id, bearer(), submission(), expected()))
