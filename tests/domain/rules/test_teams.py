"""Powers in the team game: whose turn, whose workers, who is bound (V-11 .. V-15)."""

from __future__ import annotations

from domain.rules.engine import close_turn
from tests.boards import after, board, moves, on_board

TEAM = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0B 0. 0B 0.
    3   0. 0. 3. 0. 0.
    2   0. 0A 0. 0A 1.
    1   0. 0. 0. 0. 0.   {0} to play   A {1}   B pan   C {2}   D atlas   team4
"""


def table(seat, one, three):
    return board(TEAM.format(seat, one, three))


def test_end_of_turn_texts_are_for_the_holders_own_turn():
    """V-11: Ares may remove a block beside the team's unmoved worker on his turn, not on C's."""
    own = after(table("A", "ares", "demeter"), "b2>b1 b1^a1")
    assert "-e2" in moves(own)
    mates = after(table("C", "ares", "zeus"), "b2>b1 b1^a1")
    assert mates.closed


def test_what_binds_all_binds_the_teammate():
    """V-12: Hippolyta's team moves its male diagonally on both turns, its female as it likes."""
    drawing = TEAM.replace("0A 0. 0A", "0a 0. 0A")
    for seat in "AC":
        steps = moves(board(drawing.format(seat, "hippolyta", "zeus")))
        assert {"b2>b3", "d2>e3"} <= steps
        assert "d2>d3" not in steps


@on_board
def test_hypnus_compares_the_workers_of_the_team(turn):
    """V-13: the higher one of the two sleeps, whichever seat of the team is to move.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 1B 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0A 0.
    1   0. 0. 0. 0. 0.   D to play   A hypnus   B pan   C zeus   D atlas   team4
    """
    assert {step[:2] for step in moves(turn)} == {"d4"}


def test_eros_wins_on_his_own_turn_only():
    """V-14: workers brought together by the teammate win nothing."""
    drawing = TEAM.replace("0. 0A 0. 0A 1.", "0. 1A 0. 1A 1.").replace("0. 0. 3. 0.", "0. 0. 1. 0.")
    won = after(board(drawing.format("A", "eros", "zeus")), "b2>c3")
    assert (won.outcome.winner, won.outcome.reason) == (1, "power")
    assert after(board(drawing.format("C", "eros", "zeus")), "b2>c3").outcome is None


def test_a_tower_of_the_teammate_turns_chaos_next_card():
    """V-15: after any seat's turn that completes a tower."""
    chaos = "chaos=face_up:zeus;deck:hermes+artemis;discards:+   A zeus"
    done = after(table("C", chaos, "demeter"), "b2>b3 b3^c3* .")
    held = {(held.seat, held.power) for held in close_turn(done).position.held}
    assert (1, "hermes") in held and (1, "zeus") not in held
