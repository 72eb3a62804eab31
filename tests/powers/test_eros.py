"""Eros: two workers that meet on level 1 win; they start far apart."""

from domain.board.geometry import CORNERS, EDGES, EVERYWHERE, PERIMETER
from domain.rules.power import REGISTRY
from tests.boards import after, board, on_board

MEETING = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. {0} {1} 0. 0.
    2   0. 0. {2} 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A eros   {3}
"""


def test_both_must_stand_on_level_one():
    assert after(board(MEETING.format("1A", "1.", "0A", "duel")), "c2>c3").outcome.winner == 1
    assert after(board(MEETING.format("2A", "1.", "0A", "duel")), "c2>c3").outcome is None
    assert after(board(MEETING.format("0A", "0.", "0A", "duel")), "c2>c3").outcome is None


def test_with_three_players_any_common_level_will_do():
    assert after(board(MEETING.format("0A", "0.", "0A", "trio")), "c2>c3").outcome.winner == 1
    assert after(board(MEETING.format("1A", "0.", "0A", "trio")), "c2>c3").outcome is None


@on_board
def test_a_lone_worker_meets_nobody(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 1. 0. 0.
    2   0. 0. 0A 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A eros
    """
    assert after(turn, "c2>c3").outcome is None


@on_board
def test_perimeter_meetings_can_be_forbidden(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0A 1A 0.
    1   0. 0. 1. 0. 0.   A to play   A eros   B hera
    """
    assert after(turn, "c2>c1").outcome is None


def test_workers_start_on_opposite_edges():
    turn = board(MEETING.format("0.", "0.", "0.", "duel"))
    eros, held = REGISTRY["eros"], turn.position.holding("eros")
    assert eros.placements(turn.position, held, EVERYWHERE) == PERIMETER
    turn = board(MEETING.format("0.", "0.", "0.", "duel").replace("1   0.", "1   0A"))
    second = eros.placements(turn.position, held, EVERYWHERE)
    assert second == EDGES["e"] | EDGES["5"]
    assert (second & CORNERS).bit_count() == 3
