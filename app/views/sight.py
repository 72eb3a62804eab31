"""Who is looking, and at what they may look: the one way from secrets to a view (T-51, T-52)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from app.services.types import Caller, Reading
from domain.board.geometry import Seat
from domain.board.position import Held, Position
from domain.game.secrets import hiding_seats, holds_secret
from domain.game.state import Game
from domain.rules.perception import believed
from domain.rules.power import REGISTRY

UNSEEN = "?"


class Viewer(Struct, frozen=True):
    """A pair of eyes: a seat, None for the public, or everything once the game has ended.

    ``hiding`` holds the seats of the game whose workers are secret (P-39).
    """

    seat: Seat | None = None
    everything: bool = False
    hiding: frozenset[Seat] = frozenset()

    @property
    def key(self) -> Seat | str | None:
        """What ``Game.key_for`` calls this viewer."""
        return "all" if self.everything else self.seat

    def sees(self, holder: Seat | None) -> bool:
        """Say whether a secret of this seat is none to the viewer."""
        return self.everything or (holder is not None and holder == self.seat)

    @property
    def sees_hidden(self) -> bool:
        """Whether what happens unseen to secret workers is shown to the viewer (P-39)."""
        return self.everything or self.seat in self.hiding


PUBLIC = Viewer()


def is_over(game: Game) -> bool:
    """Say whether the game has ended, so that nothing of it is secret any more."""
    return game.status in ("finished", "cancelled")


def viewer_of(caller: Caller, game: Game) -> Viewer:
    """Return the eyes of a caller; ``game`` is the game as it is now."""
    return Viewer(caller.seat, is_over(game), hiding_seats(game))


def viewer_trying(caller: Caller, game: Game) -> Viewer:
    """Return the eyes of who makes a dry run: a win that is only tried reveals nothing."""
    return Viewer(caller.seat, False, hiding_seats(game))


def viewer_for(reading: Reading) -> Viewer:
    """Return the eyes of whoever made this reading."""
    return viewer_of(reading.caller, reading.current or reading.snapshot.game)


def seen(position: Position, viewer: Viewer) -> Position:
    """Return the table as the viewer sees it."""
    return position if viewer.everything else believed(position, viewer.seat)


def state_seen(held: Held, viewer: Viewer) -> dict[str, Any]:
    """Return a card's memory as the viewer may know it."""
    power = REGISTRY.get(held.power)
    if power is None:
        return {}
    return memory_seen(held.power, held.seat, power.state(held.note), viewer)


def memory_seen(
    key: str, holder: Seat | None, state: dict[str, Any], viewer: Viewer
) -> dict[str, Any]:
    """Return the ``state`` of a card as the viewer may know it; a card of its own in full."""
    power = REGISTRY.get(key)
    if viewer.everything or power is None or not power.hidden_information:
        return state
    if power.deck_secret:
        return without_deck(state)
    if viewer.sees(holder):
        return state
    return dict.fromkeys(state, UNSEEN)


def without_deck(state: dict[str, Any]) -> dict[str, Any]:
    """Replace a deck, unseen by all, by its size."""
    shown = {name: value for name, value in state.items() if name != "deck"}
    if "deck" in state:
        shown["deck_size"] = len(state["deck"])
    return shown


def all_public(game: Game) -> bool:
    """Say whether nothing of this game is hidden from anybody.

    A secret outlives its holder's elimination: it is the cards dealt that count.
    """
    return is_over(game) or not any(holds_secret(chair.power) for chair in game.chairs)
