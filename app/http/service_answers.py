"""Response schemas of the catalogue and of the service itself."""

from __future__ import annotations

from marshmallow import fields

from app.http.answers import NEEDED, Answered
from app.http.fields import Among, Between, Listed, Part, Text, Whole
from app.views.texts import LANGUAGES
from domain.board.position import VARIANTS


class Power(Answered):
    """A power's card, in our own words."""

    id = Whole(required=True, metadata={"description": "Number of the card."})
    key = Text(**NEEDED)
    name = Text(**NEEDED)
    group = Text(**NEEDED)
    players = Listed(Whole(), required=True)
    golden_fleece = fields.Boolean(**NEEDED)
    hidden_information = fields.Boolean(**NEEDED)
    banned_with = Listed(Text(), required=True)
    phases = Listed(Text(), required=True)
    order_aid = Whole(**NEEDED)
    must_start = fields.Boolean(**NEEDED)
    must_not_start = fields.Boolean(**NEEDED)
    setup_workers = Whole(**NEEDED)
    extra_workers = Whole(**NEEDED)
    tokens = Listed(Text(), required=True)
    hero = fields.Boolean(**NEEDED)
    random = fields.Boolean(**NEEDED)
    revised = fields.Boolean(**NEEDED)
    ban_kinds = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    state = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "What each field of the card's memory means; empty without any."},
    )
    rule = Text(**NEEDED)
    language = Text(required=True, validate=Among(LANGUAGES))
    text_direction = Text(required=True, validate=Among(("ltr", "rtl")))


class PowerList(Answered):
    """The catalogue."""

    powers = Listed(Part(Power), required=True)


class Limits(Answered):
    """The smallest and largest value of an option."""

    minimum = Whole(**NEEDED)
    maximum = Whole(**NEEDED)


class Variant(Answered):
    """A variant this build can host, and its options."""

    key = Text(required=True, validate=Among(VARIANTS))
    seats = Whole(required=True, validate=Between(2, 4))
    sides = Listed(Whole(), required=True)
    workers_per_side = Whole(**NEEDED)
    powers = Listed(Text(), required=True)
    groups = Listed(Text(), required=True)
    placements = Listed(Text(), required=True)
    visibilities = Listed(Text(), required=True)
    turn_seconds = Part(Limits, required=True)


class VariantList(Answered):
    """What this build can host."""

    variants = Listed(Part(Variant), required=True)


class Alive(Answered):
    """The process answers."""

    status = Text(required=True, validate=Among(("ok",)))


class Ready(Answered):
    """Whether the service can do its work, and what is wrong when it cannot."""

    ready = fields.Boolean(**NEEDED)
    paused = fields.Boolean(**NEEDED)
    problems = Listed(Text(), required=True)


class Version(Answered):
    """The release that answers."""

    name = Text(**NEEDED)
    version = Text(**NEEDED)
