"""Response schemas: they document every answer, and the tests hold every answer against them.

Bodies come from ``app.views`` and are encoded as they are; nothing is dumped through these.
Answers may grow (contract, section 9), so the schemas do not close their objects.
"""

from __future__ import annotations

from typing import Any

from marshmallow import INCLUDE, Schema, fields

from app.http.fields import Among, Between, Kinds, Listed, Part, Pattern, Text, Whole, square
from app.http.problems import TABLE
from app.http.requests import POWERS_SCHEMAS
from app.http.steps import listed_step_field, step_field
from app.services.types import STATUSES
from domain.board.geometry import DIRECTIONS, NAMES
from domain.board.position import VARIANTS

TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
HASH = "sha256:[0-9a-f]{64}"
KINDS = ("draft", "setup", "placement", "normal", "dionysus", "tyche", "interrupt")
PHASES = (
    "offer",
    "night_power",
    "power",
    "start_power",
    "start_seat",
    "direction",
    "fate",
    "abyss",
    "ram",
    "place",
    "place_worker",
    "start",
    "move",
    "build",
    "end",
)
REASONS = ("climb", "power", "stuck", "resignation", "timeouts", "lose_condition", "last_side")
NEEDED: dict[str, Any] = {"required": True}
NULLABLE: dict[str, Any] = {"required": True, "allow_none": True}


class Answered(Schema):
    """The base of every response schema."""

    class Meta:
        """Let answers grow."""

        unknown = INCLUDE


def seat_number(**kwargs: Any) -> Whole:
    """Make a field for a seat."""
    return Whole(validate=Between(1, 4), **kwargs)


def moment(**kwargs: Any) -> Text:
    """Make a field for a time: RFC 3339, UTC, milliseconds."""
    return Text(
        validate=Pattern(TIME, "bad_time: A time."), metadata={"format": "date-time"}, **kwargs
    )


def link(**kwargs: Any) -> Text:
    """Make a field for a path of this service."""
    return Text(metadata={"format": "uri-reference"}, **kwargs)


def digest(**kwargs: Any) -> Text:
    """Make a field for a hash of the chain."""
    return Text(validate=Pattern(HASH, "bad_hash: A hash."), **kwargs)


class Flaw(Answered):
    """One thing that is wrong: where (``pointer`` or ``parameter``), which (``code``)."""

    pointer = Text(metadata={"description": "JSON pointer into the body (RFC 6901)."})
    parameter = Text(metadata={"description": "Name of a query parameter, path part or header."})
    code = Text(**NEEDED)
    detail = Text(**NEEDED)
    power = Text(metadata={"description": "The power that forbids or demands it."})


class Problem(Answered):
    """An error (RFC 9457)."""

    type = link(**NEEDED)
    title = Text(**NEEDED)
    status = Whole(required=True, validate=Between(400, 599))
    detail = Text(**NEEDED)
    instance = link(**NEEDED)
    code = Text(required=True, validate=Among(tuple(TABLE)))
    errors = Listed(Part(Flaw))
    version = Whole(metadata={"description": "The game's version, if there is a game."})
    legal_steps = Listed(
        Text(),
        metadata={"description": "With `illegal_step`: up to 50 legal steps, as notation."},
    )


class CardMemory(Answered):
    """A card's memory; which members there are depends on the power."""

    ban = fields.Boolean()
    coins = Whole()
    coins_left = Whole()
    workers_on_card = Whole()
    direction = Text()
    fate = Text(allow_none=True)
    abyss = Text(allow_none=True)
    stolen = fields.Boolean()
    face_up = Text(allow_none=True)
    deck_size = Whole()
    deck = Listed(Text())
    discards = Listed(Text())
    time = Text(validate=Among(("day", "night")))
    night_power = Text(allow_none=True)


class Card(Answered):
    """A power with its memory."""

    key = Text(**NEEDED)
    state = Part(CardMemory, required=True)


class Seat(Answered):
    """A chair at the table."""

    seat = seat_number(**NEEDED)
    name = Text(**NULLABLE)
    side = Whole(required=True, validate=Between(1, 4))
    power = Part(Card, **NULLABLE)
    held = Listed(Part(Card), required=True)
    status = Text(required=True, validate=Among(("free", "active", "eliminated")))
    consecutive_timeouts = Whole(required=True, validate=Between(0, 3))


class TurnState(Answered):
    """The running turn, draft decision, setup choice, placement or interrupt."""

    number = Whole(required=True, validate=Between(0))
    seat = seat_number(**NEEDED)
    kind = Text(required=True, validate=Among(KINDS))
    phase = Text(required=True, validate=Among(PHASES))
    steps = Text(required=True, metadata={"description": "The turn so far, as notation (T-60)."})
    deadline = moment(**NULLABLE)


class WorkerState(Answered):
    """A worker on the board."""

    square = square(required=True)
    seat = seat_number(**NEEDED)
    sex = Text(required=True, validate=Among(("f", "m")))


class TokenState(Answered):
    """A token on a square, or beside the board in a direction."""

    name = Text(**NEEDED)
    square = square()
    direction = Text(validate=Among(tuple(DIRECTIONS)))


class Ram(Answered):
    """The Ram and the power beside it (V-4)."""

    square = square(required=True)
    power = Text(**NEEDED)


def _levels() -> fields.Field[Any]:
    return fields.Raw(
        required=True,
        metadata={
            "type": "object",
            "description": "Height of every square, 0 to 3.",
            "required": sorted(NAMES),
            "properties": {
                name: {"type": "integer", "minimum": 0, "maximum": 3} for name in sorted(NAMES)
            },
        },
    )


class Board(Answered):
    """The table as the viewer sees it."""

    levels = _levels()
    domes = Listed(square(), required=True)
    workers = Listed(Part(WorkerState), required=True)
    tokens = Listed(Part(TokenState), required=True)
    ram = Part(Ram, **NULLABLE)


class Supply(Answered):
    """Pieces left (C-9)."""

    level_1 = Whole(required=True, validate=Between(0, 22))
    level_2 = Whole(required=True, validate=Between(0, 18))
    level_3 = Whole(required=True, validate=Between(0, 14))
    dome = Whole(required=True, validate=Between(0, 18))


class Loser(Answered):
    """A losing seat and why it lost."""

    seat = seat_number(**NEEDED)
    reason = Text(required=True, validate=Among(REASONS[:-1]))


class Result(Answered):
    """How the game ended."""

    winners = Listed(seat_number(), required=True)
    reason = Text(required=True, validate=Among(REASONS))
    losers = Listed(Part(Loser), required=True)


class Pact(Answered):
    """Adonis' pair."""

    own = square(required=True)
    other = square(required=True)
    seat = seat_number(**NEEDED)


class SeatCard(Card):
    """A power put aside by its seat."""

    seat = seat_number(**NEEDED)


class PendingFacts(Answered):
    """Facts of the past that still matter; members are left out when there is nothing."""

    adonis = Part(Pact)
    last_moved = fields.Dict(keys=fields.String(), values=fields.String(allow_none=True))
    set_aside = Listed(Part(SeatCard))
    eliminated = Listed(seat_number())


class SettingsState(Answered):
    """The settings as created."""

    variant = Text(required=True, validate=Among(VARIANTS))
    powers = Kinds("mode", POWERS_SCHEMAS, required=True)
    placement = Text(required=True, validate=Among(("free", "recommended")))
    start_seat = fields.Raw(
        required=True,
        metadata={
            "anyOf": [
                {"type": "string", "enum": ["random"]},
                {"type": "integer", "minimum": 1, "maximum": 4},
            ]
        },
    )
    turn_seconds = Whole(**NULLABLE)
    visibility = Text(required=True, validate=Among(("public", "unlisted", "private")))


class Links(Answered):
    """Where to go from here."""

    self = link(**NEEDED)
    events = link(**NEEDED)
    legal_steps = link(**NEEDED)
    next_game = link(**NULLABLE)


class Game(Answered):
    """A game as one viewer sees it."""

    id = Text(**NEEDED)
    version = Whole(required=True, validate=Between(1))
    status = Text(required=True, validate=Among(STATUSES))
    variant = Text(required=True, validate=Among(VARIANTS))
    settings = Part(SettingsState, required=True)
    imported = fields.Boolean(**NEEDED)
    seats = Listed(Part(Seat), required=True)
    turn = Part(TurnState, **NULLABLE)
    board = Part(Board, required=True)
    pending = Part(PendingFacts, required=True)
    supply = Part(Supply, required=True)
    position = Text(required=True, allow_none=True)
    result = Part(Result, **NULLABLE)
    log_hash = digest(**NEEDED)
    created_at = moment(**NEEDED)
    updated_at = moment(**NEEDED)
    links = Part(Links, required=True)


class SeatedAnswer(Answered):
    """A game, the seat in it, and the token that plays it: shown once."""

    game = Part(Game, required=True)
    seat = seat_number(**NULLABLE)
    token = Text(**NEEDED)
    invite = Text(metadata={"description": "For a private game's creator: shown once."})


class RematchAnswer(Answered):
    """The next game and the caller's seat in it."""

    game = Part(Game, required=True)
    seat = seat_number(**NULLABLE)


class TicketAnswer(Answered):
    """A ticket for one stream, good for 30 seconds."""

    ticket = Text(**NEEDED)


class Event(Answered):
    """One recorded fact (contract, section 6)."""

    game_id = Text(**NEEDED)
    version = Whole(required=True, validate=Between(1))
    type = Text(**NEEDED)
    schema = Whole(required=True, validate=Between(1))
    at = moment(**NEEDED)
    seat = seat_number(**NULLABLE)
    actor = Text(required=True, validate=Among(("player", "server")))
    cause = Whole(required=True, validate=Between(1))
    command = Text(**NEEDED)
    data = fields.Dict(**NEEDED)
    prev_hash = digest(metadata={"description": "Left out of a dry run's events."})
    hash = digest(metadata={"description": "Left out of a dry run's events."})
    nonce = Text()
    redacted = fields.Boolean()
    hidden = Listed(fields.Dict())


class Played(Answered):
    """The game after a command, and exactly the events it appended."""

    game = Part(Game, required=True)
    events = Listed(Part(Event), required=True)


class GameList(Answered):
    """A page of games; ``Link: rel="next"`` while there is more."""

    games = Listed(Part(Game), required=True)


class EventList(Answered):
    """A page of the log and the game's version."""

    events = Listed(Part(Event), required=True)
    version = Whole(required=True, validate=Between(1))


class LegalSteps(Answered):
    """Every legal next step."""

    version = Whole(required=True, validate=Between(1))
    seat = seat_number(**NULLABLE)
    after = Text(**NEEDED)
    steps = Listed(step_field(), required=True)
    can_end = fields.Boolean(**NEEDED)


class LegalTurn(Answered):
    """One canonical completion of the turn (T-63)."""

    notation = Text(**NEEDED)
    steps = Listed(listed_step_field(), required=True)
    key = Text(**NULLABLE)
    winners = Listed(seat_number(), required=True)


class LegalTurns(Answered):
    """Every position the turn can still lead to, with a way there."""

    version = Whole(required=True, validate=Between(1))
    seat = seat_number(**NULLABLE)
    after = Text(**NEEDED)
    turns = Listed(Part(LegalTurn), required=True)
    truncated = fields.Boolean(**NEEDED)


class VerificationAnswer(Answered):
    """What re-checking a whole log found."""

    ok = fields.Boolean(**NEEDED)
    version = Whole(**NEEDED)
    log_hash = digest(**NEEDED)
    first_bad_version = Whole(**NULLABLE)
    problem = Text(**NULLABLE)
