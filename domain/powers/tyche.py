"""Tyche."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.turn import Turn

DECK = ("six", "blank", "blank", "blank", "blank", "blank")


class Tyche(Power):
    """At the end of your turn draw a card; the one six of six earns an extra turn, and a new deck.

    Rule: P-56. Drawn at K2, if the turn had a build, and not after an extra turn of hers, played or
    declined. Note: the deck, top first; its order is secret to all, its size is not.
    """

    key = "tyche"
    name = "Tyche"
    number = 56
    group = "promo"
    players = (2, 3, 4)
    hidden_information = True
    phases = ("setup", "end_of_turn")
    order_aid = 48
    deck_secret = True
    extra_turn = Power()

    def initial_note(self) -> Note:
        """The whole deck, not yet shuffled."""
        return DECK

    def dealt(
        self, position: Position, held: Held, spare: Sequence[str], dice: Any
    ) -> Iterable[Fact]:
        """Shuffle the deck."""
        yield PowerChanged(held.seat, self.key, tuple(dice.shuffled(DECK)))

    def draws_extra(self, turn: Turn, held: Held, dice: Any) -> tuple[Iterable[Fact], bool]:
        """Draw the top card; the six brings all cards back into a shuffled deck."""
        if turn.kind == self.key or not turn.builds or not held.note:
            return (), False
        card, *rest = held.note
        deck = tuple(rest)
        if card == "six":
            deck = tuple(dice.shuffled(DECK)) if dice is not None else DECK
        return (PowerChanged(held.seat, self.key, deck, card),), card == "six"

    def unordered(self, note: Note) -> Note:
        """Sort the deck."""
        return tuple(sorted(note))

    def deck(self, note: Note) -> tuple[str, ...]:
        """The cards to come."""
        return tuple(note)

    def state(self, note: Note) -> dict[str, Any]:
        """``deck``: ``six`` and ``blank`` cards, top first."""
        return {"deck": list(note)}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``deck``."""
        deck = tuple(state.get("deck", DECK))
        if sorted(deck) != sorted(DECK[: len(deck)]) or not deck:
            raise ValueError(deck)
        return deck

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write how many cards are left (T-71)."""
        return str(len(held.note))
