"""Around the play: create, join, leave, cancel, start, and the link to the next game."""

from __future__ import annotations

from msgspec.structs import replace

from domain.board.geometry import Seat
from domain.board.position import table_for
from domain.game import draft, pool, setup
from domain.game.commands import Cancel, Create, Join, Leave, LinkRematch
from domain.game.errors import Flaw, Refusal
from domain.game.events import (
    Cancelled,
    Created,
    Joined,
    Left,
    Offered,
    RematchCreated,
    Started,
)
from domain.game.journal import Journal
from domain.game.settings import Settings
from domain.game.state import Game
from domain.game.validation import validate


def create(journal: Journal, command: Create, imported: bool = False) -> None:
    """Open a game and seat its creator, if it plays.

    Raises:
        Refusal: the settings do not go together, or there is no such seat.
    """
    settings = command.settings
    validate(settings)
    seats = table_for(settings.variant).seats
    if command.seat is not None:
        _require_seat(command.seat, seats)
    journal.choice(Created(settings, imported, command.seat), command.seat)
    if command.seat is not None:
        _seat(journal, command.seat, command.name)


def join(journal: Journal, command: Join) -> None:
    """Take a free seat; the game starts by itself when the last one is taken (contract, 3).

    Raises:
        Refusal: ``game_over``, ``game_full`` or ``seat_taken``; or there is no such seat.
    """
    game = journal.game
    if game.status in ("finished", "cancelled"):
        raise Refusal("game_over", "The game is over.")
    if command.seat is not None:
        _require_seat(command.seat, len(game.chairs))
        if game.chairs[command.seat - 1].status != "free":
            raise Refusal("seat_taken", "Somebody sits there.")
    free = [chair.seat for chair in game.chairs if chair.status == "free"]
    if not free or game.status != "open":
        raise Refusal("game_full", "All seats are taken.")
    _seat(journal, command.seat or free[0], command.name)


def join_all(journal: Journal) -> None:
    """Take every free seat, in order: the game starts."""
    while journal.game.status == "open":
        join(journal, Join())


def leave(journal: Journal, command: Leave) -> None:
    """Give a seat back before the start."""
    require_open(journal.game)
    if journal.game.chairs[command.seat - 1].status == "free":
        raise Refusal("not_your_seat", "Nobody sits there.")
    journal.choice(Left(command.seat), command.seat)


def cancel(journal: Journal, command: Cancel) -> None:
    """Call the game off before its start."""
    require_open(journal.game)
    journal.choice(Cancelled(), None)


def link_rematch(journal: Journal, command: LinkRematch) -> None:
    """Record which game follows a finished one; the first answer stands."""
    if journal.game.status != "finished":
        raise Refusal("game_not_over", "The game is not over.")
    if journal.game.next_game is None:
        journal.choice(RematchCreated(command.game_id), None)


def require_open(game: Game) -> None:
    """Refuse what is possible only before the start."""
    if game.status in ("finished", "cancelled"):
        raise Refusal("game_over", "The game is over.")
    if game.status != "open":
        raise Refusal("game_started", "The game has started.")


def rematch_settings(game: Game) -> Settings:
    """Return the settings of the next game: the seat after the last start seat starts.

    A power (C-52) or a draft goes first: then the start seat stays open.
    """
    settings = game.settings
    if settings.powers.mode == "draft" or game.start_seat is None:
        return settings
    following = game.start_seat % len(game.chairs) + 1
    if settings.powers.mode == "fixed":
        powers = dict(enumerate((*settings.powers.seats,), 1))
        if following not in pool.start_seats(powers):
            return replace(settings, start_seat="random")
    return replace(settings, start_seat=following)


def _require_seat(seat: Seat, seats: int) -> None:
    if not 1 <= seat <= seats:
        flaw = Flaw("/seat", "out_of_range", f"There are seats 1 to {seats}.")
        raise Refusal("validation_failed", "There is no such seat.", [flaw])


def _seat(journal: Journal, seat: Seat, name: str | None) -> None:
    journal.choice(Joined(seat, name or f"Player {seat}"), seat)
    if all(chair.status != "free" for chair in journal.game.chairs):
        _start(journal)


def _start(journal: Journal) -> None:
    """Deal what is not drafted, settle who starts (C-13, C-52), begin the draft or the setup."""
    settings = journal.game.settings
    mode = settings.powers.mode
    powers = _powers(journal)
    if mode == "draft":
        journal.effect(Started(None, powers))
        draft.open_draft(journal)
        return
    journal.effect(Started(_start_seat(journal, powers), powers))
    if mode == "golden_fleece":
        _lay_beside_the_ram(journal)
    else:
        setup.open_setup(journal)


def _powers(journal: Journal) -> tuple[str | None, ...]:
    game = journal.game
    match game.settings.powers.mode:
        case "fixed":
            return tuple(game.settings.powers.seats)
        case "random":
            return pool.seated(game.settings, journal.context.dice)
    return tuple(None for _ in game.chairs)


def _start_seat(journal: Journal, powers: tuple[str | None, ...]) -> Seat:
    chosen = journal.game.settings.start_seat
    if isinstance(chosen, int):
        return chosen
    return journal.context.dice.choice(pool.start_seats(dict(enumerate(powers, 1))))


def _lay_beside_the_ram(journal: Journal) -> None:
    option = journal.game.settings.powers
    if option.offer == "draft" and not option.power:
        draft.open_draft(journal)
        return
    drawn = (
        (option.power,)
        if option.power
        else pool.draw(journal.game.settings, 1, journal.context.dice)
    )
    journal.effect(Offered(drawn, final=True))
    setup.open_setup(journal)
