"""Theseus: the foe two levels above, once."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_any_own_worker_counts_after_the_build(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 2B
    1   0. 0. 0. 0A 0.   A to play   A theseus
    """
    built = after(turn, "b2>b3 b3^c3")
    assert moves(built) == {".", "xe2"}
    killed = after(built, "xe2")
    assert killed.closed
    assert killed.position.held == ()
    assert clock(built) == "."


@on_board
def test_a_coin_shelters_its_worker(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 2B 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A theseus   B clio=2
    coin c4
    """
    assert after(turn, "b2>b3 b3^a3").closed


@on_board
def test_the_last_worker_may_go_and_is_no_loss_yet(turn):
    """Its side loses when its turn comes (C-33).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 2B 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0A 0.   A to play   A theseus
    """
    killed = after(turn, "b2>b3 b3^a3 xc4")
    assert killed.outcome is None
    assert killed.position.crew_of(2) == 0
