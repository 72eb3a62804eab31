"""The rules engine as a service: ``POST /v1/analysis``."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import ValidationError, fields, post_load, validates_schema

from app.http import answers
from app.http.blueprints import Blueprint
from app.http.exchange import answer_json, idempotency_key
from app.http.fields import (
    Among,
    Between,
    Flag,
    Listed,
    Long,
    Part,
    Pattern,
    Strict,
    Text,
    Whole,
    alternatives,
    key,
    line,
    square,
)
from app.http.steps import step_field
from app.services.analysis import analyse
from app.views.analysis import analysis_body
from domain.board.geometry import DIRECTIONS
from domain.board.position import VARIANTS

bp = Blueprint("analysis", __name__, description="The rules engine as a service.")

OPENING = {
    "position": {
        "variant": "duel",
        "to_move": {"seat": 1},
        "levels": "0000000000000000000000000",
        "workers": [
            {"square": "b2", "seat": 1, "sex": "f"},
            {"square": "d4", "seat": 1, "sex": "m"},
            {"square": "b4", "seat": 2, "sex": "f"},
            {"square": "d2", "seat": 2, "sex": "m"},
        ],
    },
    "after": "b2>b3",
    "want": ["legal_steps", "result"],
}
"""The body that the document shows."""
WANTS = ("legal_steps", "legal_turns", "result")
NEEDED: dict[str, Any] = {"required": True}


def _seat(**kwargs: Any) -> Whole:
    return Whole(validate=Between(1, 4), **kwargs)


class ToMove(Strict):
    """Whose turn it is, and of what kind."""

    seat = _seat(**NEEDED)
    kind = Text(load_default="normal", validate=Among(("normal", "dionysus", "tyche")))


class WorkerPlace(Strict):
    """A worker on the board."""

    square = square(required=True)
    seat = _seat(**NEEDED)
    sex = Text(load_default="m", validate=Among(("f", "m")))


class CardState(Strict):
    """A card's memory; which members there are depends on the power."""

    ban = Flag()
    coins = Whole(validate=Between(0, 54))
    coins_left = Whole(validate=Between(0, 3))
    workers_on_card = Whole(validate=Between(0, 2))
    direction = Text(validate=Among(tuple(DIRECTIONS)))
    fate = square()
    abyss = square()
    stolen = Flag()
    face_up = key(allow_none=True)
    deck = Listed(key(), validate=Long(0, 20))
    discards = Listed(key(), validate=Long(0, 20))
    time = Text(validate=Among(("day", "night")))
    night_power = key()


class HeldCard(Strict):
    """A power somebody holds at this moment."""

    seat = _seat(**NEEDED)
    key = key(required=True)
    state = Part(CardState)


class TokenPlace(Strict):
    """A token on a square, or the wind in a direction."""

    also = alternatives({"properties": {"name": {"const": "wind"}}}, "direction", "square")

    name = Text(required=True, validate=Among(("coin", "talus", "whirlpool", "wind")))
    square = square()
    direction = Text(validate=Among(tuple(DIRECTIONS)))

    @validates_schema(skip_on_field_errors=True)
    def placed(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a token without its place, or with another token's."""
        member, other = (
            ("direction", "square")
            if data["name"] == "wind"
            else (
                "square",
                "direction",
            )
        )
        if member not in data:
            raise ValidationError({member: ["required: This member is needed."]})
        if other in data:
            raise ValidationError({other: [f"unknown_field: {data['name']} takes {member}."]})


class RamPlace(Strict):
    """The Ram and the power beside it."""

    square = square(required=True)
    power = key(required=True)


class PactPlace(Strict):
    """Adonis' pair."""

    own = square(required=True)
    other = square(required=True)
    seat = _seat()


class PendingPlace(Strict):
    """Facts of the past that still matter."""

    adonis = Part(PactPlace)
    last_moved = fields.Dict(
        keys=Text(validate=Among(("1", "2", "3", "4"))),
        values=square(allow_none=True),
        error_messages={"invalid": "wrong_type: This is an object."},
    )
    set_aside = Listed(Part(HeldCard), validate=Long(0, 4))
    eliminated = Listed(_seat(), validate=Long(0, 4))


class PositionBody(Strict):
    """A position at the start of a turn, its automatic effects done (T-73)."""

    variant = Text(required=True, validate=Among(VARIANTS))
    powers_mode = Text(load_default="none", validate=Among(("none", "gods", "golden_fleece")))
    to_move = Part(ToMove, required=True)
    levels = Text(
        required=True,
        validate=Pattern("[0-3]{25}", "bad_levels: 25 digits 0 to 3: a5 b5 ... e5, a4 ... e1."),
    )
    domes = Listed(square(), validate=Long(0, 25))
    workers = Listed(Part(WorkerPlace), validate=Long(0, 25))
    powers = Listed(Part(HeldCard), validate=Long(0, 8))
    tokens = Listed(Part(TokenPlace), validate=Long(0, 25))
    ram = Part(RamPlace)
    pending = Part(PendingPlace)


class AnalysisRequest(Strict):
    """A position, steps from there, and what is wanted."""

    position = Part(PositionBody, required=True)
    after = line(metadata={"description": "Steps played from there, as notation (T-60)."})
    want = Listed(
        Text(validate=Among(WANTS)),
        validate=Long(1, 3),
        load_default=lambda: ["legal_steps"],
        metadata={"default": ["legal_steps"], "uniqueItems": True},
    )
    limit = Whole(load_default=500, validate=Between(1, 5000))

    @post_load
    def unrepeated(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Refuse a wish that is named twice."""
        if len(set(data["want"])) < len(data["want"]):
            raise ValidationError({"want": ["repeated: Each is named once."]})
        return data


class AnalysisAnswer(answers.Answered):
    """What was wanted, and who has won."""

    seat = answers.seat_number(**answers.NULLABLE)
    key = Text(**NEEDED)
    winners = Listed(answers.seat_number(), required=True)
    legal_steps = Listed(step_field())
    legal_turns = Listed(Part(answers.LegalTurn))
    truncated = fields.Boolean()
    result = Part(PositionBody)


@bp.route("/analysis", methods=["POST"])
@bp.arguments(AnalysisRequest, example=OPENING)
@bp.response(200, AnalysisAnswer)
@bp.operation("analysePosition", problems=["illegal_step"], headers=["IdempotencyKey"])
def analyse_position(body: dict[str, Any]) -> Response:
    """Analyse a position

    Stateless: legal steps, legal turns or the position that follows, without a game. Nothing is
    secret here. The position has the form of `result`.
    """
    idempotency_key()
    analysis = analyse(body["position"], body.get("after", ""))
    return answer_json(analysis_body(analysis, body["want"], body["limit"]))
