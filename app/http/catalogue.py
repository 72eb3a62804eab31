"""What this build can host: variants and powers."""

from __future__ import annotations

import re
from typing import Any

from flask import Response, request
from werkzeug.datastructures import LanguageAccept

from app.http import service_answers as answers
from app.http.blueprints import Blueprint
from app.http.contract import header
from app.http.exchange import answer_json
from app.http.problems import Problem
from app.views.catalogue import power_body, powers_body, variants_body
from app.views.texts import LANGUAGES
from domain.game.pool import catalogue

bp = Blueprint("catalogue", __name__, description="Variants and powers.")

CONTROL = "public, max-age=300"
WORDED = {"Content-Language": header("ContentLanguage")}


def _language() -> str:
    """Choose the language of the texts (RFC 9110, 12.5.4): ``fr-CA`` is served ``fr``.

    The first one there is serves whoever asks for nothing, or for none of them.
    """
    wishes = [(tag.lower(), quality) for tag, quality in request.accept_languages]
    refused = {tag for tag, quality in wishes if not quality}
    offered = [language for language in LANGUAGES if language not in refused]
    primary = LanguageAccept([(re.split("[-_]", tag)[0], quality) for tag, quality in wishes])
    return primary.best_match(offered) or LANGUAGES[0]


def _worded(body: dict[str, Any], language: str) -> Response:
    """Answer with texts in a language, and say which one."""
    response = answer_json(body)
    response.headers["Cache-Control"] = CONTROL
    response.headers["Vary"] = "Accept-Language"
    response.headers["Content-Language"] = language
    return response


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
@bp.response(200, answers.PowerList, headers=WORDED)
@bp.operation("listPowers", headers=["AcceptLanguage"])
def list_powers() -> Response:
    """List the powers

    Every card this build knows, its rule in our own words: in English, Persian, French, Czech,
    Polish or Spanish, whichever `Accept-Language` likes best.
    """
    language = _language()
    return _worded(powers_body(language), language)


@bp.route("/powers/<word:key>", methods=["GET"])
@bp.response(200, answers.Power, headers=WORDED)
@bp.operation("getPower", problems=["not_found"], headers=["AcceptLanguage"])
def get_power(key: str) -> Response:
    """Read one power

    Its card, its bans and its rule in our own words, as in the list of all powers.
    """
    power = catalogue().get(key)
    if power is None:
        raise Problem("not_found", f"There is no power called {key}.")
    body = power_body(power, _language())
    return _worded(body, body["language"])
