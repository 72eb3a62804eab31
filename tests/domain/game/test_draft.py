"""Choosing powers: C-50 .. C-54, V-4, V-20, V-24."""

from __future__ import annotations

from itertools import combinations

import pytest

from domain.board.facts import Chosen, PowerGained
from domain.game import outlook, pool
from domain.game.commands import Resign
from domain.game.errors import IllegalStep, Refusal
from domain.game.events import Offered, Started
from domain.game.settings import PowersOption
from tests.games import kinds, started, with_powers


def draft(variant="duel", seed=0, **powers):
    return started(variant, seed, start_seat="random", powers=PowersOption("draft", **powers))


def offered(table):
    return outlook.texts(outlook.legal_steps(table.game))


def test_the_challenger_is_the_creator():
    """C-51 point 1: the creator of the table chooses the offer."""
    table = draft()
    assert (table.game.status, table.game.clock.seat, table.game.clock.kind) == (
        "drafting", 1, "draft",
    )  # fmt: skip
    assert outlook.phase(table.game) == "offer"


def test_the_official_order():
    """C-51: offer, picks clockwise from the Challenger's left, then the start seat."""
    table = draft("trio")
    table.play("=offer:apollo =offer:artemis =offer:athena")
    table.play("=power:athena", "=power:apollo")
    assert [chair.power for chair in table.game.chairs] == ["artemis", "athena", "apollo"]
    assert (outlook.phase(table.game), table.game.clock.seat) == ("start_seat", 1)
    table.play("=start_seat:S3")
    assert table.game.start_seat == 3
    assert table.game.clock.seat == 3


def test_the_last_power_is_forced():
    """C-51 point 3: the Challenger gets the last one; the server does it itself."""
    table = draft()
    table.play("=offer:apollo =offer:artemis")
    (_, _, forced, _) = table.play("=power:apollo")
    assert (forced.data, forced.actor) == (Chosen(1, "power", "artemis"), "server")
    assert forced.back == 2


def test_the_bga_order():
    """C-53: offer, starting power, picks from the second seat on; its holder starts."""
    table = draft("trio", order="bga")
    table.play("=offer:apollo =offer:artemis =offer:athena", "=start_power:artemis")
    table.play("=power:artemis", "=power:athena")
    assert table.game.start_seat == 2
    assert table.game.status == "placing"


def test_an_offer_may_be_sent_in_parts():
    """One step a power until the offer is complete; a whole offer is one decision."""
    table = draft()
    before = table.game.clock
    assert kinds(table.play("=offer:apollo")) == ["Chosen"]
    assert table.game.clock == before


def test_no_banned_pair_is_offered():
    """C-50, V-20: what is banned with the offer is not listed, and refused by name."""
    table = draft()
    table.play("=offer:gaea")
    assert "=offer:atlas" not in offered(table)
    with pytest.raises(IllegalStep) as refused:
        table.play("=offer:atlas")
    assert (refused.value.reason, refused.value.power) == ("forbidden_by_power", "gaea")


def test_all_offered_powers_differ():
    """C-50: a power is offered once."""
    table = draft()
    table.play("=offer:pan")
    with pytest.raises(IllegalStep) as refused:
        table.play("=offer:pan")
    assert refused.value.reason == "occupied"


def test_powers_carry_the_mark_for_the_seats():
    """C-50: heroes only in a duel, others as their marks say."""
    keys = {text.removeprefix("=offer:") for text in offered(draft("trio"))}
    assert all(3 in pool.catalogue()[key].players for key in keys)
    assert "jason" not in keys


def test_perfect_information_leaves_out_five():
    """V-2: no hidden information, no luck."""
    hidden = {"=offer:chaos", "=offer:hecate", "=offer:moerae", "=offer:tartarus", "=offer:tyche"}
    assert hidden <= set(offered(draft()))
    assert not hidden & set(offered(draft(perfect_information=True)))


def test_groups_limit_the_offer():
    """V-2: from the groups the table allows."""
    keys = {text.removeprefix("=offer:") for text in offered(draft(groups=("hero",)))}
    assert {pool.catalogue()[key].group for key in keys} == {"hero"}


def test_a_quick_offer_is_drawn_by_the_server():
    """C-53: the draft begins with the picks."""
    table = draft(offer="quick")
    (laid,) = [entry.data for entry in table.log if isinstance(entry.data, Offered)]
    assert (laid.final, len(laid.powers)) == (True, 2)
    assert outlook.phase(table.game) in ("power", "night_power")


def test_a_limited_offer_is_built_from_twice_as_many():
    """C-53: from 2 x (seats + 1) powers; an offer can be made of them."""
    table = draft("trio", offer="limited")
    (laid,) = [entry.data for entry in table.log if isinstance(entry.data, Offered)]
    assert (laid.final, len(laid.powers)) == (False, 8)
    assert {text.removeprefix("=offer:") for text in offered(table)} <= set(laid.powers)


@pytest.mark.parametrize("seed", range(8))
def test_every_listed_offer_can_be_completed(seed):
    """Each listed step of an offer leads to a whole one."""
    table = draft("team4", seed, offer="limited")
    while outlook.phase(table.game) == "offer":
        step = table.dice.choice(offered(table))
        table.play(step)
    assert len(table.game.offer) == 4
    assert not any(pool.banned(a, b) for a, b in combinations(table.game.offer, 2))


@pytest.mark.parametrize(
    ("key", "reason", "power"),
    [
        ("pan", "occupied", ""),
        ("dionysus", "forbidden_by_power", "nyx"),
        ("hades", "forbidden_by_power", "pan"),
        ("athena", "nothing_there", ""),
    ],
)
def test_a_night_power_that_cannot_be_is_refused_with_the_reason(key, reason, power):
    """V-24: not in the offer, banned with none of it, and marked for the Golden Fleece."""
    table = started(start_seat="random", powers=PowersOption("draft"))
    table.play("=offer:nyx =offer:pan")
    with pytest.raises(IllegalStep) as refused:
        table.play(f"=night_power:{key}")
    assert (refused.value.reason, refused.value.power) == (reason, power)


def test_a_night_power_is_named_with_nyx():
    """C-51 point 2, V-24: marked for the Ram, not offered, not banned with the offer."""
    table = draft()
    table.play("=offer:nyx =offer:pan")
    assert (outlook.phase(table.game), table.game.clock.seat) == ("night_power", 1)
    keys = {text.removeprefix("=night_power:") for text in offered(table)}
    assert all(pool.catalogue()[key].golden_fleece for key in keys)
    assert not keys & {"nyx", "pan", "hades"}
    table.play("=night_power:bia", "=power:nyx", "=start_seat:S2")
    assert table.game.position.holding("nyx").note[1] == "bia"


def test_bia_starts_by_herself():
    """C-52: with her in the game the start seat is not asked for."""
    table = draft()
    table.play("=offer:bia =offer:pan", "=power:bia")
    assert table.game.start_seat == 2
    assert table.game.status == "placing"


def test_hecate_never_starts():
    """C-52: in a duel "Hecate last" makes the other seat the start seat."""
    table = draft()
    table.play("=offer:hecate =offer:pan", "=power:hecate")
    assert table.game.start_seat == 1


def test_a_starting_power_may_be_forced():
    """C-53 point 3: Tartarus must start, so nobody is asked."""
    table = draft(order="bga")
    table.play("=offer:tartarus =offer:pan")
    assert table.game.start_power == "tartarus"
    assert (outlook.phase(table.game), table.game.clock.seat) == ("power", 2)


def test_another_decision_is_not_due():
    """A pick while the offer is made is ``wrong_phase``."""
    with pytest.raises(IllegalStep) as refused:
        draft().play("=power:apollo")
    assert refused.value.reason == "wrong_phase"


@pytest.mark.parametrize("text", ["=offer:zeuss", "=offer:mortal", "=offer:S1"])
def test_what_is_no_power_cannot_be_offered(text):
    """V-1: ``mortal`` is never offered."""
    with pytest.raises(IllegalStep) as refused:
        draft().play(text)
    assert refused.value.reason == "nothing_there"


def test_nobody_resigns_during_the_draft():
    """C-34: from the end of the draft on."""
    with pytest.raises(Refusal) as refused:
        draft().do(Resign(1))
    assert refused.value.code == "game_not_started"


def test_fixed_powers_are_held_from_the_start():
    """C-54: powers by seat; ``started`` names them, ``power_gained`` puts them into play."""
    table = with_powers("apollo", "mortal")
    (start,) = [entry.data for entry in table.log if isinstance(entry.data, Started)]
    assert start.powers == ("apollo", "mortal")
    gained = [entry.data for entry in table.log if isinstance(entry.data, PowerGained)]
    assert gained == [PowerGained(1, "apollo", None)]
    assert [chair.power for chair in table.game.chairs] == ["apollo", "mortal"]


@pytest.mark.parametrize("seed", range(20))
def test_random_powers_let_the_chosen_seat_start(seed):
    """C-52, C-54: compatible powers, dealt so that the chosen start seat may start."""
    table = started("duel", seed, start_seat=2, powers=PowersOption("random"))
    one, two = (chair.power for chair in table.game.chairs)
    assert not pool.banned(one, two)
    assert not pool.catalogue()[one].must_start
    assert not pool.catalogue()[two].must_not_start


def test_the_ram_power_is_drawn_or_fixed():
    """V-4: one marked power lies beside the board; no seat holds it yet."""
    table = started(powers=PowersOption("golden_fleece"))
    assert pool.catalogue()[table.game.ram_power].golden_fleece
    assert table.game.position.held == ()
    fixed = started(powers=PowersOption("golden_fleece", power="pan"))
    assert fixed.game.ram_power == "pan"


def test_the_ram_power_may_be_drafted():
    """V-4: the Challenger offers two, the other seat picks one of them."""
    table = started(powers=PowersOption("golden_fleece", offer="draft"))
    table.play("=offer:pan =offer:zeus")
    assert (table.game.clock.seat, outlook.phase(table.game)) == (2, "power")
    table.play("=power:zeus")
    assert table.game.ram_power == "zeus"
    assert [chair.power for chair in table.game.chairs] == [None, None]


def test_chaos_gets_the_simple_gods_that_are_left():
    """V-23: without those taken, offered, or banned with any power in the game."""
    table = with_powers("chaos", "gaea")
    cards = table.game.position.holding("chaos").note
    dealt = {cards.face_up, *cards.deck}
    assert "atlas" not in dealt
    assert len(dealt) == 9
    secret = [entry for entry in table.log if getattr(entry.data, "power", "") == "chaos"]
    assert all(entry.nonce for entry in secret)
