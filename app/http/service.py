"""The service itself: its contract, its health, its release."""

from __future__ import annotations

from flask import Response, current_app

from app.http import service_answers as answers
from app.http.blueprints import Blueprint
from app.http.callers import services
from app.http.contract import Contract, to_yaml
from app.http.exchange import answer_json
from app.http.problems import Problem
from app.version import __version__

bp = Blueprint("service", __name__, description="The service itself.")

YAML = "application/yaml"


def contract() -> Contract:
    """Return the document of this application."""
    found: Contract = current_app.extensions["contract"]
    return found


@bp.route("/openapi.yaml", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=YAML)
@bp.operation("getContract")
def get_contract() -> Response:
    """Read the contract

    OpenAPI 3.1, exported from the schemas that validate requests.
    """
    text = current_app.extensions.get("contract-text")
    if text is None:
        text = to_yaml(contract().document())
        current_app.extensions["contract-text"] = text
    response = Response(text, content_type=f"{YAML}; charset=utf-8")
    response.headers["Cache-Control"] = "public, max-age=300"
    return response


@bp.route("/healthz", methods=["GET"])
@bp.response(200, answers.Alive)
@bp.operation("getHealth")
def get_health() -> Response:
    """Is the process alive?

    Asks nothing of anybody else.
    """
    return _fresh(answer_json({"status": "ok"}))


@bp.route("/readyz", methods=["GET"])
@bp.response(200, answers.Ready)
@bp.operation("getReadiness", problems=["paused"])
def get_readiness() -> Response:
    """Can the service do its work?

    Reachable store with durable settings; what is wrong is named.
    """
    health = services().maintenance.health()
    problems = list(health.problems)
    if not health.ready:
        code = "paused" if health.paused and not problems else "store_unavailable"
        detail = " ".join(problems) or "The service is not ready."
        raise Problem(code, detail, more={"problems": problems})
    return _fresh(answer_json({"ready": True, "paused": health.paused, "problems": problems}))


@bp.route("/version", methods=["GET"])
@bp.response(200, answers.Version)
@bp.operation("getVersion")
def get_version() -> Response:
    """Which release answers?

    The name of the service and its version; the contract bears the same.
    """
    return _fresh(answer_json({"name": "santorini-served", "version": __version__}))


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
