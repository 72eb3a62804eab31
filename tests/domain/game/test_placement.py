"""Setup without powers: C-7, C-12 .. C-16, C-44, C-45."""

from __future__ import annotations

import pytest

from domain.board.facts import Placed
from domain.board.geometry import NAMES
from domain.game import outlook
from domain.game.commands import PlayNotation
from domain.game.errors import IllegalStep, Refusal
from domain.game.settings import PowersOption
from tests.games import kinds, on_table, started, with_powers


def placed(table):
    return [
        (entry.data.seat, NAMES[entry.data.to], entry.data.sex)
        for entry in table.log
        if isinstance(entry.data, Placed)
    ]


def test_the_start_seat_places_all_its_workers_first():
    """C-14: the start seat puts both workers, then the next seat both of its own."""
    table = started(start_seat=2)
    table.play("+b1 +d1", "+b5", "+d5")
    assert [seat for seat, _, _ in placed(table)] == [2, 2, 1, 1]


def test_a_side_has_two_workers_but_one_in_solo4():
    """C-12, C-43: four sides of one worker each in ``solo4``."""
    table = started("solo4")
    table.play("+a1", "+b1", "+c1", "+d1")
    assert table.game.status == "playing"
    assert len(table.game.position.workers) == 4


def test_the_first_worker_is_female():
    """C-7: of the workers a side places the first is female, the second male."""
    table = started()
    table.play("+b1 +d1", "+b5 +d5")
    assert [sex for _, _, sex in placed(table)] == ["f", "m", "f", "m"]


def test_the_third_worker_is_male():
    """C-7: Graeae's third worker is male."""
    table = with_powers("graeae", "mortal")
    table.play("+b1 +d1 +e1")
    assert [sex for _, _, sex in placed(table)] == ["f", "m", "m"]


def test_workers_go_on_any_unoccupied_square():
    """C-14: 25 squares for the first worker, one fewer for each that stands."""
    table = started()
    assert len(outlook.legal_steps(table.game)) == 25
    table.play("+c3")
    assert len(outlook.legal_steps(table.game)) == 24
    with pytest.raises(IllegalStep) as refused:
        table.play("+c3")
    assert refused.value.reason == "occupied"


def test_one_placement_is_one_decision():
    """Each seat's placement is framed, with a deadline of its own."""
    table = started(turn_seconds=60)
    table.now += 10_000
    entries = table.play("+b1 +d1")
    assert kinds(entries) == ["Placed", "Placed", "TurnEnded", "TurnStarted"]
    assert table.game.clock.deadline == table.now + 60_000
    assert (table.game.clock.kind, table.game.clock.number) == ("placement", 0)


def test_a_placement_may_be_sent_in_parts():
    """What was accepted stands: the seat goes on with its second worker."""
    table = started()
    table.play("+b1")
    assert (table.game.clock.seat, table.game.line) == (1, "+b1")


def test_a_request_ends_with_its_decision():
    """A third worker is refused, and the whole request with it."""
    table = started()
    with pytest.raises(IllegalStep) as refused:
        table.do(PlayNotation(1, "+b1 +d1 +e1"))
    assert (refused.value.reason, refused.value.index) == ("wrong_phase", 2)
    assert table.game.position.workers == ()


def test_the_other_seat_waits():
    """Only the seat whose placement it is may place."""
    with pytest.raises(Refusal) as refused:
        started().do(PlayNotation(2, "+b1"))
    assert refused.value.code == "not_your_turn"


def test_the_start_seat_takes_the_first_turn():
    """C-16: once everybody has placed, the start seat plays turn 1."""
    table = started("trio", start_seat=2)
    table.play("+a1 +a2", "+b1 +b2", "+c1 +c2")
    clock = table.game.clock
    assert (clock.seat, clock.number, clock.kind) == (2, 1, "normal")


def test_turns_go_round_in_seat_order():
    """C-16: after the last seat comes seat 1."""
    table = started("trio", start_seat=3)
    table.play("+a1 +a2", "+e4 +e5", "+c1 +c2")
    table.play("a1>b1 b1^a1")
    assert table.game.clock.seat == 1


def test_recommended_placement_asks_nobody():
    """C-15: b1 (f) and d1 (m) for side 1, b5 and d5 for side 2, whoever starts."""
    table = started(placement="recommended", start_seat=2)
    assert sorted(placed(table)) == [
        (1, "b1", "f"), (1, "d1", "m"), (2, "b5", "f"), (2, "d5", "m"),
    ]  # fmt: skip
    assert (table.game.status, table.game.clock.seat) == ("playing", 2)


def test_recommended_placement_of_a_split_team():
    """C-45: seats 1 and 3 on b1 and d1, seats 2 and 4 on b5 and d5."""
    table = started("team4_split", placement="recommended")
    assert sorted(placed(table)) == [
        (1, "b1", "f"), (2, "b5", "f"), (3, "d1", "m"), (4, "d5", "m"),
    ]  # fmt: skip
    assert table.game.clock.seat == 1


def test_a_split_team_places_before_the_other():
    """C-45: A1 and A2 place their worker, then B1 and B2; A1 takes the first turn."""
    table = started("team4_split", start_seat=2)
    table.play("+a1", "+b1", "+c1", "+d1")
    assert [seat for seat, _, _ in placed(table)] == [2, 4, 3, 1]
    assert table.game.clock.seat == 2


def test_the_first_seats_place_for_their_teams():
    """C-44: A1 places both team-A workers, B1 both of team B, and A2 takes the first turn."""
    table = with_powers("apollo", "artemis", "athena", "atlas", variant="team4")
    table.play("+a1 +b1", "+a5 +b5")
    assert [seat for seat, _, _ in placed(table)] == [1, 1, 2, 2]
    assert (table.game.clock.seat, table.game.clock.number) == (3, 1)


def test_sexes_are_written_where_the_ram_will_want_them():
    """T-60, T-70: the power beside the Ram can still come into play while workers are placed."""
    table = started(powers=PowersOption("golden_fleece", power="selene"))
    table.play("+b1 +d1")
    assert table.game.lines[-1] == "S1 +b1f +d1m"
    plain = started(powers=PowersOption("golden_fleece", power="pan"))
    plain.play("+b1 +d1")
    assert plain.game.lines[-1] == "S1 +b1 +d1"


def test_a_ram_is_placed_after_the_workers():
    """V-4: the start seat places the Ram last, and the other seat takes the first turn."""
    table = started(powers=PowersOption("golden_fleece", power="pan"))
    table.play("+b1 +d1", "+b5 +d5")
    clock = table.game.clock
    assert (clock.kind, clock.seat, outlook.phase(table.game)) == ("setup", 1, "ram")
    table.play("+c3")
    (ram,) = table.game.position.tokens
    assert (NAMES[ram.square], ram.card) == ("c3", "pan")
    assert table.game.clock.seat == 2


def test_bia_is_placed_on_the_perimeter():
    """P-13: her placement rule binds; what it forbids names her."""
    table = with_powers("bia", "mortal")
    with pytest.raises(IllegalStep) as refused:
        table.play("+c3")
    assert (refused.value.reason, refused.value.power) == ("forbidden_by_power", "bia")


def test_hecate_places_last():
    """C-52: Hecate's holder never starts, and her squares are secret."""
    table = with_powers("hecate", "mortal", start_seat="random")
    assert table.game.start_seat == 2
    table.play("+b1 +d1")
    (entry, _) = [e for e in table.play("+b5 +d5") if isinstance(e.data, Placed)]
    assert entry.nonce
    assert entry.hidden == ()


def test_setup_choices_come_in_turn_order():
    """Core section 9: Siren's direction before placement, then the workers."""
    table = with_powers("siren", "mortal")
    assert (table.game.clock.kind, outlook.phase(table.game)) == ("setup", "direction")
    table.play("@arrow:NE")
    assert table.game.position.holding("siren").note == "NE"
    assert table.game.position.tokens == ()
    assert table.game.clock.kind == "placement"


def test_the_abyss_comes_after_placement():
    """Core section 9: Tartarus chooses once all workers stand, and nobody else may know."""
    table = with_powers("tartarus", "mortal")
    table.play("+b1 +d1", "+b5 +d5")
    assert outlook.phase(table.game) == "abyss"
    entries = table.play("@abyss:c3")
    assert entries[0].nonce and entries[1].nonce
    assert table.game.clock.kind == "normal"


def test_a_drawn_board_is_played_on():
    """The helper of the other tests: a board set in the middle of a game.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0b 0. 0B 0.
    1   0. 0a 0. 0A 0.     A to play
    """
    table = on_table(test_a_drawn_board_is_played_on.__doc__)
    table.play("b1>a1 a1^a2")
    assert table.game.clock.seat == 2


def test_choices_come_before_recommended_placement():
    """Core section 9: first the song's direction, then the workers, on their home squares."""
    table = with_powers("siren", "limus", placement="recommended")
    assert table.game.position.figures == ()
    table.play("@arrow:N")
    assert table.game.lines == ("S1 @arrow:N", "S1 +b1 +d1", "S2 +b5 +d5")
    assert table.game.status == "playing"
