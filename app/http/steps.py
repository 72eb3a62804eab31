"""Steps as JSON (contract, section 5): one schema a type, loaded straight into domain steps."""

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.http.fields import (
    Among,
    Between,
    Kinds,
    Listed,
    Long,
    Pattern,
    Strict,
    Text,
    Whole,
    alternatives,
    forbid,
    require,
    square,
)
from domain.board.geometry import BY_NAME, DIRECTIONS
from domain.rules import step as steps


def _type(word: str) -> Text:
    return Text(required=True, validate=Among((word,)), metadata={"description": "The step type."})


class PlaceStep(Strict):
    """Put the next setup worker, or the Ram, on a square."""

    type = _type("place")
    to = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.Place(BY_NAME[data["to"]])


class MoveStep(Strict):
    """Move the worker that stands on ``from``."""

    few = True

    type = _type("move")
    origin = square(required=True, data_key="from")
    to = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.Move(BY_NAME[data["origin"]], BY_NAME[data["to"]])


class BuildStep(Strict):
    """Build with the worker that stands on ``from``."""

    few = True

    type = _type("build")
    origin = square(required=True, data_key="from")
    at = square(required=True)
    piece = Text(
        validate=Among(("block", "dome")),
        metadata={"description": "May be left out where only one piece is legal."},
    )

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step, or its stand-in when the piece is left out."""
        origin, at = BY_NAME[data["origin"]], BY_NAME[data["at"]]
        if "piece" not in data:
            return steps.BuildEither(origin, at)
        return steps.Build(origin, at, data["piece"] == "dome")


class ForceStep(Strict):
    """Relocate a worker by a power."""

    type = _type("force")
    origin = square(required=True, data_key="from")
    to = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.Force(BY_NAME[data["origin"]], BY_NAME[data["to"]])


class ExchangeStep(Strict):
    """Let four workers change places at once."""

    type = _type("exchange")
    pairs = Listed(Listed(square(), validate=Long(2, 2)), required=True, validate=Long(4, 4))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step; the order of the pairs does not matter."""
        pairs = sorted(data["pairs"])
        return steps.Exchange(tuple((BY_NAME[a], BY_NAME[b]) for a, b in pairs))


class RemoveBlockStep(Strict):
    """Take the top block of a square."""

    type = _type("remove_block")
    at = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.RemoveBlock(BY_NAME[data["at"]])


class RemoveBlocksStep(Strict):
    """Take all blocks from under the worker on a square."""

    type = _type("remove_blocks")
    at = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.RemoveBlocks(BY_NAME[data["at"]])


class RemoveWorkerStep(Strict):
    """Remove the worker on a square from the game."""

    type = _type("remove_worker")
    at = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.RemoveWorker(BY_NAME[data["at"]])


class PlaceWorkerStep(Strict):
    """Bring a worker from a card or the bank."""

    type = _type("place_worker")
    to = square(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.PlaceWorker(BY_NAME[data["to"]])


ON_BOARD = ("talus", "whirlpool", "abyss")
BESIDE_BOARD = ("wind", "arrow")


class PlaceTokenStep(Strict):
    """Put a token on a square (``at``) or beside the board (``direction``)."""

    also = alternatives({"properties": {"token": {"enum": [*ON_BOARD]}}}, "at", "direction")

    type = _type("place_token")
    token = Text(required=True, validate=Among((*ON_BOARD, *BESIDE_BOARD)))
    at = square()
    direction = Text(validate=Among(tuple(DIRECTIONS)))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step.

        Raises:
            ValidationError: the member this token needs is missing, or the other one is there.
        """
        needed = "at" if data["token"] in ON_BOARD else "direction"
        other = "direction" if needed == "at" else "at"
        require(data, needed)
        forbid(data, other, f"unknown_field: {data['token']} takes {needed}.")
        if needed == "at":
            return steps.PlaceToken(data["token"], at=BY_NAME[data["at"]])
        return steps.PlaceToken(data["token"], direction=data["direction"])


class TakeTokenStep(Strict):
    """Take a token back onto its card."""

    type = _type("take_token")
    token = Text(required=True, validate=Among(("wind", "talus", "whirlpool")))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.TakeToken(data["token"])


CHOICES = ("offer", "night_power", "power", "start_power", "start_seat", "fate", "pair")


class ChooseStep(Strict):
    """Name something: a power, a start seat, a square, a pair of workers."""

    type = _type("choose")
    name = Text(required=True, validate=Among(CHOICES))
    value = Text(
        required=True,
        validate=[
            Long(1, 40),
            Pattern("[A-Za-z0-9_-]+", "bad_characters: A value is letters, digits, - and _."),
        ],
    )

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.Choose(data["name"], data["value"])


class PassStep(Strict):
    """Decline one offered step."""

    type = _type("pass")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.PASS


class EndStep(Strict):
    """Close the turn, or decline an extra one."""

    type = _type("end")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> steps.Step:
        """Build the domain step."""
        return steps.END


STEP_SCHEMAS: dict[str, type[Strict]] = {
    "place": PlaceStep,
    "move": MoveStep,
    "build": BuildStep,
    "force": ForceStep,
    "exchange": ExchangeStep,
    "remove_block": RemoveBlockStep,
    "remove_blocks": RemoveBlocksStep,
    "remove_worker": RemoveWorkerStep,
    "place_worker": PlaceWorkerStep,
    "place_token": PlaceTokenStep,
    "take_token": TakeTokenStep,
    "choose": ChooseStep,
    "pass": PassStep,
    "end": EndStep,
}


class AnsweringPlaceWorkerStep(PlaceWorkerStep):
    """The same, in a listed turn: ``seat`` is another one where it answers an interrupt."""

    seat = Whole(validate=Between(1, 4))


class AnsweringPassStep(PassStep):
    """The same, in a listed turn: ``seat`` is another one where it answers an interrupt."""

    seat = Whole(validate=Between(1, 4))


def listed_step_field(**kwargs: Any) -> Kinds:
    """Make a field that holds a step of a listed turn, an interrupt's answer included."""
    answering = {"place_worker": AnsweringPlaceWorkerStep, "pass": AnsweringPassStep}
    return Kinds("type", STEP_SCHEMAS | answering, **kwargs)


def step_field(**kwargs: Any) -> Kinds:
    """Make a field that holds a step of any type."""
    return Kinds("type", STEP_SCHEMAS, **kwargs)
