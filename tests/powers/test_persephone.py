"""Persephone: a foe must move up if a complete turn allows it."""

from tests.boards import after, clock, moves, on_board


@on_board
def test_one_rise_anywhere_in_the_turn_is_enough(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 1. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0A 0A 0.   B to play   A persephone   B artemis
    """
    assert moves(turn) == {"b2>a3", "b2>b3", "b2>c3"}
    assert moves(after(turn, "b2>b3")) == {"b3>b4"}


@on_board
def test_a_rise_that_cannot_be_completed_binds_nobody(turn):
    """On b5 it could not build: C's worker guards what is not domed.

        a  b  c  d  e
    5   0* 1. 0* 0. 0.
    4   0* 0B 0. 0. 0.
    3   0. 0. 0C 0. 0.
    2   0. 0. 0. 0. 0A
    1   0. 0. 0. 0. 0A   B to play   A persephone   C limus   trio
    """
    assert moves(turn) == {"b4>a3", "b4>b3", "b4>c4"}


@on_board
def test_without_a_rise_the_turn_is_free(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 2. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0A 0A 0.   B to play   A persephone
    """
    assert {step[:2] for step in moves(turn)} == {"b2", "e5"}


@on_board
def test_building_alone_is_out_when_a_rise_exists(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 1. 0. 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0A 0A 0.   B to play   A persephone   B hermes
    """
    assert moves(turn) == {"b2>b3"}


@on_board
def test_the_clock_obeys_with_an_optional_step_if_it_must(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 1. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0A 0A 0.   B to play   A persephone   B artemis
    """
    assert clock(turn) == "b2>a3 a3>b4 b4^a3"


@on_board
def test_a_hero_need_not_rise_by_his_power(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 2. 0. 0. 0.
    3   0. 0B 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0A 0A 0.   B to play   A persephone   B bellerophon
    """
    assert {"b3>b4", "b3>a3"} <= moves(turn)
