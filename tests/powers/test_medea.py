"""Medea: the blocks under a neighbour, once."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_all_blocks_go_and_the_hero_is_spent(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 3B 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 2A 0.   A to play   A medea
    """
    built = after(turn, "b2>b3 b3^a3")
    assert moves(built) == {".", "--c4"}
    ended = after(built, "--c4")
    assert ended.position.level(17) == 0
    assert ended.position.supply() == (19, 17, 14, 18)
    assert ended.position.held == ()


@on_board
def test_own_neighbours_may_be_brought_down_too(turn):
    """No worker counts as its own neighbour.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0B 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 2A 0. 0. 0.
    1   0. 0. 0. 2A 0.   A to play   A medea
    """
    assert moves(after(turn, "b2>c2 c2^b2")) == {".", "--d1"}
    assert after(turn, "b2>b3 b3^b2").closed


@on_board
def test_a_coin_shelters_its_worker_and_the_clock_declines(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 2B
    4   0. 0. 1B 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A medea   B clio=2
    coin c4
    """
    assert after(turn, "b2>b3 b3^a3").closed


@on_board
def test_the_clock_declines(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 1B 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A medea
    """
    assert clock(after(turn, "b2>b3 b3^a3")) == "."
