"""Hermes (P-7): any number of level moves."""

from __future__ import annotations

from tests.boards import after, clock, lines, moves, on_board


@on_board
def test_the_first_move_decides(turn):
    """After a change of level the mover builds; after a level move all stay on their levels.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A hermes
    """
    climbed = moves(after(turn, "a1>a2"))
    assert climbed
    assert all(text.startswith("a2^") for text in climbed)
    walked = moves(after(turn, "a1>b1"))
    assert {"b1>a1", "b1>c1", "e1>d1", "b1^a1", "e1^d1"} <= walked
    assert "b1>a2" not in walked
    assert "." not in walked


@on_board
def test_without_a_move_anybody_builds(turn):
    """The build is the one thing that is compulsory.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A hermes
    """
    assert after(turn, "a1^a2").closed
    assert after(turn, "e1^d1").closed


@on_board
def test_the_sleeper_may_build(turn):
    """a1 is higher than its mate and sleeps; it cannot move, but it can build.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   1. 0. 0. 0. 0.
    1   1a 0. 0. 0. 0A     A to play   A hermes   B hypnus
    """
    offered = moves(after(turn, "e1>d1"))
    assert "a1^a2" in offered
    assert not any(text.startswith("a1>") for text in moves(turn) | offered)


@on_board
def test_who_has_not_moved_is_not_bound(turn):
    """c4 starts beside Aphrodite: it may build where it stands, or walk on and end beside her.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0b 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0. 0. 0. 0.
    1   0B 0. 0. 0. 0A     B to play   A aphrodite   B hermes
    """
    found = lines(turn)
    assert "c4^c5" in found
    assert "c4>c5 c5>b4 b4^b5" not in found
    assert not any(line.startswith("c4>c5 c5^") for line in found)
    assert "b4^a5" in moves(after(turn, "c4>c5 c5>b4"))


@on_board
def test_the_clock_plays_a_normal_turn(turn):
    """One move and one build by the mover; no lone build.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A to play   A hermes
    """
    assert clock(turn) == "a1>a2 a2^a1"
