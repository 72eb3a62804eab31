"""Looking ahead without playing: legal steps, ``after``, phases, whole turns, secrets."""

from __future__ import annotations

import pytest

from domain.game import outlook
from domain.game.errors import IllegalStep, Refusal
from domain.game.settings import PowersOption
from tests.games import GameTable, on_table, started, with_powers

QUIET = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0b 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play
"""
GAEA_ASKED = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0b
    3   0. 3. 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    B gaea=2
"""


def test_nobody_is_to_move_before_the_start():
    """An empty list, no seat, no phase; nothing can be looked ahead."""
    game = GameTable().game
    assert outlook.prospect(game) == outlook.NOTHING
    assert (outlook.seat_to_act(game), outlook.phase(game)) == (None, "")
    with pytest.raises(Refusal):
        outlook.prospect(game, "b1>b2")


def test_steps_are_sorted_and_unique():
    """Sorted by notation, no duplicates: computed by the code that validates."""
    texts = outlook.texts(outlook.legal_steps(on_table(QUIET).game))
    assert texts == sorted(set(texts))
    assert texts[0] == "b2>a1"


def test_a_turn_can_be_looked_along():
    """``after`` commits nothing."""
    game = on_table(QUIET).game
    found = outlook.prospect(game, "b2>b3")
    assert found.seat == 1
    assert "b3^c3" in outlook.texts(found.steps)
    assert outlook.prospect(game, "b2>b3 b3^c3") == outlook.NOTHING


def test_looking_along_a_wrong_step_is_refused():
    """The first step that is not legal is named."""
    with pytest.raises(IllegalStep) as refused:
        outlook.prospect(on_table(QUIET).game, "b2>b3 b3>b4")
    assert refused.value.index == 1


def test_looking_beyond_the_turn_is_refused():
    """The next turn is another question."""
    with pytest.raises(IllegalStep) as refused:
        outlook.prospect(on_table(QUIET).game, "b2>b3 b3^c3 b4>b5")
    assert (refused.value.index, refused.value.reason) == (2, "wrong_phase")


def test_what_is_no_notation_is_refused():
    """The flaw names the parameter."""
    with pytest.raises(Refusal) as refused:
        outlook.prospect(on_table(QUIET).game, "b2->b3")
    assert refused.value.flaws[0].pointer == "after"


def test_an_interrupt_can_be_looked_through():
    """``after`` may hold the answers of other seats; the seat asked is the one to act."""
    game = on_table(GAEA_ASKED).game
    asked = outlook.prospect(game, "b2>a2 a2^b3*")
    assert asked.seat == 2
    assert "+c3" in outlook.texts(asked.steps)
    assert outlook.prospect(game, "b2>a2 a2^b3* {S2: -}") == outlook.NOTHING
    with pytest.raises(IllegalStep):
        outlook.prospect(game, "b2>a2 a2^b3* -")


def test_the_seat_asked_looks_ahead_without_braces():
    """As it answers: braces are for other seats' answers, and may stand around one's own."""
    table = on_table(GAEA_ASKED)
    table.play("b2>a2 a2^b3*")
    assert outlook.seat_to_act(table.game) == 2
    for answer in ("-", "+c3", "{S2: +c3}"):
        assert outlook.prospect(table.game, answer) == outlook.NOTHING
    with pytest.raises(IllegalStep) as refused:
        outlook.prospect(table.game, "+c3 +c4")
    assert refused.value.index == 1


def test_a_placement_can_be_looked_along():
    """Within the running decision of the seat."""
    game = started().game
    assert len(outlook.legal_steps(game, "+b1")) == 24
    assert outlook.prospect(game, "+b1 +d1") == outlook.NOTHING
    with pytest.raises(IllegalStep) as refused:
        outlook.prospect(game, "+b1 +d1 +e1")
    assert refused.value.index == 2


def test_an_offer_can_be_looked_along():
    """What can still be offered depends on what was."""
    game = started(start_seat="random", powers=PowersOption("draft")).game
    assert "=offer:atlas" not in outlook.texts(outlook.legal_steps(game, "=offer:gaea"))
    assert outlook.prospect(game, "=offer:gaea =offer:pan") == outlook.NOTHING


def test_end_is_told():
    """T-11: ``end`` is a step where something optional is left."""
    table = with_powers("demeter", "mortal")
    table.play("+b1 +d1", "+b5 +d5", "b1>b2 b2^b3")
    assert outlook.can_end(table.game)
    assert not outlook.can_end(table.game, "b2^a3")


def test_phases_follow_the_turn():
    """Turn model, section 2: the first phase in which a step is still legal."""
    table = on_table(QUIET)
    assert outlook.phase(table.game) == "move"
    table.play("b2>b3")
    assert outlook.phase(table.game) == "build"


def test_odysseus_begins_with_the_start_of_the_turn():
    """P-53: his forces are marked *start of turn*.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0b 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    A odysseus
    """
    table = on_table(test_odysseus_begins_with_the_start_of_the_turn.__doc__)
    assert outlook.phase(table.game) == "start"


def test_charons_force_belongs_to_the_move():
    """Turn model, section 2: what is marked *your move* comes before the move, in its phase.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0b 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    A charon
    """
    assert outlook.phase(on_table(test_charons_force_belongs_to_the_move.__doc__).game) == "move"


def test_jasons_new_worker_comes_with_its_move():
    """P-51: where only the worker on his card can move, its arrival opens the move phase.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0b 0. 0. 0.
    2   2. 2. 2. 0. 0.
    1   0a 0A 2. 0. 0.     A to play    A jason
    """
    table = on_table(test_jasons_new_worker_comes_with_its_move.__doc__)
    steps = outlook.texts(outlook.legal_steps(table.game))
    assert steps and all(step.startswith("+") for step in steps)
    assert outlook.phase(table.game) == "move"


def test_ares_ends_with_a_removal():
    """P-12: once only *end of your turn* steps are left, the phase is ``end``.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0b 0. 0. 0.
    2   0. 0a 0. 0A 1.
    1   0. 0. 0. 0. 0.     A to play    A ares
    """
    table = on_table(test_ares_ends_with_a_removal.__doc__)
    table.play("b2>a2 a2^a1")
    assert outlook.phase(table.game) == "end"


def test_whole_turns_lead_to_different_positions():
    """T-63: one canonical turn a result, sorted by line."""
    turns, truncated = outlook.legal_turns(on_table(QUIET).game)
    assert not truncated
    assert [turn.line for turn in turns] == sorted(turn.line for turn in turns)
    assert len({turn.key for turn in turns}) == len(turns)
    assert outlook.winners_of(on_table(QUIET).game, turns[0].winner) == ()


def test_whole_turns_are_cut_at_the_limit():
    """``truncated`` says that there are more."""
    turns, truncated = outlook.legal_turns(on_table(QUIET).game, limit=5)
    assert (len(turns), truncated) == (5, True)


def test_whole_turns_go_on_from_after():
    """What is still to be played after the steps given."""
    turns, _ = outlook.legal_turns(on_table(QUIET).game, "b2>b3")
    assert all(turn.line.startswith("b3^") for turn in turns)


def test_there_are_no_whole_turns_in_a_placement():
    """Outside whole turns the list is empty."""
    assert outlook.legal_turns(started().game) == ([], False)


def test_a_seat_with_a_secret_acts_in_secret():
    """T-51: others get no list while Hecate is to act; a deck unseen by all is no such secret."""
    table = with_powers("hecate", "mortal", start_seat="random")
    table.play("+b1 +d1")
    assert outlook.acts_in_secret(table.game)
    assert not outlook.acts_in_secret(with_powers("tyche", "mortal").game)


def test_hecate_reads_her_foes_turns_with_her_own_key():
    """T-74: the turns are those the foe is offered, their keys show her where her workers stand.

    A turn that runs into one of them has none: it cannot be played to its end.
    """
    table = with_powers("hecate", "mortal", start_seat="random")
    table.play("+b2 +d2", "+b4 +b3")
    theirs = {turn.line: turn.key for turn in outlook.legal_turns(table.game, "", 5_000, 2)[0]}
    hers = {turn.line: turn.key for turn in outlook.legal_turns(table.game, "", 5_000, 1)[0]}
    assert set(hers) == set(theirs)
    assert "|?,?;" in theirs["b2>a2 a2^a1"]
    assert (
        hers["b2>a2 a2^a1"] == "duel/gods|00000/00000/00000/00000/10000|b3,b4;a2,d2|S1n|hecate:;||"
    )
    assert hers["b2>b3 b3^a2"] is None and hers["b2>a2 a2^b3"] is None
    table.play("b2>a2 a2^a1")
    assert table.game.key_for(1) == hers["b2>a2 a2^a1"]


def test_hecates_opponent_is_offered_the_visible_board():
    """T-38, T-52: the legal steps do not depend on where her workers stand."""
    lists = []
    for squares in ("+b2 +d2", "+c3 +c4"):
        table = with_powers("hecate", "mortal", start_seat="random")
        table.play("+b1 +d1", squares)
        lists.append(outlook.texts(outlook.legal_steps(table.game)))
    assert lists[0] == lists[1]
