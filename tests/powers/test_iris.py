"""Iris: jumping over a worker."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_she_jumps_over_anybody_at_any_height(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 3. 0. 0. 0.
    3   0. 0B 0. 0. 0.
    2   0. 0A 0A 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A iris
    """
    texts = moves(turn)
    assert {"b2>b4", "b2>d2", "c2>a2", "c2>a4"} <= texts
    assert after(turn, "b2>b4").outcome.winner == 1
    assert clock(turn) == "b2>b4"


@on_board
def test_what_looks_like_a_dome_is_neither_cover_nor_ground(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 1. 0. 0. 0.
    3   0. 0B 0. 0. 0.
    2   0. 0A 1B 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A iris   B clio=1
    coin c2
    coin b4
    """
    assert not {"b2>b4", "b2>d2"} & moves(turn)


@on_board
def test_bans_on_moves_bind_the_jump(turn):
    """The wind blows south; a jump to the north is against it, and a rise is banned elsewhere.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0B 0B 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A iris   B aeolus   wind S
    """
    assert "b2>b4" not in moves(turn)
    assert "b2>d4" in moves(turn)


@on_board
def test_the_clock_walks(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0B 0. 0. 0. 0.
    1   0A 0B 0. 0. 0.   A to play   A iris
    """
    assert "a1>a3" in moves(turn)
    assert clock(turn) == "a1>b2 b2^a1"
