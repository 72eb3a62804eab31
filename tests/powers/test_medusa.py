"""Medusa: lower neighbours turn to blocks at the end of her turn."""

from domain.board.geometry import BY_NAME
from tests.boards import after, board, on_board


@on_board
def test_all_victims_go_in_the_order_of_their_squares(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0B 0. 0.
    3   0. 2A 0. 0. 0.
    2   0. 0. 1B 1A 0.
    1   0. 0. 0. 0. 0.   A to play   A medusa
    """
    turned = after(turn, "d2>d1 d1^e1 [xc2] [b3^c2] [xc4] [b3^c4]")
    assert turned.closed
    assert turned.position.foes_of(1) == 0
    assert [turned.position.level(BY_NAME[name]) for name in ("c2", "c4")] == [2, 1]


@on_board
def test_the_first_of_several_sculptors_builds(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 1A 0. 0. 0.
    3   0. 0. 0B 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0. 0.   A to play   A medusa
    """
    after(turn, "b4>b3 b3^a3 [xc3] [b2^c3]")


@on_board
def test_a_worker_is_spared_where_nobody_may_build(turn):
    """His other worker keeps her from building there.

        a  b  c  d  e
    5   0. 0. 0B 0. 0.
    4   0. 0. 0B 0. 0.
    3   0. 1A 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A medusa   B limus
    """
    assert after(turn, "e1>e2 e2^e1").position.foes_of(1).bit_count() == 2


def test_an_earlier_removal_may_free_the_way():
    drawing = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. {0} 0B 0. 0.
    3   0. 1A 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A medusa   B limus
    """
    assert after(board(drawing.format("0B")), "e1>e2 e2^e1").closed
    after(board(drawing.format("0.")), "e1>e2 e2^e1 [xc4] [b3^c4]")


@on_board
def test_a_token_under_the_victim_leaves(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0B 0. 0.
    3   0. 1A 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A medusa   B charybdis   whirlpool c4
    """
    assert after(turn, "e1>e2 e2^e1 [xc4] [b3^c4]").position.tokens == ()


@on_board
def test_nothing_happens_after_a_win(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 3. 0B 0. 0.
    3   0. 2A 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A medusa
    """
    won = after(turn, "b3>b4")
    assert won.outcome.winner == 1
    assert won.position.foes_of(1)
