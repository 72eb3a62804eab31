"""Hypnus: the strictly highest foe sleeps."""

from tests.boards import after, board, moves, on_board

BOARD = """
        a  b  c  d  e
    5   {0} 0. 0. 0. {1}
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0A   B to play   A hypnus   {2}
"""


def walkers(turn):
    return {step[:2] for step in moves(turn)}


def test_only_a_strictly_higher_worker_sleeps():
    assert walkers(board(BOARD.format("1B", "0B", ""))) == {"e5"}
    assert walkers(board(BOARD.format("3B", "2B", ""))) == {"e5"}
    assert walkers(board(BOARD.format("1B", "1B", ""))) == {"a5", "e5"}


def test_a_single_worker_sleeps_even_on_the_ground():
    assert moves(board(BOARD.format("0B", "0.", ""))) == set()


@on_board
def test_a_sleeper_may_build(turn):
    """Only moving is forbidden.

        a  b  c  d  e
    5   1B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0A   B to play   A hypnus   B hermes
    """
    assert "a5^a4" in moves(turn)
    assert not [step for step in moves(turn) if step.startswith("a5>")]


@on_board
def test_the_sleeper_is_fixed_when_the_turn_begins(turn):
    """Standing higher later in the turn does not send a worker to sleep.

        a  b  c  d  e
    5   0B 1. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0A   B to play   A hypnus   B artemis
    """
    assert "b5>c5" in moves(after(turn, "a5>b5"))


@on_board
def test_teams_are_compared_by_their_two_workers(turn):
    """
        a  b  c  d  e
    5   1B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0A   D to play   A hypnus   team4
    """
    assert walkers(turn) == {"e5"}
