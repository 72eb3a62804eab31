"""Positions that cannot stand on a table are named by what is wrong; all others pass."""

import random
from itertools import islice

import pytest

from domain.game.possible import wrongs
from domain.rules.engine import legal_steps, open_turn, play, start_verdict
from domain.rules.positions import ImpossiblePosition, read_position
from domain.rules.turns import successor
from tests.vectors import FILES, vectors

GROUND, TOWER = "0" * 25, "3" + "0" * 24


def worker(square, seat, sex="m"):
    return {"square": square, "seat": seat, "sex": sex}


def card(key, seat=1, **state):
    return {"key": key, "seat": seat, "state": state}


def token(name, square):
    return {"name": name, "square": square}


TABLE = {
    "variant": "duel",
    "powers_mode": "gods",
    "to_move": {"seat": 1, "kind": "normal"},
    "levels": GROUND,
    "workers": [worker("b2", 1, "f"), worker("d2", 1), worker("b4", 2, "f"), worker("d4", 2)],
}
CREW = TABLE["workers"]
SPLIT = {"variant": "team4_split", "powers_mode": "none"}
RAM = {"powers_mode": "golden_fleece", "ram": {"square": "c3", "power": "pan"}}
THREE = {"workers": [*CREW, worker("e5", 1)]}
FOUR = {"workers": [*CREW, worker("e5", 1), worker("e4", 1)]}
GODS = ["apollo", "artemis"]


def flaws(change):
    """Return the pointers at what is wrong with the table so changed."""
    try:
        return {pointer for pointer, _ in wrongs(*read_position(TABLE | change))}
    except ImpossiblePosition as error:
        return {error.pointer}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"variant": "solo4"}, "/powers_mode"),
        ({"variant": "team4", "powers_mode": "none"}, "/powers_mode"),
        ({"variant": "trio", "powers_mode": "golden_fleece"}, "/powers_mode"),
        ({"workers": [CREW[0], worker("d2", 1, "f"), *CREW[2:]]}, "/workers/1/sex"),
        (THREE | {"powers_mode": "none"}, "/workers"),
        (THREE | {"powers": [card("pan"), card("athena", 2)]}, "/workers"),
        (THREE | {"powers": [card("athena")]}, "/workers"),
        (THREE | {"powers": [card("pan"), card("graeae", 2)]}, "/workers"),
        (FOUR, "/workers"),
        (FOUR | {"powers": [card("graeae")], "variant": "trio"}, "/workers"),
        (SPLIT | {"workers": CREW}, "/workers"),
        ({"to_move": {"seat": 1, "kind": "tyche"}}, "/to_move/kind"),
        ({"powers": [card("pan"), card("apollo")]}, "/powers/1/seat"),
        ({"powers": [card("pan"), card("apollo", 2), card("zeus", 2)]}, "/powers/2/seat"),
        ({"powers": [card("pan", ban=True)]}, "/powers/0/state/ban"),
        ({"powers": [card("circe", stolen=True)]}, "/powers/0/state"),
        ({"powers": [card("circe", stolen=False), card("pan")]}, "/powers/0/state"),
        ({"powers": [card("chaos", face_up="pan", deck=GODS)]}, "/powers/0/state"),
        (
            {"powers": [card("chaos", face_up="pan", deck=["pan"]), card("pan")]},
            "/powers/0/state",
        ),
        (
            {"powers": [card("chaos", face_up="zeus", deck=GODS), card("zeus")]},
            "/powers/0/state",
        ),
        ({"powers": [card("nyx", time="night", night_power="pan")]}, "/powers/0/state"),
        (
            {
                "powers": [card("nyx", time="night", night_power="pan"), card("pan")],
                "levels": TOWER,
            },
            "/powers/0/state",
        ),
        (
            {"powers": [card("nyx", time="day", night_power="dionysus")]},
            "/powers/0/state",
        ),
        (
            {"powers": [card("nyx", time="day", night_power="pan"), card("pan", 2)]},
            "/powers/0/state",
        ),
        (
            {
                "powers": [card("nyx", time="day", night_power="pan")],
                "pending": {"set_aside": [card("zeus", 2)]},
            },
            "/powers/0/state",
        ),
        (
            {"powers": [card("hades")], "pending": {"set_aside": [card("pan", 2)]}},
            "/pending/set_aside/0/key",
        ),
        (
            {"powers": [card("clio", coins_left=3)], "tokens": [token("coin", "a5")]}
            | {"levels": TOWER},
            "/powers/0/state",
        ),
        (
            {"powers": [card("clio", coins_left=2)], "tokens": [token("coin", "c3")]},
            "/powers/0/state",
        ),
        ({"tokens": [token("talus", "c3")]}, "/tokens/0/name"),
        (
            {"powers": [card("europa")], "tokens": [token("talus", "c3"), token("talus", "c2")]},
            "/tokens/1/name",
        ),
        (
            {"powers": [card("europa")], "tokens": [token("talus", "c3")], "domes": ["c3"]},
            "/tokens/0/square",
        ),
        (
            {
                "powers": [card("charybdis")],
                "tokens": [token("whirlpool", "c3"), token("whirlpool", "c3")],
            },
            "/tokens/1/square",
        ),
        (RAM | {"ram": {"square": "c3", "power": "athena"}}, "/ram/power"),
        (RAM, "/powers"),
        (RAM | {"powers": [card("pan")]}, "/powers"),
        (RAM | {"powers": [card("apollo"), card("apollo", 2)]}, "/powers"),
        ({"pending": {"last_moved": {"1": "b4"}}}, "/pending/last_moved/1"),
        ({"pending": {"last_moved": {"1": "e1"}}}, "/pending/last_moved/1"),
        (
            {"variant": "trio", "pending": {"eliminated": [1]}, "to_move": {"seat": 2}},
            "/workers/0/seat",
        ),
        (
            {
                "variant": "trio",
                "pending": {"eliminated": [3]},
                "powers": [card("pan", 3)],
            },
            "/powers/0/seat",
        ),
    ],
)
def test_what_cannot_be_is_named(change, pointer):
    """Everything C-7, C-11, C-41, T-45, V-4, V-5, V-20, V-24 and the cards themselves exclude."""
    assert pointer in flaws(change)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"workers": []},
        THREE,
        FOUR | {"powers": [card("gaea", workers_on_card=0)]},
        FOUR | {"powers": [card("hydra")]},
        FOUR | {"powers": [card("circe", 2, stolen=True), card("hydra", 2)]},
        THREE | {"powers": [card("proteus")], "variant": "trio"},
        {"powers": [card("circe", stolen=True), card("tyche", deck=["six"])]}
        | {"to_move": {"seat": 2, "kind": "tyche"}},
        {"powers": [card("chaos", face_up="pan", deck=GODS), card("pan")]},
        {
            "powers": [
                card("circe", stolen=True),
                card("chaos", face_up="pan", deck=GODS),
                card("pan"),
            ]
        },
        {"powers": [card("nyx", time="night", night_power="pan"), card("pan")]}
        | {"levels": TOWER, "domes": ["a5"], "pending": {"set_aside": [card("europa", 2)]}}
        | {"tokens": [token("talus", "c3")]},
        {"powers": [card("charybdis")]}
        | {"tokens": [token("whirlpool", "c3"), token("whirlpool", "b2")]},
        RAM | {"powers": [card("pan"), card("pan", 2)]},
        SPLIT | {"workers": [worker("b2", 1, "f"), worker("d2", 3), worker("b4", 2, "f")]},
        {"pending": {"last_moved": {"1": "b2", "2": None}}},
    ],
)
def test_what_can_be_passes(change):
    """Spent heroes leave their workers, thieves hold two cards, night puts the foe's aside."""
    assert flaws(change) == set()


@pytest.mark.parametrize("name", FILES)
def test_play_keeps_a_position_possible(name):
    """Wherever random turns lead from a vector, nothing is wrong there."""
    dice = random.Random(name)
    for vector in islice(vectors(name), 0, None, 40):
        position, seat, kind = read_position(vector["position"])
        if vector["verdict"] or wrongs(position, seat, kind):
            continue
        for _ in range(3):
            turn = open_turn(position, seat, kind)
            while not turn.over and (steps := legal_steps(turn)):
                turn = play(turn, dice.choice(steps)).turn
            if not turn.closed or turn.outcome or start_verdict(turn):
                break
            position, seat, kind = successor(turn)
            assert wrongs(position, seat, kind) == [], vector["id"]
