"""Charon (P-15): ferrying foes across."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_the_ferryman_moves_and_ferries_once(turn):
    """b3 may be put on b1; then b2 moves. At any height, but not onto an occupied square.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0b 0. 0. 0.
    2   0. 0a 0B 0. 0.
    1   0. 3. 0. 0. 0A     A to play   A charon
    """
    offered = moves(turn)
    assert {"b3~b1", "c2~a2"} <= offered
    ferried = moves(after(turn, "b3~b1"))
    assert ferried
    assert all(text.startswith("b2>") for text in ferried)


@on_board
def test_a_sleeper_is_no_ferryman(turn):
    """b2 is higher than its mate: Hypnus keeps it from the move it would owe.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0b 0. 0. 0.
    2   0. 1a 0B 0. 0.
    1   0. 0. 0. 0. 0A     A to play   A charon   B hypnus
    """
    assert not any("~" in text for text in moves(turn))


@on_board
def test_the_force_is_compulsory_when_it_opens_the_only_rise(turn):
    """Persephone wants a rise: c3 becomes free when the foe on it is ferried to c1.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 1b 0. 0.
    2   0. 0. 0a 0. 0.
    1   0A 0. 0. 0. 0B     A to play   A charon   B persephone
    """
    assert moves(turn) == {"c3~c1"}
    assert moves(after(turn, "c3~c1")) == {"c2>c3"}


@on_board
def test_the_clock_ferries_nobody(turn):
    """The force is optional.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0b 0. 0. 0. 0.
    2   0a 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A     A to play   A charon
    """
    assert "a3~a1" in moves(turn)
    assert clock(turn) == "a2>a1 a1^a2"
