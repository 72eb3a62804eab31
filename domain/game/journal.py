"""Journal: what one command adds to a log, folded as it grows."""

from __future__ import annotations

from msgspec import Struct

from domain.board.geometry import Seat
from domain.game.commands import Dice
from domain.game.events import PLAYER, SERVER, Data, Entry
from domain.game.evolve import evolve
from domain.game.state import Game


class Context(Struct, frozen=True):
    """What a decision may use besides the game: the store's clock (ms, epoch) and chance."""

    now: int
    dice: Dice


class Journal:
    """The entries of one command in the making, and the game as they leave it.

    ``actor`` is who makes the choices: a player, or the server when the clock plays.
    """

    def __init__(self, game: Game, context: Context) -> None:
        """Start with no entries."""
        self.game = game
        self.context = context
        self.actor = PLAYER
        self.entries: list[Entry] = []
        self._cause = -1

    def choice(self, data: Data, seat: Seat | None = None, secret: bool = False) -> None:
        """Add what somebody chose; entries that follow name it as their cause."""
        self._cause = len(self.entries)
        self._add(data, seat, self.actor, 0, secret)

    def effect(self, data: Data, seat: Seat | None = None, secret: bool = False) -> None:
        """Add what follows from the latest choice, or from the last entry of the log so far."""
        self._add(data, seat, SERVER, len(self.entries) - self._cause, secret)

    def _add(self, data: Data, seat: Seat | None, actor: str, back: int, secret: bool) -> None:
        nonce = self.context.dice.nonce() if secret else ""
        entry = Entry(data, seat, actor, back, None, nonce)
        self.entries.append(entry)
        self.game = evolve(self.game, entry)

    def deadline(self) -> int | None:
        """Return when a decision that begins now is forfeited (C-35), or None without a clock."""
        seconds = self.game.settings.turn_seconds
        return None if seconds is None else self.context.now + seconds * 1000
