"""A command tried out: what its seat may expect of it, nothing hidden met, no card drawn."""

from __future__ import annotations

from msgspec.structs import replace

from domain.board.geometry import Seat
from domain.game.commands import Command
from domain.game.decide import carry_out
from domain.game.events import Entry
from domain.game.journal import Context, Journal
from domain.game.state import Game
from domain.rules.perception import believed, perceived


def rehearse(
    game: Game, command: Command, seat: Seat | None, context: Context
) -> tuple[tuple[Entry, ...], Game]:
    """Return the entries a command would add for all its seat may know, and the game after them.

    Where somebody has a secret, what comes after the close of the running decision stays open.

    Raises:
        Refusal: the game does not accept the command.
    """
    journal = Journal(_as_seen(game, seat), context, rehearsing=True)
    carry_out(journal, command)
    return tuple(journal.entries), journal.game


def _as_seen(game: Game, seat: Seat | None) -> Game:
    if game.position is None or game.status == "finished":
        return game
    turn = None if game.turn is None else perceived(game.turn, seat)
    return replace(game, position=believed(game.position, seat), turn=turn)
