"""Chaos."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.board.facts import Fact, PowerChanged, PowerGained, PowerLost
from domain.board.position import Held, Note, Position
from domain.rules.power import REGISTRY, Power
from domain.rules.turn import Turn

DECK_GROUP = "simple"


class Cards(Struct, frozen=True):
    """What Chaos knows: the god turned up, the deck from its top, the discards."""

    face_up: str = ""
    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()


class Chaos(Power):
    """You have the power of the simple god turned up from a deck; every new tower turns the next.

    Rule: P-14. Note: ``Cards``; the god himself is held beside this card. He changes at the close
    (K1) of anybody's turn that completed a tower, once at most, and comes without memory. The order
    of the deck is unseen by all; an empty deck is made of all discards, the last one included.
    """

    key = "chaos"
    name = "Chaos"
    number = 14
    group = "advanced"
    players = (2, 3, 4)
    hidden_information = True
    phases = ("setup", "any_time")
    bans = {"hecate": "implementation", "nyx": "implementation"}
    order_aid = 34
    deck_secret = True
    lends = True

    def initial_note(self) -> Note:
        """No card yet: they are dealt by chance."""
        return Cards()

    def dealt(
        self, position: Position, held: Held, spare: Sequence[str], dice: Any
    ) -> Iterable[Fact]:
        """Shuffle the simple gods nobody has and turn one up."""
        cards = dice.shuffled([key for key in spare if REGISTRY[key].group == DECK_GROUP])
        if cards:
            yield from self._turned_up(held, tuple(cards), ())

    def after_turn(self, turn: Turn, held: Held, dice: Any) -> Iterable[Fact]:
        """Turn up the next god when this turn completed a tower."""
        cards = held.note
        if not turn.position.towers & ~turn.opening.towers or not cards.face_up:
            return
        deck, discards = cards.deck, (*cards.discards, cards.face_up)
        if not deck:
            if dice is None:
                return
            deck, discards = tuple(dice.shuffled(discards)), ()
        yield PowerLost(held.seat, cards.face_up, "replaced")
        yield from self._turned_up(held, deck, discards)

    def _turned_up(
        self, held: Held, deck: tuple[str, ...], discards: tuple[str, ...]
    ) -> Iterable[Fact]:
        god = deck[0]
        yield PowerChanged(held.seat, self.key, Cards(god, deck[1:], discards))
        yield PowerGained(held.seat, god, REGISTRY[god].initial_note())

    def unordered(self, note: Note) -> Note:
        """Sort the deck."""
        return Cards(note.face_up, tuple(sorted(note.deck)), note.discards)

    def deck(self, note: Note) -> tuple[str, ...]:
        """The face-up god, then those to come."""
        return (note.face_up, *note.deck) if note.face_up else ()

    def state(self, note: Note) -> dict[str, Any]:
        """``face_up``, ``deck`` (top first), ``discards``."""
        return {
            "face_up": note.face_up or None,
            "deck": list(note.deck),
            "discards": list(note.discards),
        }

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read the cards."""
        return Cards(
            state.get("face_up") or "",
            tuple(state.get("deck") or ()),
            tuple(state.get("discards") or ()),
        )

    def agrees(self, position: Position, held: Held) -> bool:
        """The cards are simple gods, each once, and the face-up one is in the holder's hands."""
        cards = held.note
        gods = [cards.face_up, *cards.deck, *cards.discards]
        known = all(god in REGISTRY and REGISTRY[god].group == DECK_GROUP for god in gods)
        hands = {other.power for other in position.held if other.seat == held.seat}
        return known and len(set(gods)) == len(gods) and cards.face_up in hands

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the god, the remaining deck and the discards, both sorted (T-71)."""
        cards = held.note
        return f"{cards.face_up}/{'+'.join(sorted(cards.deck))}/{'+'.join(sorted(cards.discards))}"
