"""Bia (P-13): killing whoever stands behind the target."""

from __future__ import annotations

from domain.board.geometry import EVERYWHERE, PERIMETER
from domain.powers import CATALOGUE
from tests.boards import after, moves, on_board


@on_board
def test_a_side_without_workers_is_not_out_yet(turn):
    """The last worker of B dies; the turn goes on, the loss is a matter of B's own turn (C-33).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 3b 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0a 0. 0. 0A     A to play   A bia
    """
    killed = after(turn, "b1>b2 [xb3]")
    assert killed.outcome is None
    assert killed.position.workers[2] == -1
    assert after(killed, "b2^b3*").closed


@on_board
def test_a_coin_shelters_its_worker(turn):
    """c3 seems to hold only a dome: nobody is there to kill.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0b 1B 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0A 0a 0. 0.     A to play   A bia   B clio=2
    coin c3
    """
    assert after(turn, "c1>c2").position.worker_at(12) == 3
    assert after(turn, "b1>b2 [xb3]").position.worker_at(11) == -1


@on_board
def test_the_kill_comes_before_the_slide(turn):
    """Harpies carry the killer on over the square it has just emptied.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0* 0. 0. 0.
    3   0. 0b 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0a 0. 0. 0A     A to play   A bia   B harpies
    """
    assert moves(after(turn, "b1>b2 [xb3] [b2~b3]"))


@on_board
def test_her_workers_are_placed_on_the_perimeter(turn):
    """Bia starts the game (C-52).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0.     A to play   A bia
    """
    bia = CATALOGUE["bia"]
    position = turn.position
    assert bia.placements(position, position.held[0], EVERYWHERE) == PERIMETER
    assert bia.must_start
