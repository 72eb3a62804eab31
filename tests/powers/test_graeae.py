"""Graeae (P-36): the one who moved does not build."""

from __future__ import annotations

from tests.boards import after, clock, moves, on_board


@on_board
def test_any_unmoved_worker_builds(turn):
    """Both others may; none of the mover's sites is offered.

        a  b  c  d  e
    5   0B 0. 0. 0. 0A
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0A 0. 0.     A graeae
    """
    builders = {step[:2] for step in moves(after(turn, "a1>a2"))}
    assert builders == {"c1", "e5"}


@on_board
def test_a_lone_worker_can_only_win(turn):
    """It can never build, so the climb is its only legal step.

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 3. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0. 0. 0. 0. 0.     A graeae
    """
    assert moves(turn) == {"b2>c3"}


@on_board
def test_a_mover_may_not_leave_the_others_without_a_site(turn):
    """a1 alone could build, on b1; so c1 may not go there (T-36).

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0* 0* 0. 0. 0.
    1   0a 0. 0A 0. 0.     A graeae
    """
    assert "c1>b1" not in moves(turn)
    assert "c1>c2" in moves(turn)


@on_board
def test_the_clock_plays_her_build(turn):
    """The other's build is compulsory, not a power step it avoids.

        a  b  c  d  e
    5   0B 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A graeae
    """
    assert clock(turn) == "a1>a2 e1^d1"
