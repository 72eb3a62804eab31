"""decide: what a command makes of a game, as entries to append; or a refusal, and nothing."""

from __future__ import annotations

from domain.board.geometry import Seat
from domain.game import clock, lifecycle, play
from domain.game.commands import (
    Cancel,
    Command,
    Create,
    Join,
    Leave,
    LinkRematch,
    Play,
    PlayNotation,
    Resign,
    RestartClock,
    TimeOut,
)
from domain.game.events import Entry
from domain.game.journal import Context, Journal
from domain.game.rehearsal import rehearsed, with_cards
from domain.game.state import Game
from domain.game.written import play_notation

__all__ = ["Context", "carry_out", "decide", "rehearse"]


def decide(game: Game, command: Command, context: Context) -> tuple[Entry, ...]:
    """Return the entries a command adds to the log of a game.

    Raises:
        Refusal: the game does not accept the command; nothing has changed.
        IllegalStep: a step breaks a rule; it says which, why, and what is legal.
    """
    journal = Journal(game, context)
    carry_out(journal, command)
    return tuple(journal.entries)


def rehearse(
    game: Game, command: Command, seat: Seat | None, context: Context
) -> tuple[tuple[Entry, ...], Game]:
    """Return the entries a command would add for all its seat may know, and the game after them.

    Where somebody has a secret, what comes after the close of the running decision stays open.

    Raises:
        Refusal: the game does not accept the command.
    """
    journal = rehearsed(game, seat, context)
    carry_out(journal, command)
    return tuple(journal.entries), with_cards(journal.game, game)


def carry_out(journal: Journal, command: Command) -> None:
    """Let a command add its entries to a journal; see ``decide``."""
    match command:
        case Create():
            lifecycle.create(journal, command)
        case Join():
            lifecycle.join(journal, command)
        case Leave():
            lifecycle.leave(journal, command)
        case Cancel():
            lifecycle.cancel(journal, command)
        case Play():
            play.play_steps(journal, command)
        case PlayNotation():
            play_notation(journal, command)
        case Resign():
            play.resign(journal, command)
        case TimeOut():
            clock.time_out(journal)
        case RestartClock():
            clock.restart(journal, command)
        case LinkRematch():
            lifecycle.link_rematch(journal, command)
    clock.finish_by_clock(journal)
