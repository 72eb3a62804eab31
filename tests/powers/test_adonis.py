"""Adonis (P-47): two who must stay together, if that is possible (T-34)."""

from __future__ import annotations

from domain.rules.engine import close_turn, explain
from domain.rules.parsing import parse_step
from tests.boards import after, clock, moves, on_board


@on_board
def test_the_choice_spends_and_binds_one_turn(turn):
    """The pact outlives the turn, and is gone when the foe's turn has closed.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0B 0.
    2   0. 0a 0. 0. 0.
    1   0. 0. 0. 0. 0b     A adonis
    """
    turn = after(turn, "b2>c2 c2^b2")
    assert moves(turn) == {".", "=pair:c2-d3", "=pair:c2-e1"}
    chosen = after(turn, "=pair:c2-d3")
    assert chosen.position.holding("adonis") is None
    closing = close_turn(chosen)
    assert len(closing.position.pacts) == 1


@on_board
def test_a_win_that_parts_the_pair_is_not_lawful(turn):
    """b3 could win on b4, away from a2, as long as another turn keeps the pair together.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 3. 0. 0. 0.
    3   0. 2b 0. 0. 0.
    2   0A 0. 0. 0. 0.
    1   0. 0. 0. 0. 0B     B to play   pair a2-b3
    """
    assert "b3>b4" not in moves(turn)
    reason = explain(turn, parse_step("b3>b4"))
    assert (reason.code, reason.power) == ("obligation_unmet", "adonis")
    assert "b3>b2" in moves(turn)


@on_board
def test_what_cannot_be_fulfilled_binds_nobody(turn):
    """a1 and e5 are too far apart for one turn.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0.     B to play   pair a1-e5
    """
    assert len(moves(turn)) == 3


@on_board
def test_a_foe_who_needs_his_hero_power_is_not_forced_to_spend_it(turn):
    """Atalanta could reach a1 by several moves: she need not, but once she starts she must.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0.     B to play   pair a1-e5   B atalanta
    """
    turn = after(turn, "e5>d4")
    assert "d4^e5" in moves(turn)
    turn = after(turn, "d4>c4")
    assert not any("^" in step for step in moves(turn))
    assert "b3^a3" not in moves(after(turn, "c4>b3"))
    assert "b2^a3" in moves(after(turn, "c4>b3 b3>b2"))


@on_board
def test_removing_the_partner_is_no_way_out(turn):
    """Bia may not kill a2 by moving to c2: other turns keep b2 next to it.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0A 0. 0b 0. 0.
    1   0. 0. 0. 0. 0B     B to play   pair a2-c2   B bia
    """
    assert moves(turn) == {"c2>b1", "c2>b3"}


@on_board
def test_the_clock_chooses_nobody(turn):
    """It is a may, and a hero's.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0B 0.
    2   0. 0. 0. 0. 0.
    1   0a 0. 0. 0. 0.     A adonis
    """
    assert clock(turn) == "a1>a2 a2^a1 ."
