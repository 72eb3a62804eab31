"""Whole games: random playouts, records written, read back and checked (T-60 .. T-62)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.board.facts import Moved, PowerLost
from domain.game.checking import first_flaw
from domain.game.commands import Create, Resign
from domain.game.decide import Context
from domain.game.errors import Refusal
from domain.game.evolve import fold
from domain.game.lines import running
from domain.game.outlook import legal_steps, texts
from domain.game.rebuild import rebuild
from domain.game.record import BadRecord, parse_record, record_text
from domain.game.settings import PowersOption, Settings
from tests.games import NOON, GameTable, SeededDice, on_table, started, with_powers

MORTAL = [
    ("duel", "free"), ("duel", "recommended"), ("trio", "free"), ("solo4", "free"),
    ("team4_split", "free"), ("team4_split", "recommended"),
]  # fmt: skip
DEALT = [
    ("duel", PowersOption("random")),
    ("trio", PowersOption("random")),
    ("team4", PowersOption("random")),
    ("duel", PowersOption("draft")),
    ("duel", PowersOption("draft", order="bga", offer="limited")),
    ("trio", PowersOption("draft", order="bga")),
    ("team4", PowersOption("draft", offer="quick")),
    ("duel", PowersOption("golden_fleece")),
    ("duel", PowersOption("golden_fleece", offer="draft")),
    ("duel", PowersOption("fixed", seats=("nyx", "jason"))),
    ("duel", PowersOption("fixed", seats=("circe", "morpheus"))),
    ("trio", PowersOption("fixed", seats=("chaos", "tyche", "aeolus"))),
]


LOSSES = {"spent", "stolen", "returned", "replaced", "set_aside", "ram", "eliminated"}
"""Why a power is lost (contract, section 6)."""


def again(table):
    context = Context(NOON, SeededDice(99))
    return fold(rebuild(record_text(table.game, "all"), context))


def keeps_the_laws(table):
    assert fold(table.log) == table.game
    assert first_flaw(table.log) is None
    assert [entry.seat for entry in table.log if entry.back < 0] == []
    assert {e.data.reason for e in table.log if isinstance(e.data, PowerLost)} <= LOSSES


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("variant", "placement"), MORTAL)
def test_mortal_games_come_to_an_end(variant, placement, seed):
    """C-10, C-75: every step offered can be finished, every game ends, folding is the live game."""
    table = started(variant, seed, placement=placement, start_seat="random").play_randomly()
    assert table.game.result is not None
    assert table.game.numbered <= 72
    assert all(left >= 0 for left in table.game.position.supply())
    keeps_the_laws(table)
    assert again(table).key == table.game.key


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("variant", "powers"), DEALT)
def test_games_with_powers_keep_the_laws(variant, powers, seed):
    """Folding the entries equals the live game, and the rules would write the same log again."""
    start = "random" if powers.mode == "draft" else 1
    table = started(variant, seed, powers=powers, start_seat=start).play_randomly(limit=40)
    keeps_the_laws(table)


def test_a_record_reads_as_the_contract_shows():
    """T-62: variant, powers, start, placements, numbered turns, result."""
    table = with_powers("athena", "apollo")
    table.play("+b2 +d4", "+b4 +d2", "b2>b3 b3^c3")
    table.time_out()
    table.do(Resign(2))
    assert record_text(table.game) == (
        "variant duel/gods\n"
        "powers S1=athena S2=apollo\n"
        "start S1\n"
        "S1 +b2 +d4\n"
        "S2 +b4 +d2\n"
        "1.S1 b2>b3 b3^c3\n"
        "2.S2 b4>a3 a3^a2%\n"
        "result S1 resignation\n"
    )


def test_a_draft_stands_before_the_powers():
    """Contract, section 6: the draft's lines, then what came of it."""
    table = started(start_seat="random", powers=PowersOption("draft"))
    table.play("=offer:apollo =offer:athena", "=power:athena", "=start_seat:S2", "+b2 +d4")
    assert record_text(table.game) == (
        "variant duel/gods\n"
        "S1 =offer:apollo =offer:athena\n"
        "S2 =power:athena\n"
        "S1 =start_seat:S2\n"
        "powers S1=apollo S2=athena\n"
        "start S2\n"
        "S2 +b2 +d4\n"
    )


def test_a_draft_is_not_mixed_with_workers_placed_by_the_server():
    """C-15: placements the server makes after a seat's draft decision have a line of their own."""
    powers = PowersOption("draft", groups=("simple",), offer="quick")
    table = started("duel", 3, powers=powers, start_seat="random", placement="recommended")
    while table.game.status == "drafting":
        table.play(texts(legal_steps(table.game))[0])
    lines = record_text(table.game).splitlines()
    assert "S1 +b1 +d1" in lines
    assert "S2 +b5 +d5" in lines
    assert again(table).key == table.game.key


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("variant", "powers"),
    [
        ("duel", ("tyche", "mortal")),
        ("duel", ("chaos", "tyche")),
        ("duel", ("circe", "tyche")),
        ("trio", ("chaos", "athena", "pan")),
        ("team4", ("chaos", "tyche", "zeus", "siren")),
    ],
)
def test_decks_are_told_and_dealt_again(variant, powers, seed):
    """T-62: what chance decided stands in the record, so that it can be played again exactly."""
    table = with_powers(*powers, variant=variant, seed=seed).play_randomly()
    assert again(table).key == table.game.key
    known = record_text(table.game)
    assert f" {'tyche' if 'tyche' in powers else 'chaos'}=" not in known
    with pytest.raises(Refusal) as refused:
        rebuild(known, Context(NOON, SeededDice(1)))
    assert "deck" in refused.value.flaws[0].detail


def test_a_deck_newly_shuffled_is_an_order_of_its_own():
    """P-56: the six brings all cards back; between two shuffles nothing is added."""
    table = with_powers("tyche", "mortal", seed=4).play_randomly()
    orders = [order for power, order in table.game.shuffles if power == "tyche"]
    sixes = sum(getattr(entry.data, "card", "") == "six" for entry in table.log)
    assert len(orders) == 1 + sixes
    assert all(sorted(order) == ["blank"] * 5 + ["six"] for order in orders)


def test_a_forged_deck_is_found_out():
    """Cards that are not those of the deck cannot have been dealt."""
    table = with_powers("tyche", "mortal", seed=4).play_randomly()
    text = record_text(table.game, "all").replace("tyche=", "tyche=six+", 1)
    with pytest.raises(Refusal):
        rebuild(text, Context(NOON, SeededDice(1)))


def test_sexes_stand_where_they_matter():
    """T-60, T-70: ``+b1f`` where the key shows sexes."""
    table = with_powers("selene", "mortal")
    table.play("+b1 +d1")
    assert table.game.lines == ("S1 +b1f +d1m",)


@pytest.mark.parametrize("seed", range(3))
def test_a_record_is_read_back(seed):
    """The import plays every step again and comes to the same end."""
    table = started("trio", seed).play_randomly(limit=6)
    table.time_out()
    table.do(Resign(2))
    table.play_randomly()
    rebuilt = again(table)
    assert rebuilt.imported
    assert rebuilt.settings.turn_seconds is None
    assert (rebuilt.key, rebuilt.result) == (table.game.key, table.game.result)
    assert record_text(rebuilt) == record_text(table.game)


def test_a_running_game_is_read_back():
    """A record without a result is a game still to be played."""
    table = with_powers("siren", "gaea")
    table.play("@arrow:N", "+b2 +d4", "+b4 +d2", "b2>b3 b3^c3")
    rebuilt = again(table)
    assert (rebuilt.status, rebuilt.clock.seat) == ("playing", 2)
    assert rebuilt.key == table.game.key


def test_a_night_power_is_read_back():
    """V-24: where no draft named it, the record does."""
    table = with_powers("nyx", "mortal").play_randomly(limit=3)
    assert f"night={table.game.night_power}" in record_text(table.game)
    assert again(table).night_power == table.game.night_power


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 1),
        ("start S1", 1),
        ("variant chess/none", 1),
        ("variant duel/none\nS9 +b1 +d1", 2),
        ("variant duel/none\nstart S1\nS1 +b1 +z9", 3),
        ("variant duel/none\nS1 +? +?", 2),
        ("variant duel/gods\npowers S1:pan", 2),
        ("variant duel/none\nresult S1 climb\nS1 +b1", 3),
    ],
)
def test_what_is_no_record_is_refused(text, number):
    """The line is named."""
    with pytest.raises(BadRecord) as bad:
        parse_record(text)
    assert bad.value.number == number


@pytest.mark.parametrize(
    "lines",
    [
        "start S1\nS1 +b1 +b1",
        "start S1\nS2 +b1 +d1",
        "start S1\nS1 +b1 +d1\nS2 +b5 +d5\n1.S1 b1>b3 b3^b4",
        "start S1\nS1 +b1 +d1\nS2 +b5 +d5\n1.S1 b1>b2 [b2~b1] b2^b3",
        "start S1\nS1 +b1 +d1\nS2 +b5 +d5\n2.S1 b1>b2 b2^b3",
        "start S1\nS1 +b1 +d1\nS2 +b5 +d5\n1.S1 b1>b2 b2^b3 b5>b4",
        "start S1\nS1 +b1 +d1\nS2 +b5 +d5\nresult S1 climb",
        "powers S1=gaea S2=atlas\nstart S1",
        "powers S1=tyche S2=pan\nstart S1",
    ],
)
def test_a_record_that_cannot_have_happened_is_refused(lines):
    """Replay-checked: nothing is imported that the rules forbid."""
    mode = "gods" if "powers" in lines else "none"
    with pytest.raises(Refusal):
        rebuild(f"variant duel/{mode}\n{lines}\n", Context(NOON, SeededDice()))


def test_secrets_are_blank_until_the_end():
    """T-51, T-60: Hecate's placements, moves and builders are ``?``, in full in her own record."""
    table = with_powers("mortal", "hecate")
    table.play("+b1 +d1", "+b5 +d5", "b1>b2 b2^a1", "b5>b4 b4^a4")
    assert record_text(table.game).splitlines()[4:] == [
        "S2 +? +?",
        "1.S1 b1>b2 b2^a1",
        "2.S2 ?>? ?^a4",
    ]
    assert record_text(table.game, 1) == record_text(table.game)
    assert "2.S2 b5>b4 b4^a4" in record_text(table.game, 2)
    table.do(Resign(1))
    assert "2.S2 b5>b4 b4^a4" in record_text(table.game)


def test_the_running_line_is_shown_by_the_same_rule():
    """What a viewer may not know is absent from ``turn.steps`` too."""
    table = with_powers("mortal", "hecate")
    table.play("+b1 +d1", "+b5 +d5", "b1>b2 b2^a1", "b5>b4")
    assert running(table.game, None) == "?>?"
    assert running(table.game, 2) == "b5>b4"


def test_the_fate_square_is_blank():
    """T-51: Moerae's choice."""
    table = with_powers("moerae", "mortal")
    table.play("=fate:b2")
    assert "=fate:?" in record_text(table.game, 2)
    assert "=fate:b2" in record_text(table.game, 1)


def test_a_step_that_meets_a_secret_is_cancelled():
    """P-39: accepted, undone, and what the request holds after it is dropped.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0B
    3   0. 0. 0b 0. 0.
    2   0. 0a 0. 0A 0.
    1   0. 0. 0. 0. 0.     A to play    B hecate
    """
    table = on_table(test_a_step_that_meets_a_secret_is_cancelled.__doc__)
    table.play("b2>c3 c3^c4")
    assert table.game.lines[-1] == "1.S1 !b2>c3"
    assert table.game.clock.seat == 2


def test_a_changed_log_is_found_out():
    """The first version that does not follow from the game before it is named."""
    table = started("duel", 3).play_randomly()
    at = next(i for i, e in enumerate(table.log) if isinstance(e.data, Moved))
    forged = list(table.log)
    forged[at] = replace(forged[at], data=Moved(0, 24, forged[at].seat))
    assert first_flaw(forged).version == at + 1
    assert first_flaw(table.log[:at] + table.log[at + 1 :]) is not None


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_challenger_is_no_flaw(seed):
    """V-4: with a chosen start seat and a host who only watches, the draft's lead is drawn."""
    table = GameTable(seed=seed)
    powers = PowersOption("golden_fleece", offer="draft")
    table.do(Create(Settings(powers=powers, start_seat=1), None))
    table.sit_down()
    assert first_flaw(table.log) is None


def test_a_turn_cut_by_an_exit_ends_where_it_ended():
    """C-41: what is left of the turn stands behind the exit, be it its end alone."""
    table = with_powers("poseidon", "ares", "prometheus", variant="trio")
    table.play("+a1 +e1", "+a3 +a5", "+e3 +e5", "a1>b2 b2^b1 e1^d1")
    table.do(Resign(3))
    table.play(".", "a3>b4")
    assert table.game.lines[-3:] == ("1.S1 a1>b2 b2^b1 e1^d1", "out S3 resignation", "1.S1 .")
    assert again(table).key == table.game.key
