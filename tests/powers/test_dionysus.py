"""Dionysus: a completed tower earns a turn with a borrowed worker."""

from domain.rules.engine import close_turn
from tests.boards import after, clock, moves, on_board


@on_board
def test_a_completed_tower_earns_a_borrowed_turn(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A dionysus
    """
    closing = close_turn(after(turn, "b2>b3 b3^c3*"))
    assert (closing.seat, closing.kind) == (1, "dionysus")
    closing = close_turn(after(turn, "b2>b3 b3^b4"))
    assert (closing.seat, closing.kind) == (2, "normal")


@on_board
def test_one_borrowed_worker_moves_builds_and_cannot_win(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 3. 2B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0B 0. 0. 0A 0.   A to play dionysus   A dionysus
    """
    assert {step[:2] for step in moves(turn)} == {".", "e5", "a1"}
    moved = after(turn, "e5>d5")
    assert moved.outcome is None
    assert {step[:2] for step in moves(moved)} == {"d5"}


@on_board
def test_a_tower_in_the_borrowed_turn_earns_another(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 3. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0B 0. 0. 0A 0.   A to play dionysus   A dionysus
    """
    assert close_turn(after(turn, "e5>e4 e4^d5*")).kind == "dionysus"


@on_board
def test_a_borrowed_worker_is_not_bound_by_its_own_sides_text(turn):
    """Her ban is about workers that are not hers (T-32).

        a  b  c  d  e
    5   0. 0. 0. 1. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0B 0. 0. 0A 0.   A to play dionysus   A dionysus   B athena=true
    """
    assert "e5>d5" in moves(turn)


@on_board
def test_the_clock_declines_the_borrowed_turn(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0B 0. 0. 0A 0.   A to play dionysus   A dionysus
    """
    assert clock(turn) == "."
