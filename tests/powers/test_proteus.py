"""Proteus: another worker follows."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_somebody_has_to_follow_and_the_mover_builds(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0A 0.
    3   0. 0. 0. 0. 0.
    2   0. 3a 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A proteus
    """
    assert moves(after(turn, "b2>b3")) == {"d4~b2", "e1~b2"}
    followed = after(turn, "b2>b3 d4~b2")
    assert followed.outcome is None
    assert {text[:3] for text in moves(followed)} == {"b3^"}
    assert clock(turn) == "b2>a1 d4~b2 a1^a2"


@on_board
def test_his_following_comes_before_the_slide(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0A 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A proteus   B harpies
    """
    assert moves(after(turn, "b2>b3")) == {"d4~b2", "e1~b2"}
    assert after(turn, "b2>b3 d4~b2 [b3~b4] [b4~b5]").position.worker_at(21) == 0


@on_board
def test_a_winning_move_comes_first(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0A 0.
    3   0. 3. 0. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   A proteus
    """
    assert after(turn, "b2>b3").outcome.winner == 1
