"""Chaos (P-14): a new god for every tower."""

from __future__ import annotations

from msgspec.structs import replace

from domain.board.facts import apply_all
from domain.board.position import Held, empty_position, table_for
from domain.powers import CATALOGUE
from domain.rules.engine import close_turn
from tests.boards import after, on_board


class Backwards:
    """A shuffle that turns the cards round."""

    def shuffled(self, items):
        return tuple(reversed(items))


def held_after(turn, dice=None):
    return [(held.power, held.note) for held in close_turn(turn, dice).position.held]


@on_board
def test_a_foes_tower_turns_up_the_next_god(turn):
    """Pan goes, Athena comes without a ban; the deck is one card shorter.

        a  b  c  d  e
    5   0. 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   3. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0b 0. 0. 0B 0a     B to play
    A chaos=face_up:pan;deck:athena+atlas;discards:+   A pan
    """
    tower = after(turn, "a1>a2 a2^a3*")
    (_, cards), (god, ban) = held_after(tower)
    assert (god, ban) == ("athena", False)
    assert (cards.face_up, cards.deck, cards.discards) == ("athena", ("atlas",), ("pan",))
    assert held_after(after(turn, "a1>b1 b1^a1"))[1][0] == "pan"


@on_board
def test_a_low_dome_is_no_tower(turn):
    """Atlas stays.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   2. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0A 0b     A to play
    A chaos=face_up:atlas;deck:pan+apollo;discards:+   A atlas
    """
    assert held_after(after(turn, "a1>a2 a2^a3*"))[1][0] == "atlas"


@on_board
def test_an_empty_deck_is_made_of_all_discards(turn):
    """The god just discarded is shuffled in as well.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   3. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0A 0b     A to play
    A chaos=face_up:pan;deck:+;discards:apollo+athena   A pan
    """
    (_, cards), (god, _) = held_after(after(turn, "a1>a2 a2^a3*"), Backwards())
    assert god == cards.face_up == "pan"
    assert (cards.deck, cards.discards) == (("athena", "apollo"), ())


def test_the_deck_holds_the_simple_gods_to_spare():
    """Whoever is not simple is no card of Chaos."""
    chaos = CATALOGUE["chaos"]
    held = Held("chaos", 1, chaos.initial_note())
    position = empty_position(table_for("duel", "gods"))
    facts = list(chaos.dealt(position, held, ["apollo", "hera", "pan"], Backwards()))
    position = apply_all(replace(position, held=(held,)), facts)
    cards = position.held[0].note
    assert (cards.face_up, cards.deck) == ("pan", ("apollo",))
    assert position.held[1] == Held("pan", 1, None)
