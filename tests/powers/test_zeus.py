"""Zeus: a block under himself."""

from tests.boards import after, board, clock, moves, on_board

BOARD = """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. {0} 0. 0. 0.
    2   0. {1} 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A zeus   {2}
"""


def test_he_rises_without_winning():
    turn = after(board(BOARD.format("2.", "2A", "")), "b2>b3 b3^b3")
    assert turn.closed
    assert turn.outcome is None
    assert turn.position.level(11) == 3
    assert not turn.climbed


def test_never_a_dome_under_himself():
    turn = after(board(BOARD.format("3.", "3A", "")), "b2>b3")
    assert not [step for step in moves(turn) if step.startswith("b3^b3")]


def test_building_under_himself_next_to_a_guard_is_forbidden():
    turn = board(BOARD.format("0.", "0A", "B limus").replace("4   0. 0. 0.", "4   0. 0. 0B"))
    turn = after(turn, "b2>b3")
    assert "b3^b3" not in moves(turn)
    assert "b3^b2" in moves(turn)


@on_board
def test_a_token_under_him_leaves(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A zeus   B charybdis   whirlpool b3
    """
    assert after(turn, "b2>b3 b3^b3").position.tokens == ()


def test_the_clock_builds_beside_himself():
    assert clock(after(board(BOARD.format("0.", "0A", "")), "b2>b3")) == "b3^a2"
