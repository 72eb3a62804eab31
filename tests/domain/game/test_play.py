"""Turns: C-17 .. C-34, C-41, the framing of events, refusals."""

from __future__ import annotations

import pytest

from domain.board.facts import Built, Moved, WorkerRemoved
from domain.game import outlook
from domain.game.commands import Play, PlayNotation, Resign
from domain.game.errors import IllegalStep, Refusal
from domain.game.events import Eliminated, Finished, Loser, Resigned, TurnEnded, TurnStarted
from domain.rules.parsing import parse_step
from tests.games import kinds, on_table, started

QUIET = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0b 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play
"""
ABOUT_TO_CLIMB = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0B
    3   0. 0. 3. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A to play
"""
LAST_BREATH = """
        a  b  c  d  e
    5   0b 2. 0. 0. 0.
    4   2. 1. 0. 0. 0A
    3   0. 0. 0a 0. 0.
    2   0. 0. 0. 0. 0.
    1   2* 2* 0. 0. 0.     A to play
"""


def test_a_turn_is_a_move_and_a_build():
    """C-17: both parts are compulsory, in this order, and frame the turn."""
    table = on_table(QUIET)
    entries = table.play("b2>b3 b3^c3")
    assert kinds(entries) == ["Moved", "Built", "TurnEnded", "TurnStarted"]
    assert [entry.actor for entry in entries] == ["player", "player", "server", "server"]
    assert [entry.back for entry in entries] == [0, 0, 1, 2]
    assert entries[-1].data.seat == 2


def test_a_turn_may_be_played_in_parts():
    """Steps already accepted stand; the seat goes on where it is."""
    table = on_table(QUIET)
    table.play("b2>b3")
    assert (table.game.line, outlook.phase(table.game)) == ("b2>b3", "build")
    table.play("b3^c3")
    assert table.game.lines[-1] == "1.S1 b2>b3 b3^c3"


def test_a_request_is_all_or_nothing():
    """The first offending step is named; nothing of the request happens."""
    table = on_table(QUIET)
    with pytest.raises(IllegalStep) as refused:
        table.play("b2>b3 b3^e5")
    assert (refused.value.index, refused.value.reason) == (1, "not_adjacent")
    assert "b3^c3" in refused.value.legal
    assert table.game.line == ""


def test_a_request_stays_within_its_turn():
    """Steps of the next turn are refused, whoever's they are."""
    table = on_table(QUIET)
    with pytest.raises(IllegalStep) as refused:
        table.play("b2>b3 b3^c3 b4>b5")
    assert (refused.value.index, refused.value.reason) == (2, "wrong_phase")


def test_steps_after_a_win_are_refused():
    """C-21: the game stops there, no build."""
    table = on_table(ABOUT_TO_CLIMB)
    with pytest.raises(IllegalStep) as refused:
        table.play("b2>c3 c3^c4")
    assert refused.value.index == 1


def test_at_most_fifty_legal_steps_are_listed():
    """The list in a refusal is cut, however many steps are legal."""
    table = on_table(QUIET)
    with pytest.raises(IllegalStep) as refused:
        table.play("b2>b5")
    assert 0 < len(refused.value.legal) <= 50


def test_only_the_seat_to_act_plays():
    """The other seat is told that it is not its turn."""
    with pytest.raises(Refusal) as refused:
        on_table(QUIET).do(PlayNotation(2, "b4>b5"))
    assert refused.value.code == "not_your_turn"


def test_the_board_changes_by_facts():
    """The live turn is what the facts say: no second bookkeeping."""
    table = on_table(QUIET)
    entries = table.play("b2>b3")
    assert isinstance(entries[0].data, Moved)
    assert table.game.turn.position == table.game.position


def test_a_climb_wins_at_once():
    """C-21: up onto level 3; nobody is to move any more."""
    table = on_table(ABOUT_TO_CLIMB)
    entries = table.play("b2>c3#")
    assert kinds(entries) == ["Moved", "Finished"]
    assert table.game.result == Finished((1,), "climb", (Loser(2, "climb"),))
    assert (table.game.status, table.game.clock, table.game.turn) == ("finished", None, None)
    assert table.game.lines[-1] == "1.S1 b2>c3#"


def test_the_key_of_a_won_game_names_the_winning_turn():
    """T-73: the board of the winning moment, and the turn that won it."""
    table = on_table(ABOUT_TO_CLIMB)
    table.play("b2>c3")
    assert "|c3,e1;e4,e5|S1n|" in table.game.key


def test_a_finished_game_takes_nothing():
    """Every command that plays is ``game_over``."""
    table = on_table(ABOUT_TO_CLIMB)
    table.play("b2>c3")
    for command in (Play(2, (parse_step("e5>d5"),)), Resign(2)):
        with pytest.raises(Refusal) as refused:
            table.do(command)
        assert refused.value.code == "game_over"


def test_a_stuck_seat_loses_in_the_same_command():
    """C-31: the move that leaves no legal turn ends the game, no request needed.

    The worker of B on a5 is walled in by heights 2 once b4 grows.
    """
    table = on_table(LAST_BREATH)
    entries = table.play("c3>c4 c4^b4")
    assert kinds(entries) == ["Moved", "Built", "TurnEnded", "Finished"]
    assert table.game.result == Finished((1,), "stuck", (Loser(2, "stuck"),))
    assert "|S2n|" in table.game.key


def test_a_resignation_off_turn_ends_a_duel():
    """C-34: on or off turn, at once; the steps already played stay."""
    table = on_table(QUIET)
    table.play("b2>b3")
    entries = table.do(Resign(2))
    assert [entry.data for entry in entries] == [
        Resigned(2),
        Finished((1,), "resignation", (Loser(2, "resignation"),)),
    ]
    assert table.game.lines[-1] == "1.S1 b2>b3"


def test_a_seat_may_resign_during_placement():
    """C-34: from the end of the draft on."""
    table = started()
    table.do(Resign(1))
    assert table.game.result.winners == (2,)


def test_a_team_loses_together():
    """C-25: the resignation of one seat is its team's."""
    table = started("team4_split")
    table.do(Resign(2))
    assert table.game.result == Finished(
        (1, 3), "resignation", (Loser(2, "resignation"), Loser(4, "resignation"))
    )


def placed_trio():
    table = started("trio")
    table.play("+a1 +b1", "+a3 +b3", "+a5 +b5")
    return table


def test_an_eliminated_side_leaves_the_table():
    """C-41: its workers go, blocks stay, the others play on."""
    table = placed_trio()
    entries = table.do(Resign(2))
    assert kinds(entries) == ["Resigned", "Eliminated", "WorkerRemoved", "WorkerRemoved"]
    assert table.game.chairs[1].status == "eliminated"
    assert table.game.position.out == (2,)
    assert table.game.clock.seat == 1
    assert table.game.lines[-1] == "out S2 resignation"


def test_the_turn_order_skips_an_eliminated_seat():
    """C-41: after seat 1 comes seat 3."""
    table = placed_trio()
    table.do(Resign(2))
    table.play("a1>a2 a2^a1")
    assert table.game.clock.seat == 3


def test_an_active_seat_that_resigns_ends_its_turn():
    """C-41: without end-of-turn effects; what it built stays."""
    table = placed_trio()
    table.play("a1>a2")
    entries = table.do(Resign(1))
    assert kinds(entries)[:2] == ["Resigned", "Eliminated"]
    assert [type(entry.data) for entry in entries[-2:]] == [TurnEnded, TurnStarted]
    assert table.game.clock.seat == 2
    assert table.game.lines[-2:] == ("1.S1 a1>a2", "out S1 resignation")


def test_the_last_side_wins():
    """C-23: with more than two sides the reason is ``last_side``; each loser keeps its own."""
    table = placed_trio()
    table.do(Resign(3))
    table.do(Resign(1))
    assert table.game.result == Finished(
        (2,), "last_side", (Loser(1, "resignation"), Loser(3, "resignation"))
    )


def test_an_eliminated_seat_cannot_resign_again():
    """The game goes on, but not for this seat."""
    table = placed_trio()
    table.do(Resign(3))
    with pytest.raises(Refusal) as refused:
        table.do(Resign(3))
    assert refused.value.code == "game_over"


def test_a_seat_may_resign_before_its_placement():
    """C-34, C-41: the setup goes on without it."""
    table = started("trio")
    table.do(Resign(2))
    table.play("+a1 +b1")
    assert (table.game.clock.seat, table.game.clock.kind) == (3, "placement")
    table.play("+a5 +b5")
    assert table.game.clock.seat == 1


def test_a_win_ends_the_game_for_all():
    """C-41: somebody's win ends it also where sides have left before.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0B
    3   0. 0. 3. 0. 0.
    2   0. 2a 0. 0. 0c
    1   0. 0. 0. 0C 0A     A to play    trio
    """
    table = on_table(test_a_win_ends_the_game_for_all.__doc__)
    table.do(Resign(3))
    table.play("b2>c3")
    assert table.game.result == Finished(
        (1,), "climb", (Loser(2, "climb"), Loser(3, "resignation"))
    )


def test_stuck_seats_fall_one_after_the_other():
    """C-31, C-41: the next seat is tested at once, and the last side wins.

        a  b  c  d  e
    5   0b 2. 0. 2. 0c
    4   2. 1. 0. 2. 2.
    3   0. 0. 0a 0. 0.
    2   0. 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A     A to play    trio
    """
    table = on_table(test_stuck_seats_fall_one_after_the_other.__doc__)
    entries = table.play("c3>c4 c4^b4")
    assert kinds(entries) == [
        "Moved", "Built", "TurnEnded", "Eliminated", "WorkerRemoved", "Finished",
    ]  # fmt: skip
    assert table.game.result.losers == (Loser(2, "stuck"), Loser(3, "stuck"))


def test_what_an_eliminated_side_leaves_names_it():
    """The removals concern the seat that left."""
    table = placed_trio()
    gone = [e for e in table.do(Resign(2)) if isinstance(e.data, Eliminated | WorkerRemoved)]
    assert {entry.seat for entry in gone} == {2}
    assert {entry.actor for entry in gone} == {"server"}


def test_bracketed_events_are_checked():
    """T-60: brackets are optional, but must be right when given."""
    table = on_table(QUIET)
    with pytest.raises(Refusal) as refused:
        table.play("b2>b3 [c3~b2] b3^c3")
    assert refused.value.code == "validation_failed"
    with pytest.raises(Refusal):
        table.play("b2>b3 b3^c3#")


@pytest.mark.parametrize("text", ["", "hello", "b2>z9", "{S2: -}", "b2>b3 b3^c3%", "!b2>b3"])
def test_what_is_no_playable_notation_is_refused(text):
    """The flaw points at the notation; nothing is played."""
    table = on_table(QUIET)
    with pytest.raises(Refusal) as refused:
        table.play(text)
    assert refused.value.flaws[0].pointer == "/notation"


def test_a_swap_is_written_in_brackets():
    """T-60: Apollo's displaced worker follows from the move, in brackets and as an effect.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0b 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    A apollo
    """
    table = on_table(test_a_swap_is_written_in_brackets.__doc__)
    moved, forced, built, *_ = table.play("b2>b3 [b3~b2] b3^c3")
    assert (moved.back, forced.back, forced.actor) == (0, 1, "server")
    assert isinstance(built.data, Built)
    assert table.game.lines[-1] == "1.S1 b2>b3 [b3~b2] b3^c3"


def test_an_explicit_end_is_a_choice():
    """T-11: ``end`` closes the turn by the seat's own will.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0. 0. 0. 0b
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    A demeter
    """
    table = on_table(test_an_explicit_end_is_a_choice.__doc__)
    table.play("b2>b3 b3^c3")
    assert outlook.can_end(table.game)
    assert outlook.phase(table.game) == "build"
    (ended, started_turn) = table.play(".")
    assert (ended.data.explicit, ended.back, ended.actor) == (True, 0, "player")
    assert started_turn.back == 1
    assert table.game.lines[-1] == "1.S1 b2>b3 b3^c3 ."
