"""A game for human eyes: the board as SVG and text, and the record in notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response

from app.http import caching
from app.http.blueprints import OPTIONAL, Blueprint
from app.http.callers import bearer, services
from app.http.games import TAGGED, hides, is_private
from app.http.problems import Problem
from app.http.requests import VersionQuery
from app.services import Reading
from app.views.pictures import board_svg
from app.views.records import board_text, record
from app.views.sight import viewer_for

bp = Blueprint("pictures", __name__, description="A game for human eyes.")

SVG = "image/svg+xml"
TEXT = "text/plain"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def _drawn(
    game_id: str, query: dict[str, Any], media_type: str, draw: Callable[[Reading], str]
) -> Response:
    version = query.get("version")
    if version is not None and version < 1:
        raise Problem("not_found", "Versions count from 1.")
    reading = services().reader.read(game_id, bearer(), version)
    hidden = version is not None and hides(reading)
    control = caching.policy(private=is_private(reading), frozen=version is not None, hidden=hidden)
    tag = caching.tag_of(reading.snapshot.version, hidden)
    if caching.unchanged(tag):
        return caching.not_modified(tag, control)
    response = Response(draw(reading), content_type=f"{media_type}; charset=utf-8")
    return caching.marked(response, tag, control)


@bp.route("/games/<game:game_id>/board.svg", methods=["GET"])
@bp.arguments(VersionQuery, location="query")
@bp.response(200, {"type": "string"}, content_type=SVG, headers=TAGGED)
@bp.operation("getBoardSvg", caller=OPTIONAL, problems=["not_found"], conditional=True)
def get_board_svg(query: dict[str, Any], game_id: str) -> Response:
    """Draw the board

    With levels, domes, workers, tokens and coordinates; readable by screen readers.
    """
    response = _drawn(
        game_id, query, SVG, lambda reading: board_svg(reading.snapshot, viewer_for(reading))
    )
    response.headers["Content-Security-Policy"] = PICTURE_POLICY
    return response


@bp.route("/games/<game:game_id>/board.txt", methods=["GET"])
@bp.arguments(VersionQuery, location="query")
@bp.response(200, {"type": "string"}, content_type=TEXT, headers=TAGGED)
@bp.operation("getBoardText", caller=OPTIONAL, problems=["not_found"], conditional=True)
def get_board_text(query: dict[str, Any], game_id: str) -> Response:
    """Write the board as text

    Rank 5 on top; each square shows its level and what stands on it, tokens stand below.
    """
    return _drawn(
        game_id, query, TEXT, lambda reading: board_text(reading.snapshot, viewer_for(reading))
    )


@bp.route("/games/<game:game_id>/record", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=TEXT, headers=TAGGED)
@bp.operation("getRecord", caller=OPTIONAL, problems=["not_found"], conditional=True)
def get_record(game_id: str) -> Response:
    """Read the record

    The whole game in notation, one turn a line (T-62).
    """
    return _drawn(game_id, {}, TEXT, lambda reading: record(reading.snapshot, viewer_for(reading)))
