"""Request schemas: what may be asked, member by member (contract, sections 2, 3 and 5)."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, post_load, validates_schema

from app.http.fields import (
    Among,
    Between,
    Flag,
    Kinds,
    Listed,
    Long,
    Numeral,
    Pattern,
    Strict,
    Switch,
    Text,
    Whole,
    alternatives,
    forbid,
    key,
    line,
    name,
)
from app.http.steps import step_field
from app.services.types import STATUSES
from domain.board.position import VARIANTS
from domain.game.settings import PowersOption, Settings

GROUPS = ("simple", "advanced", "golden_fleece", "hero", "promo")
MAX_VERSION = 999_999_999


def _mode(word: str) -> Text:
    return Text(required=True, validate=Among((word,)))


def _groups() -> Listed:
    return Listed(
        Text(validate=Among(GROUPS)),
        validate=Long(1, 5),
        metadata={
            "description": "Default: all that the variant allows (V-2).",
            "uniqueItems": True,
        },
    )


class _Powers(Strict):
    """What all powers options share: they load into a ``PowersOption``."""

    @validates_schema(skip_on_field_errors=True)
    def no_group_twice(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a group that is named twice."""
        groups = data.get("groups", [])
        if len(set(groups)) < len(groups):
            raise ValidationError({"groups": ["repeated: A group is named once."]})

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> PowersOption:
        """Build the domain's option."""
        members: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in data.items()
        }
        return PowersOption(**members)


class NoPowers(_Powers):
    """The mortal game (V-1)."""

    mode = _mode("none")


class FixedPowers(_Powers):
    """A power for each seat (C-54); ``mortal`` for none."""

    mode = _mode("fixed")
    seats = Listed(key(), required=True, validate=Long(2, 4))


class RandomPowers(_Powers):
    """Random compatible powers (C-54)."""

    mode = _mode("random")
    groups = _groups()
    perfect_information = Flag(load_default=False)


class DraftedPowers(_Powers):
    """A draft (C-50 .. C-53)."""

    mode = _mode("draft")
    order = Text(load_default="official", validate=Among(("official", "bga")))
    offer = Text(load_default="full", validate=Among(("full", "limited", "quick")))
    groups = _groups()
    perfect_information = Flag(load_default=False)


class GoldenFleece(_Powers):
    """One power beside the Ram (V-4): ``power`` fixes it, or ``offer`` says how it comes."""

    also = {"not": {"required": ["offer", "power"]}}

    mode = _mode("golden_fleece")
    offer = Text(validate=Among(("quick", "draft")))
    power = key()

    @validates_schema(skip_on_field_errors=True)
    def one_way(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse an offer beside a fixed card."""
        if "power" in data:
            forbid(data, "offer", "unknown_field: A fixed power is not offered.")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> PowersOption:
        """Build the domain's option."""
        if "power" not in data:
            data.setdefault("offer", "quick")
        return PowersOption(**data)


POWERS_SCHEMAS: dict[str, type[Strict]] = {
    "none": NoPowers,
    "fixed": FixedPowers,
    "random": RandomPowers,
    "draft": DraftedPowers,
    "golden_fleece": GoldenFleece,
}


class StartSeat(Text):
    """A seat number or the word ``random`` (C-13)."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if value == "random" or (type(value) is int and 1 <= value <= 4):
            return value
        raise ValidationError('not_a_choice: This is "random" or a seat, 1 to 4.')


class CreateGame(Strict):
    """A new game; every member has a default, so that ``{}`` is a complete request."""

    may_be_absent = True

    variant = Text(load_default="duel", validate=Among(VARIANTS))
    powers = Kinds(
        "mode",
        POWERS_SCHEMAS,
        load_default=lambda: PowersOption(),
        metadata={"description": 'Default: `{"mode": "none"}`, the mortal game.'},
    )
    placement = Text(load_default="free", validate=Among(("free", "recommended")))
    start_seat = StartSeat(load_default="random")
    turn_seconds = Whole(load_default=86_400, allow_none=True, validate=Between(1, 1_209_600))
    visibility = Text(load_default="public", validate=Among(("public", "unlisted", "private")))
    seat = Whole(
        load_default=1,
        allow_none=True,
        validate=Between(1, 4),
        metadata={"description": "The creator's seat, or null to host without playing."},
    )
    name = name(metadata={"description": "Default: Player and the seat number."})

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Gather the settings into the domain's value."""
        seat, called = data.pop("seat"), data.pop("name", None)
        return {"settings": Settings(**data), "seat": seat, "name": called}


class JoinGame(Strict):
    """Who joins, and where."""

    may_be_absent = True

    name = name(metadata={"description": "Default: Player and the seat number."})
    seat = Whole(validate=Between(1, 4), metadata={"description": "Default: the lowest free seat."})
    invite = Text(
        validate=[Long(1, 128), Pattern("[!-~]+", "bad_characters: An invite is ASCII.")],
        metadata={"description": "The invite of a private game."},
    )


class Nothing(Strict):
    """A body that has nothing to say: absent, or an empty object."""

    may_be_absent = True


class PlaySteps(Strict):
    """Steps of the own turn: as objects or as notation, one of the two."""

    also = alternatives({"required": ["steps"]}, "steps", "notation")

    steps = Listed(step_field(), validate=Long(1, 256))
    notation = line(metadata={"examples": ["b1>b2 b2^b3"]})
    expected_version = Whole(validate=Between(0, MAX_VERSION))

    @validates_schema(skip_on_field_errors=True)
    def one_way(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse both forms at once, and neither."""
        if "steps" in data:
            forbid(data, "notation", "unknown_field: Send either steps or notation.")
        elif "notation" not in data:
            raise ValidationError({"steps": ["required: Send steps or notation."]})


class StepsQuery(Strict):
    """Whether to store what is played."""

    dry_run = Switch(
        load_default=False,
        metadata={"description": "Whether only to try: nothing is stored."},
    )


class VersionQuery(Strict):
    """Which version of a game to show."""

    version = Numeral(
        validate=Between(-MAX_VERSION, MAX_VERSION),
        metadata={"description": "The game as it stood after this event."},
    )


class GameQueryArgs(VersionQuery):
    """Which version, or how long to wait for the next."""

    wait = Numeral(
        validate=Between(0, 60),
        metadata={"description": "Seconds to wait for a version after `after`."},
    )
    after = Numeral(
        validate=Between(0, MAX_VERSION),
        metadata={"description": "With `wait`: the version the caller has."},
    )


class AfterQuery(Strict):
    """From which point of the running turn to look."""

    after = line(metadata={"description": "Steps to look beyond, as notation (T-60)."})


class TurnsQuery(AfterQuery):
    """From which point, and how many turns at most."""

    limit = Numeral(
        load_default=500,
        validate=Between(1, 5000),
        metadata={"description": "Turns at most; `truncated` says that there are more."},
    )


class EventsQuery(Strict):
    """Which slice of the log."""

    after = Numeral(
        load_default=0,
        validate=Between(0, MAX_VERSION),
        metadata={"description": "The last version the caller has; 0 is none."},
    )
    limit = Numeral(
        validate=Between(1, 500),
        metadata={"description": "Events at most; a JSON page holds 500 unless told."},
    )
    wait = Numeral(
        validate=Between(0, 60), metadata={"description": "Seconds to wait for an event."}
    )
    ticket = Text(
        validate=[Long(1, 128), Pattern("[!-~]+", "bad_characters: A ticket is ASCII.")],
        metadata={"description": "A single-use ticket instead of a token, for EventSource."},
    )


class ListQuery(Strict):
    """Which public games, in which order."""

    status = Text(validate=Among(STATUSES), metadata={"description": "Games of this status."})
    player = name(metadata={"description": "Games in which a player of this name sits."})
    variant = Text(validate=Among(VARIANTS), metadata={"description": "Games of this variant."})
    power = key(metadata={"description": "Games in which this power is dealt."})
    to_move = Text(
        validate=Among(("me",)), metadata={"description": "Needs a token: its seat is to act."}
    )
    sort = Text(
        load_default="-created_at",
        validate=Among(("-created_at", "created_at")),
        metadata={"description": "Newest first, or oldest first."},
    )
    limit = Numeral(
        load_default=20,
        validate=Between(1, 100),
        metadata={"description": "Games on a page at most."},
    )
    cursor = Text(
        validate=Long(1, 512),
        metadata={"description": "Of the `Link` of the page before; no other is taken."},
    )
