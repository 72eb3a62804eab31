"""The numbered cases of the rules pages, run as data (tests/data/cases.json)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.board.facts import apply_all
from domain.board.geometry import BY_NAME, EVERYWHERE
from domain.board.position import Held
from domain.rules.engine import legal_steps, open_turn, play, start_facts
from domain.rules.positions import ORDER, read_position
from domain.rules.power import REGISTRY
from domain.rules.step import text_of
from tests.boards import brackets, step_named, words_of

CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text("utf-8"))
SEATS = {"A": 1, "B": 2}
KEYS = {case["power"] for case in CASES}
Data = dict[str, Any]


def entry_of(data: Data, seat: int) -> Data:
    return next(entry for entry in data["powers"] if entry["seat"] == seat)


def remember(**state: Any) -> Callable[[Data, re.Match[str]], None]:
    """Set the memory of A's card; a callable value is given the match."""

    def set_state(data: Data, match: re.Match[str]) -> None:
        given = {name: v(match) if callable(v) else v for name, v in state.items()}
        entry_of(data, 1).setdefault("state", {}).update(given)

    return set_state


def coins(data: Data, match: re.Match[str]) -> None:
    name = "coins" if entry_of(data, 1)["key"] == "morpheus" else "coins_left"
    entry_of(data, 1).setdefault("state", {})[name] = int(match[1])


def face_up(data: Data, match: re.Match[str]) -> None:
    state = {"face_up": match[1], "deck": ["apollo", "artemis"], "discards": []}
    entry_of(data, 1)["state"] = state
    data["powers"].append({"seat": 1, "key": match[1]})


def stolen(data: Data, match: re.Match[str]) -> None:
    entry_of(data, 1)["state"] = {"stolen": True}
    entry_of(data, 2)["seat"] = 1


def extra_turn(data: Data, match: re.Match[str]) -> None:
    data["to_move"]["kind"] = match[1].lower()


def token(data: Data, match: re.Match[str]) -> None:
    data["tokens"] += [{"name": match[1], "square": name} for name in match[2].split()]


def wind(data: Data, match: re.Match[str]) -> None:
    if match[1] != "none":
        data["tokens"].append({"name": "wind", "direction": match[1]})


def spent(data: Data, match: re.Match[str]) -> None:
    data["powers"].remove(entry_of(data, 1))


def pair(data: Data, match: re.Match[str]) -> None:
    spent(data, match)
    data["pending"]["adonis"] = {"own": match[1], "other": match[2], "seat": 2}


def last_moved(data: Data, match: re.Match[str]) -> None:
    data["pending"]["last_moved"] = {"2": match[1]}


def night_power(data: Data, match: re.Match[str]) -> None:
    entry_of(data, 1)["state"] = {"night_power": match[1], "time": match[2]}
    if match[2] == "night":
        aside = entry_of(data, 2)
        data["powers"].remove(aside)
        data["pending"]["set_aside"] = [aside]
        data["powers"].append({"seat": 1, "key": match[1]})


def nothing(data: Data, match: re.Match[str]) -> None:
    """The text states what holds anyway."""


STATES: tuple[tuple[str, Callable[[Data, re.Match[str]], None]], ...] = (
    (r"athena moved up last turn", remember(ban=True)),
    (r"athena did not move up last turn", remember(ban=False)),
    (r"chaos=(\w+)", face_up),
    (r"B to move after Circe stole", stolen),
    (r"extra turn of (\w+)", extra_turn),
    (r"coins (\d)(?: \(after S2\))?", coins),
    (r"(coin|talus) ([a-e][1-5])(?:, coins (\d))?", token),
    (r"(whirlpool) ((?:[a-e][1-5] ?)+)(?:, one in hand)?", token),
    (r"wind (\w+)", wind),
    (r"(?:talus on card|A's workers are secret)", nothing),
    (r"fate (\w\d)", remember(fate=lambda match: match[1])),
    (r"song (\w+)", remember(direction=lambda match: match[1])),
    (r"abyss (\w\d)", remember(abyss=lambda match: match[1])),
    (r"\w+ spent", spent),
    (r"adonis pair (\w\d)-(\w\d)", pair),
    (r"next card 6", remember(deck=["six", "blank"])),
    (r"next card blank, 1 card below it", remember(deck=["blank", "six"])),
    (r"eris last (\w\d)", last_moved),
    (r"night power (\w+), (\w+)", night_power),
)


def data_of(case: Data) -> Data:
    """Write the table of a case in the JSON form of positions."""
    data: Data = {"variant": "duel", "powers_mode": "gods", "powers": [], "tokens": []}
    data |= {"pending": {}, "workers": [], "domes": case["domes"]}
    names = {square: name for name, square in BY_NAME.items()}
    data["levels"] = "".join(str(case["heights"].get(names[square], 0)) for square in ORDER)
    data["to_move"] = {"seat": SEATS[case["seat"]], "kind": "normal"}
    for letter, side in case["sides"].items():
        seat, key = SEATS[letter], side["power"]
        for index, name in enumerate(side["workers"]):
            sex = name[2:] or ("m" if index else "f")
            data["workers"].append({"square": name[:2], "seat": seat, "sex": sex})
        if key != "mortal":
            state = REGISTRY[key].state(REGISTRY[key].initial_note())
            data["powers"].append({"seat": seat, "key": key, "state": state})
    if case["state"]:
        for pattern, change in STATES:
            match = re.fullmatch(pattern, case["state"])
            if match:
                change(data, match)
                break
        else:
            raise ValueError(case["state"])
    return data


def powers_of(case: Data) -> set[str]:
    keys = {side["power"] for side in case["sides"].values()} - {"mortal"}
    return keys | (KEYS & set(re.findall(r"\w+", case["state"])))


def check_placement(case: Data) -> None:
    """Judge a setup case: the squares the holder's card leaves for its next worker."""
    data = data_of(case)
    position, seat, _ = read_position(data)
    held = next(held for held in position.held if held.seat == seat)
    squares = EVERYWHERE & ~position.occupied
    allowed = REGISTRY[held.power].placements(position, Held(held.power, seat, held.note), squares)
    legal = bool(allowed >> BY_NAME[case["line"][1:]] & 1)
    assert legal == (case["verdict"] == "ok")


def check_line(case: Data) -> None:
    """Play the line; every step but a forbidden last one must be legal, brackets exact."""
    secret = "secret" in case["state"]
    position, seat, kind = read_position(data_of(case))
    if not case["state"]:
        position = apply_all(position, start_facts(position, seat))
    turn = open_turn(position, seat, kind)
    words = words_of(case["line"])
    while words:
        asked, text = words.pop(0)
        if asked:
            assert turn.asked == SEATS[asked]
        text, cancels = text.removeprefix("!"), text.startswith("!")
        if not words and case["verdict"] == "no":
            assert text not in {text_of(step) for step in legal_steps(turn)}
            return
        turn, happenings, cancelled = play(turn, step_named(turn, text))
        assert bool(cancelled) == cancels
        expected = []
        while words and words[0][1].startswith("["):
            expected.append(words.pop(0)[1])
        assert secret or brackets(happenings) == expected
    assert case["verdict"] != "no", "the line ends in automatic events"
    if case["verdict"] == "ok":
        assert turn.outcome is None
        assert turn.closed or legal_steps(turn)
    else:
        assert turn.outcome is not None
        assert turn.outcome.winner == SEATS[case["verdict"][-1]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['power']}")
def test_the_case_is_judged_as_the_rules_pages_say(case):
    missing = powers_of(case) - set(REGISTRY)
    if missing:
        pytest.skip(f"no such power yet: {', '.join(sorted(missing))}")
    if re.fullmatch(r"\+[a-e][1-5]", case["line"]) and case["power"] in ("bia", "eros"):
        check_placement(case)
    else:
        check_line(case)
