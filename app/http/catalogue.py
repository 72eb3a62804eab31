"""What this build can host: variants and powers."""

from __future__ import annotations

from flask import Response, request

from app.http import answers
from app.http.blueprints import Blueprint
from app.http.exchange import answer_json
from app.http.problems import Problem
from app.views.catalogue import power_body, powers_body, variants_body
from domain.game.pool import catalogue

bp = Blueprint("catalogue", __name__, description="Variants and powers.")

CONTROL = "public, max-age=300"


def _languages() -> list[str]:
    """List the languages the caller reads, the best one first."""
    return [tag.split("-")[0].lower() for tag, _ in request.accept_languages]


@bp.route("/variants", methods=["GET"])
@bp.response(200, answers.VariantList)
@bp.operation("listVariants")
def list_variants() -> Response:
    """List the variants

    With the options each takes, and their limits.
    """
    response = answer_json(variants_body())
    response.headers["Cache-Control"] = CONTROL
    return response


@bp.route("/powers", methods=["GET"])
@bp.response(200, answers.PowerList)
@bp.operation("listPowers", headers=["AcceptLanguage"])
def list_powers() -> Response:
    """List the powers

    Every card this build knows, its rule in our own words.
    """
    response = answer_json(powers_body(_languages()))
    response.headers["Cache-Control"] = CONTROL
    response.headers["Vary"] = "Accept-Language"
    return response


@bp.route("/powers/<word:key>", methods=["GET"])
@bp.response(200, answers.Power)
@bp.operation("getPower", problems=["not_found"], headers=["AcceptLanguage"])
def get_power(key: str) -> Response:
    """Read one power"""
    power = catalogue().get(key)
    if power is None:
        raise Problem("not_found", f"There is no power called {key}.")
    body = power_body(power, _languages())
    response = answer_json(body)
    response.headers["Cache-Control"] = CONTROL
    response.headers["Vary"] = "Accept-Language"
    response.headers["Content-Language"] = body["language"]
    return response
