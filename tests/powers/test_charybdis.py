"""Charybdis: whirlpools carry whoever moves onto one of them."""

from tests.boards import after, board, clock, moves

BOARD = """
        a  b  c  d  e
    5   {0} 0. 0. 0. 0B
    4   0. 0. 0. {1} 0.
    3   0. {2} 0. 0. 0.
    2   0. 2B 0. 0. 0.
    1   0A 0. 0. 0. 0A   B to play   A charybdis   whirlpool b3   whirlpool d4   {3}
"""


def test_emerging_on_level_three_wins_from_any_height():
    assert after(board(BOARD.format("0.", "3.", "0.", "")), "b2>b3 [b3~d4]").outcome.winner == 2


def test_the_first_square_wins_nothing_while_the_other_is_free():
    assert after(board(BOARD.format("0.", "0.", "3.", "")), "b2>b3 [b3~d4]").outcome is None
    assert after(board(BOARD.format("0.", "0A", "3.", "")), "b2>b3").outcome.winner == 2


def test_the_win_that_counts_is_judged_on_the_second_square():
    drawing = BOARD.format("0.", "0.", "0.", "A hera").replace("whirlpool d4", "whirlpool e3")
    drawing = drawing.replace("3   0. 0. 0. 0. 0.", "3   0. 0. 0. 0. 3.")
    assert after(board(drawing), "b2>b3 [b3~e3]").outcome is None


def test_a_carried_fall_is_none():
    assert after(board(BOARD.format("0.", "0.", "0.", "B pan")), "b2>b3 [b3~d4]").outcome is None


def test_she_puts_one_whirlpool_a_turn_on_a_bare_free_square():
    drawing = BOARD.format("0.", "0.", "0.", "").replace("B to play", "A to play")
    turn = after(board(drawing.replace("   whirlpool d4", "")), "a1>a2 a2^a1")
    assert len(moves(turn)) == 25 - 4 - 1 + 1
    assert {"@whirlpool:b3", "@whirlpool:a2"} & moves(turn) == set()
    assert after(turn, "@whirlpool:a1").closed
    assert clock(turn) == "."
    assert after(board(drawing), "a1>a2 a2^a1").closed


def test_a_built_over_whirlpool_returns_to_her_hand():
    turn = after(board(BOARD.format("0.", "0.", "0.", "")), "b2>c3 c3^b3")
    assert [token.square for token in turn.position.tokens] == [18]
