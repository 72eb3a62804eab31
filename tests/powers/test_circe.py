"""Circe (P-17): stealing the power of scattered foes."""

from __future__ import annotations

from domain.board.facts import apply_all
from domain.rules.engine import open_turn, position_key, start_facts, start_verdict
from tests.boards import board, moves, on_board

TABLE = """
        a  b  c  d  e
    5   {far}. 0. 0. 0. 0b
    4   0. 0. 0. 0. {near}.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0. 0.     A to play
"""


def started(drawing):
    turn = board(drawing)
    return apply_all(turn.position, start_facts(turn.position, turn.seat))


def scattered(cards):
    table = TABLE.replace("{far}.", "0B").replace("{near}", "0")
    return started(table + cards)


def together(cards):
    table = TABLE.replace("{far}", "0").replace("{near}.", "0B")
    return started(table + cards)


def powers(position):
    return position_key(position, 1).split("|")[4]


def test_scattered_foes_lose_their_power_until_they_stand_together():
    assert powers(scattered("A circe   B apollo")) == "apollo:,circe:stolen;"
    assert powers(scattered("A circe=true   A apollo")) == "apollo:,circe:stolen;"
    assert powers(together("A circe=true   A apollo")) == "circe:-;apollo:"
    assert powers(together("A circe   B apollo")) == "circe:-;apollo:"
    assert powers(scattered("A circe")) == "circe:-;"


def test_the_stolen_card_keeps_its_counters_but_not_the_last_turn():
    """Morpheus brings a coin at once; Athena's ban stays behind (T-49)."""
    assert powers(scattered("A circe   B morpheus=2")) == "circe:stolen,morpheus:3;"
    assert powers(scattered("A circe   B athena=true")) == "athena:,circe:stolen;"


def test_chaos_is_stolen_with_his_god():
    cards = "A circe   B chaos=face_up:pan;deck:atlas+;discards:+   B pan"
    assert powers(scattered(cards)) == "chaos:pan/atlas/,circe:stolen,pan:;"


def test_a_stolen_chronus_wins_at_once():
    table = """
        a  b  c  d  e
    5   3* 3* 3* 3* 0b
    4   0. 0. 0. 0. 3*
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0. 0B     A to play   A circe   B chronus
    """
    assert start_verdict(open_turn(started(table), 1)).winner == 1


@on_board
def test_the_theft_lasts_through_the_foes_turn(turn):
    """Athena's new holder has climbed: the one she was taken from may not.

        a  b  c  d  e
    5   0. 0. 0. 0. 1.
    4   0. 0. 0. 0. 0b
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0A 0. 0. 0B     B to play   A circe=true   A athena=true
    """
    offered = moves(turn)
    assert offered
    assert "e4>e5" not in offered
