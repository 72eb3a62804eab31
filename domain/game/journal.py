"""Journal: what one command adds to a log, folded as it grows."""

from __future__ import annotations

from msgspec import Struct

from domain.board.facts import Fact
from domain.board.geometry import Seat
from domain.game.commands import Dice
from domain.game.events import PLAYER, SERVER, Data, Entry
from domain.game.evolve import evolve
from domain.game.secrets import BOARD_FACTS, holds_secret, is_secret, veiled
from domain.game.state import Game


class Context(Struct, frozen=True):
    """What a decision may use besides the game: the store's clock (ms, epoch) and chance."""

    now: int
    dice: Dice


class Journal:
    """The entries of one command in the making, and the game as they leave it.

    ``actor`` is who makes the choices: a player, or the server when the clock plays.
    """

    def __init__(self, game: Game, context: Context, rehearsing: bool = False) -> None:
        """Start with no entries; a rehearsal stops where it would tell a secret."""
        self.rehearsing = rehearsing
        self.game = game
        self.context = context
        self.actor = PLAYER
        self.entries: list[Entry] = []

    def choice(self, data: Data, seat: Seat | None = None, hidden: tuple[Fact, ...] = ()) -> None:
        """Add what somebody chose; entries that follow name it as their cause.

        ``hidden`` holds what follows from it unseen (P-39).
        """
        self._add(data, seat, self.actor, 0, hidden)

    def effect(self, data: Data, seat: Seat | None = None, hidden: tuple[Fact, ...] = ()) -> None:
        """Add what follows from the latest choice, be it of an earlier command."""
        back = self.game.version + 1 - self.game.chosen_at
        self._add(data, seat, SERVER, back, hidden)

    def _add(
        self, data: Data, seat: Seat | None, actor: str, back: int, hidden: tuple[Fact, ...]
    ) -> None:
        secret = is_secret(self.game, data) or bool(hidden)
        nonce = self.context.dice.nonce() if secret else ""
        veil = hidden if hidden or (isinstance(data, BOARD_FACTS) and veiled(self.game)) else None
        entry = Entry(data, seat, actor, back, veil, nonce)
        self.entries.append(entry)
        self.game = evolve(self.game, entry)

    @property
    def veiled(self) -> bool:
        """Whether a rehearsal ends here, because what follows depends on a secret or on chance."""
        dealt = {chair.power for chair in self.game.chairs}
        return self.rehearsing and any(holds_secret(power) for power in dealt)

    def deadline(self) -> int | None:
        """Return when a decision that begins now is forfeited (C-35), or None without a clock."""
        seconds = self.game.settings.turn_seconds
        return None if seconds is None else self.context.now + seconds * 1000
