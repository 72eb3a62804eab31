"""Hecate (P-39): steps that meet what nobody saw."""

from __future__ import annotations

from domain.rules.engine import open_turn, play, position_key
from domain.rules.perception import believed
from domain.rules.positions import read_position, write_position
from tests.boards import after, lines, moves, on_board, step_named


@on_board
def test_the_lists_of_a_foe_do_not_depend_on_her_workers(turn):
    """Wherever they stand, b2 and e5 are offered the same steps (T-52), and see the same key.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0B 1. 0. 0.
    1   0. 0. 0. 0. 0A     B to play   A hecate   B minotaur
    """
    data = write_position(turn.position, 2)
    data["workers"][0]["square"], data["workers"][1]["square"] = "a1", "c2"
    other = open_turn(*read_position(data))
    assert moves(turn) == moves(other)
    assert "?,?;b2,e5" in position_key(turn.position, 2, viewer=2)
    assert position_key(turn.position, 2, viewer=2) == position_key(other.position, 2, viewer=2)
    assert believed(turn.position, 2) == believed(other.position, 2)
    assert "c3,e1;b2,e5" in position_key(turn.position, 2, viewer=1)


@on_board
def test_a_power_that_copes_with_her_is_used_silently(turn):
    """The Minotaur pushes c3 to d4 and the foe hears nothing of it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0a 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0. 0. 0A     B to play   A hecate   B minotaur
    """
    played = play(turn, step_named(turn, "b2>c3"))
    assert [happening.hidden for happening in played.happenings] == [False, True]
    assert "c3^d4" in moves(played.turn)
    after(turn, "b2>c3 [c3~d4] !c3^d4")


@on_board
def test_a_push_onto_her_other_worker_is_cancelled(turn):
    """The square behind is not free in truth.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0A 0.
    3   0. 0. 0a 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0. 0. 0.     B to play   A hecate   B minotaur
    """
    played = play(turn, step_named(turn, "b2>c3"))
    assert played.cancelled == "c3"
    assert played.turn.closed
    assert played.turn.position == turn.position


@on_board
def test_a_cut_turn_runs_its_automatic_end(turn):
    """Athena's rise stands, and bans (E2).

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 1. 0a 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0A 0. 0.     B to play   A hecate   B athena
    """
    cut = after(turn, "b2>b3 !b3^c3")
    assert cut.position.holding("athena").note is True


@on_board
def test_medusa_makes_no_stones_in_a_cut_turn(turn):
    """c3 and c4 stand lower than b3; they are stones only if no step met them.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0A 0. 0.
    3   0. 1. 0a 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0. 0. 0.     B to play   A hecate   B medusa
    """
    assert after(turn, "b2>b3 !b3^c4").position.level(12) == 0
    assert after(turn, "b2>b3 b3^b2 [xc3] [b3^c3] [xc4] [b3^c4]").closed


@on_board
def test_a_hero_spends_only_what_happened(turn):
    """Atalanta keeps her power if her second move met a secret, not if her build did.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0A 0. 0.
    3   0. 1. 0a 0. 0.
    2   0. 0B 0. 0. 0.
    1   0. 0. 0. 0. 0.     B to play   A hecate   B atalanta
    """
    assert after(turn, "b2>b3 !b3>c4").position.holding("atalanta")
    assert after(turn, "b2>b3 b3>b4 !b4^c4").position.holding("atalanta") is None


@on_board
def test_her_own_turn_is_an_ordinary_one(turn):
    """She sees everything, and slides in secret before the Harpies.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0A 0B     A to play   A hecate   B harpies
    """
    assert "d1>e1" not in moves(turn)
    played = play(turn, step_named(turn, "a1>b1"))
    assert [happening.hidden for happening in played.happenings] == [False, True]
    assert not any("!" in line for line in lines(turn))
