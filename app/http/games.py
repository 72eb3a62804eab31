"""Games: create, list, read, join, leave, call off."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, g, request

from app.http import answers, caching
from app.http.blueprints import OPTIONAL, REQUIRED, Blueprint
from app.http.callers import bearer, expected, services, submission
from app.http.contract import header
from app.http.exchange import JSON, answer_json
from app.http.framework import Reply
from app.http.kept import encoded
from app.http.problems import Problem
from app.http.requests import CreateGame, GameQueryArgs, JoinGame, ListQuery, Nothing
from app.http.waiting import awaited, known_version, preferred_wait
from app.services import SPECTATOR, Answer, GameQuery, Reading, Seated, Snapshot
from app.views.events import event_bodies
from app.views.games import game_body, path_of
from app.views.sight import Viewer, all_public, is_over, viewer_for, viewer_of, viewer_trying

bp = Blueprint("games", __name__, description="Create, find, join and leave games.")

TAGGED = {"ETag": header("ETag")}
FOLLOWING = (
    "getGame",
    "joinGame",
    "cancelGame",
    "rematchGame",
    "getLegalSteps",
    "getLegalTurns",
    "resignGame",
    "getEvents",
    "createTicket",
    "getRecord",
    "getBoardSvg",
    "getBoardText",
    "verifyGame",
)
"""Operations that can follow once a game's id is known."""


def links_to(game_id: str) -> dict[str, dict[str, Any]]:
    """Link the operations that can follow a seat's answer; ``game_id`` is where the id is found."""
    game = {"game_id": game_id}
    seat = game | {"seat": "$response.body#/seat"}
    event = game | {"version": "$response.body#/game/version"}
    return (
        {name: {"parameters": game} for name in FOLLOWING}
        | {name: {"parameters": seat} for name in ("leaveGame", "renewToken")}
        | {"getEvent": {"parameters": event}}
    )


GAMES = {
    "default": {"summary": "A duel without powers", "value": {}},
    "drafted": {
        "summary": "A duel with drafted powers, an hour a turn, for whoever knows its id",
        "value": {
            "powers": {"mode": "draft", "offer": "quick"},
            "turn_seconds": 3600,
            "visibility": "unlisted",
            "name": "Ada",
        },
    },
    "hosted": {
        "summary": "A team game with random powers whose creator only hosts",
        "value": {"variant": "team4", "powers": {"mode": "random"}, "seat": None},
    },
}
"""Bodies that the document shows."""
REPEATABLE = TAGGED | {"Idempotency-Replayed": header("Replayed")}


@bp.route("/games", methods=["POST"])
@bp.arguments(CreateGame, required=False, examples=GAMES)
@bp.response(201, answers.SeatedAnswer, headers=REPEATABLE | {"Location": header("Location")})
@bp.operation(
    "createGame",
    problems=["incompatible_powers"],
    headers=["SealedIdempotencyKey"],
    links=links_to("$response.body#/game/id"),
)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game

    The creator takes a seat, or hosts without playing when `seat` is null. The token is shown
    once. The game starts by itself when its last seat is taken.
    """
    seated = services().games.create(
        body["settings"], body["seat"], body["name"], submission(sealed=True)
    )
    response = seated_answer(seated)
    response.headers["Location"] = path_of(seated.snapshot.game_id)
    return response


@bp.route("/games", methods=["GET"])
@bp.arguments(ListQuery, location="query")
@bp.response(200, answers.GameList, headers={"Link": header("Link")})
@bp.operation("listGames", caller=OPTIONAL, problems=["bad_cursor", "token_required"])
def list_games(query: dict[str, Any]) -> Response:
    """List public games

    Newest first unless `sort` says otherwise. Follow `Link: rel="next"` for more; cursors neither
    skip nor repeat while games are created.
    """
    token = bearer()
    if "to_move" in query and token is None:
        raise Problem("token_required", "to_move=me needs a token.")
    page = services().reader.list(
        GameQuery(
            status=query.get("status"),
            variant=query.get("variant"),
            player=query.get("player"),
            power=query.get("power"),
            to_move=token if "to_move" in query else None,
            oldest_first=query["sort"] == "created_at",
            limit=query["limit"],
            cursor=query.get("cursor"),
        )
    )
    games = [game_body(snapshot, viewer_of(SPECTATOR, snapshot.game)) for snapshot in page.games]
    response = answer_json({"games": games})
    response.headers["Vary"] = "Authorization"
    if page.next_cursor is not None:
        response.headers["Link"] = next_link({"cursor": page.next_cursor})
    return response


def next_link(changes: dict[str, Any]) -> str:
    """Write the ``Link`` to the next page: this request with some parameters changed.

    A ticket is left out: it is spent, and the answer may be kept.
    """
    given = {name: value for name, value in request.args.items() if name != "ticket"}
    parameters = given | {name: str(value) for name, value in changes.items()}
    return f'<{request.path}?{urlencode(parameters)}>; rel="next"'


@bp.route("/games/<game:game_id>", methods=["GET"])
@bp.arguments(GameQueryArgs, location="query")
@bp.response(200, answers.Game, headers=TAGGED)
@bp.operation(
    "getGame",
    caller=OPTIONAL,
    problems=["not_found", "too_many_streams"],
    headers=["Prefer"],
    conditional=True,
)
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Read a game

    As this viewer may see it; with `version`, as it stood after that event.
    """
    version = query.get("version")
    if version is not None and version < 1:
        raise Problem("not_found", "Versions count from 1.")
    reading = _awaited(query, game_id, bearer(), version)
    hidden = version is not None and hides(reading)
    control = caching.policy(private=is_private(reading), frozen=version is not None, hidden=hidden)
    tag = caching.tag_of(reading.snapshot.version, hidden)
    if caching.unchanged(tag) or _nothing_new(query, reading):
        return caching.not_modified(tag, control)
    body = _encoded(reading.snapshot, viewer_for(reading))
    return caching.marked(Reply(body, content_type=JSON), tag, control)


def _encoded(snapshot: Snapshot, viewer: Viewer) -> bytes:
    """Return a game's body for a viewer."""
    return encoded(lambda: game_body(snapshot, viewer), "game", snapshot.log_hash, viewer)


def _awaited(
    query: dict[str, Any], game_id: str, token: str | None, version: int | None
) -> Reading:
    """Read a game; wait for the next version when the caller says so and has this one."""
    use_cases = services()
    return awaited(
        game_id,
        lambda: use_cases.reader.read(game_id, token, version),
        lambda reading: reading.snapshot.version,
        lambda: query["after"] if "after" in query else known_version(),
        0 if version is not None else seconds_of(query),
    )


def seconds_of(query: dict[str, Any]) -> int:
    """Return how long the caller wants to wait: by the query, or else by ``Prefer``."""
    return query["wait"] if "wait" in query else preferred_wait()


def _nothing_new(query: dict[str, Any], reading: Reading) -> bool:
    """Say whether a long poll without headers has waited in vain."""
    asked = "wait" in query and "after" in query and "version" not in query
    return asked and reading.snapshot.version <= query["after"]


def is_private(reading: Reading) -> bool:
    """Say whether the game exists only for those who have one of its tokens."""
    return reading.snapshot.game.settings.visibility == "private"


def hides(reading: Reading) -> bool:
    """Say whether an old version still hides something from somebody."""
    current = reading.current or reading.snapshot.game
    return not is_over(current) and not all_public(reading.snapshot.game)


@bp.route("/games/<game:game_id>/seats", methods=["POST"])
@bp.arguments(JoinGame, required=False, example={"name": "Bob"})
@bp.response(201, answers.SeatedAnswer, headers=REPEATABLE)
@bp.operation(
    "joinGame",
    problems=["not_found", "game_full", "seat_taken", "game_started", "game_over"],
    headers=["SealedIdempotencyKey"],
    links=links_to("$request.path.game_id"),
)
def join_game(body: dict[str, Any], game_id: str) -> Response:
    """Join a game

    Takes the seat named, or the lowest free one. A private game wants its invite. The token is
    shown once.
    """
    seated = services().games.join(
        game_id, body.get("seat"), body.get("name"), body.get("invite"), submission(sealed=True)
    )
    return seated_answer(seated)


def seated_answer(seated: Seated, status: int = 201) -> Response:
    """Answer with a game, the seat in it and its token."""
    g.seat = seated.seat
    viewer = viewer_of(seated.caller, seated.snapshot.game)
    body: dict[str, Any] = {
        "game": game_body(seated.snapshot, viewer),
        "seat": seated.seat,
        "token": seated.token,
    }
    if seated.invite is not None:
        body["invite"] = seated.invite
    return told(answer_json(body, status), seated.snapshot.version, seated.replayed)


def told(response: Response, version: int, replayed: bool) -> Response:
    """Put on the answer of a command what every command's answer bears."""
    response.headers["ETag"] = f'"{caching.tag_of(version)}"'
    response.headers["Cache-Control"] = "no-store"
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


@bp.route("/games/<game:game_id>/seats/<seat:seat>", methods=["DELETE"])
@bp.response(204, description="The seat is free again; its token is dead.")
@bp.operation(
    "leaveGame",
    caller=REQUIRED,
    problems=["not_found", "not_your_seat", "not_a_player", "game_started", "game_over"],
    headers=["IfMatch"],
)
def leave_game(game_id: str, seat: int) -> Response:
    """Leave before the start

    Gives the own seat back; its token dies.
    """
    services().games.leave(game_id, seat, bearer(), submission(), expected())
    return Response(status=204)


@bp.route("/games/<game:game_id>/cancellation", methods=["POST"])
@bp.arguments(Nothing, required=False)
@bp.response(201, answers.Played, headers=REPEATABLE)
@bp.operation(
    "cancelGame",
    caller=REQUIRED,
    problems=["not_found", "not_the_creator", "game_started", "game_over"],
    headers=["IdempotencyKey", "IfMatch"],
)
def cancel_game(body: dict[str, Any], game_id: str) -> Response:
    """Call a game off

    Its creator may, before the start.
    """
    return played_answer(services().games.cancel(game_id, bearer(), submission(), expected()))


def played_answer(answer: Answer, status: int = 201) -> Response:
    """Answer a command with the game after it and exactly the events it appended.

    A status of 200 is for a dry run, which leaves nothing to be tagged.
    """
    g.seat = answer.caller.seat
    eyes = viewer_trying if status == 200 else viewer_of
    viewer = eyes(answer.caller, answer.snapshot.game)
    events = event_bodies(answer.events, viewer)
    if status == 200:
        return answer_json({"game": game_body(answer.snapshot, viewer), "events": events})
    game = msgspec.Raw(_encoded(answer.snapshot, viewer))
    response = answer_json({"game": game, "events": events}, status)
    return told(response, answer.snapshot.version, answer.replayed)


@bp.route("/games/<game:game_id>/rematch", methods=["POST"])
@bp.arguments(Nothing, required=False)
@bp.response(201, answers.RematchAnswer, headers=REPEATABLE | {"Location": header("Location")})
@bp.alt_response(
    200,
    schema=answers.RematchAnswer,
    description="The next game, which somebody else had called for.",
    headers=REPEATABLE | {"Location": header("Location")},
    success=True,
)
@bp.operation(
    "rematchGame",
    caller=REQUIRED,
    problems=["not_found", "not_a_player", "game_not_over"],
    headers=["IdempotencyKey"],
)
def rematch_game(body: dict[str, Any], game_id: str) -> Response:
    """Call for a rematch

    The next game with the same settings; all callers get the same one and keep their seats and
    tokens. It starts when all have called.
    """
    seated = services().games.rematch(game_id, bearer(), submission())
    viewer = viewer_of(seated.caller, seated.snapshot.game)
    shown = {"game": game_body(seated.snapshot, viewer), "seat": seated.seat}
    response = answer_json(shown, 201 if seated.created else 200)
    response.headers["Location"] = path_of(seated.snapshot.game_id)
    return told(response, seated.snapshot.version, seated.replayed)


@bp.route("/games/<game:game_id>/seats/<seat:seat>/token", methods=["POST"])
@bp.arguments(Nothing, required=False)
@bp.response(201, answers.SeatedAnswer, headers=REPEATABLE)
@bp.operation(
    "renewToken",
    caller=REQUIRED,
    problems=["not_found", "not_your_seat", "not_a_player"],
    headers=["SealedIdempotencyKey"],
)
def renew_token(body: dict[str, Any], game_id: str, seat: int) -> Response:
    """Get a new token

    For the own seat. The old one can still repeat this request, nothing else.
    """
    seated = services().games.renew_token(game_id, seat, bearer(), submission(sealed=True))
    return seated_answer(seated)
