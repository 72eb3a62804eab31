"""The clock: C-35 .. C-40."""

from __future__ import annotations

import pytest

from domain.board.facts import Chosen
from domain.board.geometry import NAMES
from domain.game import outlook
from domain.game.commands import RestartClock, TimeOut
from domain.game.errors import Refusal
from domain.game.events import ClockRestarted, Finished, Loser, TimedOut
from domain.game.settings import PowersOption
from tests.games import NOON, kinds, on_table, started, with_powers

QUIET = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0b 0. 0B 0.
    3   0. 0. 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play
"""


def test_one_clock_runs_for_a_whole_turn():
    """C-35: a step does not move the deadline; the next turn has its own."""
    table = on_table(QUIET, turn_seconds=60)
    before = table.game.clock.deadline
    table.now += 5_000
    table.play("b2>b3")
    assert table.game.clock.deadline == before
    table.play("b3^c3")
    assert table.game.clock.deadline == table.now + 60_000


def test_without_a_limit_there_is_no_deadline():
    """C-35: a game may have no clock; then nothing is ever due."""
    table = on_table(QUIET, turn_seconds=None)
    assert table.game.clock.deadline is None
    with pytest.raises(Refusal) as refused:
        table.do(TimeOut())
    assert refused.value.code == "not_due"


def test_no_clock_fires_early():
    """Before the deadline nothing is due."""
    table = on_table(QUIET)
    with pytest.raises(Refusal) as refused:
        table.do(TimeOut())
    assert refused.value.code == "not_due"


def test_the_server_plays_for_an_absent_seat():
    """C-36: a whole turn, the smallest line of the fewest steps; its line ends in ``%``."""
    table = on_table(QUIET)
    entries = table.time_out()
    assert kinds(entries) == ["TimedOut", "Moved", "Built", "TurnEnded", "TurnStarted"]
    assert {entry.actor for entry in entries} == {"server"}
    assert [entry.back for entry in entries] == [0, 0, 0, 1, 2]
    assert table.game.lines[-1] == "1.S1 b2>a1 a1^a2%"
    assert table.game.clock.deadline == table.now + 86_400_000


def test_the_server_completes_a_partial_turn():
    """C-36: steps already played stand."""
    table = on_table(QUIET)
    table.play("d2>d3")
    table.time_out()
    assert table.game.lines[-1] == "1.S1 d2>d3 d3^c2%"


def test_the_server_takes_a_win():
    """C-36 point 1: a completion that wins comes first.

        a  b  c  d  e
    5   0. 0. 0. 0. 0b
    4   0. 0. 0. 0. 0B
    3   0. 0. 3. 0. 0.
    2   0. 2a 0. 0. 0.
    1   0. 0. 0. 0. 0A     A to play
    """
    table = on_table(test_the_server_takes_a_win.__doc__)
    table.time_out()
    assert table.game.result.winners == (1,)
    assert table.game.lines[-1] == "1.S1 b2>c3%#"


def test_the_third_time_out_in_a_row_loses():
    """C-37: instead of another automatic turn, even with a winning move at hand."""
    table = on_table(QUIET)
    for _ in range(2):
        table.time_out()
        table.play(outlook.texts(outlook.legal_steps(table.game))[0])
        table.play(outlook.texts(outlook.legal_steps(table.game))[0])
    entries = table.time_out()
    assert [entry.data for entry in entries] == [
        TimedOut(1, 3),
        Finished((2,), "timeouts", (Loser(1, "timeouts"),)),
    ]


def test_an_own_turn_resets_the_count():
    """C-37: the count goes back to zero when the seat finishes a turn by itself."""
    table = on_table(QUIET)
    table.time_out()
    assert table.game.chairs[0].consecutive_timeouts == 1
    table.play("b4>b5 b5^b4", "a1>b1 b1^a1")
    assert table.game.chairs[0].consecutive_timeouts == 0


def test_a_team_loses_by_one_seats_time_outs():
    """C-25, C-37: the whole team loses."""
    table = started("team4_split", placement="recommended")
    for _ in range(9):
        table.time_out()
    assert table.game.result.reason == "timeouts"
    assert table.game.result.losers == (Loser(1, "timeouts"), Loser(3, "timeouts"))


def test_a_third_side_goes_on_after_a_time_out():
    """C-37, C-41: with three sides the absent one is eliminated, and the others play on."""
    table = started("trio")
    for _ in range(6):
        table.time_out()
    entries = table.time_out()
    assert kinds(entries)[:3] == ["TimedOut", "Eliminated", "WorkerRemoved"]
    assert table.game.clock.seat == 2
    assert table.game.lines[-1] == "out S1 timeouts"
    assert table.game.chairs[0].consecutive_timeouts == 3


def test_the_server_places_at_random():
    """C-39: on legal squares, recorded, until the seat's placement is complete."""
    table = started()
    table.play("+b1")
    entries = table.time_out()
    assert kinds(entries) == ["TimedOut", "Placed", "TurnEnded", "TurnStarted"]
    assert table.game.chairs[0].consecutive_timeouts == 1
    assert table.game.lines == (f"S1 +b1 +{NAMES[entries[1].data.to]}%",)


def test_random_placement_depends_on_the_dice_alone():
    """C-39: different dice, different squares, all of them legal."""
    squares = {started(seed=seed).time_out()[1].data.to for seed in range(40)}
    assert len(squares) > 10


def test_the_server_completes_an_offer():
    """C-38: at random, with compatible powers."""
    table = started(start_seat="random", powers=PowersOption("draft"))
    entries = table.time_out()
    chosen = [entry for entry in entries if isinstance(entry.data, Chosen)]
    assert [entry.data.name for entry in chosen[:2]] == ["offer", "offer"]
    assert len(set(table.game.offer)) == 2


def test_the_server_names_the_lowest_order_aid():
    """C-38, V-22: with nothing forced, the holder of the lowest non-negative aid starts."""
    table = started(start_seat="random", powers=PowersOption("draft"))
    table.play("=offer:hera", "=offer:pan", "=power:pan")
    assert outlook.phase(table.game) == "start_seat"
    table.time_out()
    assert table.game.start_seat == 1


def test_time_outs_in_the_draft_count():
    """C-37, C-38: they are counted like any other."""
    table = started(start_seat="random", powers=PowersOption("draft"))
    table.time_out()
    assert table.game.chairs[0].consecutive_timeouts == 1


def test_a_restarted_clock_has_a_fresh_deadline():
    """An outage never costs a game: the turn gets its whole time again."""
    table = on_table(QUIET, turn_seconds=60)
    table.now += 600_000
    (entry,) = table.do(RestartClock("outage"))
    assert entry.data == ClockRestarted(1, table.now + 60_000, "outage")
    assert (entry.actor, table.game.clock.deadline) == ("server", table.now + 60_000)


def test_a_clock_may_be_set():
    """Resuming after a pause shifts a deadline by the length of the pause."""
    table = on_table(QUIET)
    table.do(RestartClock("resumed", NOON + 1))
    assert table.game.clock.deadline == NOON + 1


GAEA_ASKED = """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0b
    3   0. 3. 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    B gaea=2
"""


def test_an_interrupt_has_a_clock_of_its_own():
    """C-35, T-50: it bears the number of the turn it suspends, which gets the time it had left."""
    table = on_table(GAEA_ASKED, turn_seconds=60)
    table.now += 20_000
    table.play("b2>a2 a2^b3*")
    clock = table.game.clock
    assert (clock.seat, clock.kind, clock.number) == (2, "interrupt", 1)
    assert clock.deadline == table.now + 60_000
    assert outlook.phase(table.game) == "place_worker"
    table.now += 30_000
    entries = table.play("+c3")
    assert kinds(entries)[:3] == ["WorkerPlaced", "TurnEnded", "ClockRestarted"]
    assert entries[2].data == ClockRestarted(1, table.now + 40_000, "interrupt")
    assert table.game.lines[-1] == "1.S1 b2>a2 a2^b3* {S2: +c3}"


def test_an_interrupt_that_times_out_is_declined():
    """C-40: and it neither raises nor resets the count of C-37."""
    table = on_table(GAEA_ASKED)
    table.play("b2>a2 a2^b3*")
    entries = table.time_out()
    assert kinds(entries)[:3] == ["TimedOut", "Passed", "TurnEnded"]
    assert entries[0].data.count == 0
    assert table.game.chairs[1].consecutive_timeouts == 0
    assert table.game.lines[-1] == "1.S1 b2>a2 a2^b3* {S2: -}"


def test_the_clock_goes_on_after_the_answer():
    """C-36, T-50: Gaea is asked in a turn the server plays, too, and it is closed by her answer.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0b
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   3a 0. 0. 0. 0A     A to play    B gaea=2
    """
    table = on_table(test_the_clock_goes_on_after_the_answer.__doc__)
    table.time_out()
    assert (table.game.line, table.game.clock.seat) == ("a1>a2 a2^a1*", 2)
    table.play("+b1")
    assert table.game.lines[-1] == "1.S1 a1>a2 a2^a1* {S2: +b1}%"
    assert table.game.chairs[0].consecutive_timeouts == 1


def test_an_extra_turn_not_begun_is_declined():
    """C-40, T-45: and nothing of it stands in the record; it counts as a turn.

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0b
    3   0. 3. 0. 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    A dionysus
    """
    table = on_table(test_an_extra_turn_not_begun_is_declined.__doc__)
    table.play("b2>a2 a2^b3*")
    clock = table.game.clock
    assert (clock.seat, clock.kind, clock.number) == (1, "dionysus", 2)
    before = table.game.lines
    entries = table.time_out()
    assert kinds(entries) == ["TimedOut", "TurnEnded", "TurnStarted"]
    assert table.game.lines == before
    assert table.game.chairs[0].consecutive_timeouts == 1
    assert table.game.clock.number == 3


def test_a_power_setup_choice_is_made_at_random():
    """C-39: the server goes on until the seat's setup step is complete; secrets stay secret."""
    table = with_powers("moerae", "mortal")
    entries = table.time_out()
    assert [kind for kind in kinds(entries) if kind == "Chosen"] == ["Chosen"]
    assert all(e.nonce for e in entries if isinstance(e.data, Chosen))
