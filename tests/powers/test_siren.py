"""Siren (P-42): a song instead of a turn."""

from __future__ import annotations

from tests.boards import after, clock, lines, moves, on_board


@on_board
def test_one_worker_clears_the_way_for_another(turn):
    """b3 can go only after c3 has; nobody goes twice, and nobody moves any more.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0b 0B 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0A     A siren=direction:E
    """
    assert "b3~c3" not in moves(turn)
    turn = after(turn, "c3~d3")
    assert "b3~c3" in moves(turn)
    assert "d3~e3" not in moves(turn)
    assert not any(">" in step for step in moves(turn))
    both = after(turn, "b3~c3")
    assert {step[:2] for step in moves(both)} == {"a1", "e1"}


@on_board
def test_who_cannot_move_may_still_sing(turn):
    """a1 is walled in by height, so only the song is left; the clock sings too.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0b 0. 0.
    2   2. 2. 0. 0. 0.
    1   0a 2. 0. 0. 0.     A siren=direction:N
    """
    assert moves(turn) == {"c3~c4"}
    assert clock(turn) == "c3~c4 a1^a2"


@on_board
def test_persephone_silences_her_while_she_could_rise(turn):
    """The song makes no worker rise, so it is not a lawful turn (T-34).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0. 0b 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 1. 0. 0. 0.     A siren=direction:N   B persephone
    """
    assert moves(turn) == {"a1>b1"}


@on_board
def test_a_song_has_to_lead_to_a_build(turn):
    """a1 is shut in until b2 is sung away, so b2 has to go before she builds (T-36).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0b 0. 0.
    2   0* 0B 0. 0. 0.
    1   0a 0* 0. 0. 0.     A siren=direction:N
    """
    assert {"b2~b3", "c3~c4"} == moves(turn)
    assert moves(after(turn, "b2~b3")) == {"c3~c4", "a1^b2"}
    assert moves(after(turn, "c3~c4")) == {"b2~b3"}


@on_board
def test_the_order_of_the_song_makes_no_new_turn(turn):
    """One canonical line stands for both orders (T-63), and the clock prefers to walk.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0b 0. 0B 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0.     A siren=direction:N
    """
    sung = {line for line in lines(turn) if "b3~b4" in line and "d3~d4" in line}
    assert {line.split()[0] for line in sung} == {"b3~b4"}
    assert clock(turn) == "a1>a2 a2^a1"
