"""What others see of a secret, event by event and answer by answer (contract, section 6)."""

from __future__ import annotations

import random

import pytest

from tests.app.http.chains import broken_at


def powers(*keys, **more):
    return {"powers": {"mode": "fixed", "seats": list(keys)}, **more}


def events(table, viewer=None, after=0):
    response = table.get(f"/events?after={after}", viewer)
    assert response.status_code == 200
    return response.json["events"]


def last(table, type_, viewer=None):
    return [event for event in events(table, viewer) if event["type"] == type_][-1]


@pytest.fixture
def hecate(started):
    """Hecate (seat 2) stands on b5 and d5, an Apollo (seat 1) on b3 and d3; Apollo is to move."""
    table = started(**powers("apollo", "hecate"))
    table.play("+b3 +d3", 1)
    table.play("+b5 +d5", 2)
    return table


@pytest.fixture
def tartarus(started):
    """Tartarus (seat 1) has laid his abyss on c3; a mortal sits opposite."""
    table = started(**powers("tartarus", "mortal"))
    table.play("+b2 +d4", 1)
    table.play("+b4 +d2", 2)
    table.play("@abyss:c3", 1)
    return table


def test_hecate_s_workers_are_question_marks(hecate):
    """Squares of hers are ``?``; what she builds on is not."""
    hecate.play("b3>b2 b2^a2", 1)
    hecate.play("b5>a5 a5^a4", 2)
    for viewer in (None, 1):
        placed, moved, built = (last(hecate, kind, viewer) for kind in ("placed", "moved", "built"))
        assert placed["data"] == {"to": "?", "sex": "m"}
        assert moved["data"] == {"from": "?", "to": "?"}
        assert built["data"] == {"from": "?", "at": "a4", "piece": "block"}
        for event in (placed, moved, built):
            assert event["redacted"] is True
            assert "nonce" not in event and "hidden" not in event and event["hash"]
        game = hecate.game(viewer)
        assert all(worker["seat"] == 1 for worker in game["board"]["workers"])
        assert "?,?" in game["position"]
    own = last(hecate, "moved", 2)
    assert own["data"] == {"from": "b5", "to": "a5"}
    assert own["hidden"] == [] and own["nonce"] and "redacted" not in own
    text = hecate.get("/record").text
    assert "S2 +? +?\n" in text and "2.S2 ?>? ?^a4\n" in text


def test_everybody_s_moves_may_hide_something_beside_hecate(hecate):
    """The opponent's own events are shown with their squares, redacted all the same."""
    hecate.play("b3>b2 b2^a2", 1)
    for viewer in (None, 1):
        for kind, data in (
            ("moved", {"from": "b3", "to": "b2"}),
            ("built", {"from": "b2", "at": "a2", "piece": "block"}),
        ):
            event = last(hecate, kind, viewer)
            assert event["data"] == data and event["redacted"] is True
            assert "nonce" not in event and "hidden" not in event
    assert last(hecate, "moved", 2)["hidden"] == []


def test_a_silent_swap_is_hecate_s_alone(hecate):
    """P-39: Apollo changes places with a worker he cannot see, and does not hear of it."""
    hecate.play("b3>b4 b4^b3", 1)
    hecate.play("b5>c5 c5^c4", 2)
    hecate.play("b4>c5 c5^b5", 1)
    moved = last(hecate, "moved", 2)
    assert moved["data"] == {"from": "b4", "to": "c5"} and moved["hidden"], moved
    for viewer in (None, 1):
        moved = last(hecate, "moved", viewer)
        assert moved["data"] == {"from": "b4", "to": "c5"}
        assert "hidden" not in moved and "nonce" not in moved
        assert "[" not in hecate.get("/record", viewer).text
    assert "[c5~b4]" in hecate.get("/record", 2).text


def test_an_abyss_is_a_question_mark(tartarus):
    """The choice, the card's memory, the key, the record: none of them tells the square."""
    for viewer in (None, 2):
        assert last(tartarus, "token_placed", viewer)["data"] == {"token": "abyss", "at": "?"}
        changed = last(tartarus, "power_changed", viewer)
        assert changed["data"]["state"] == {"abyss": "?"} and changed["redacted"] is True
        game = tartarus.game(viewer)
        assert game["seats"][0]["power"]["state"] == {"abyss": "?"}
        assert "abyss@?" in game["position"]
        assert "@abyss:?" in tartarus.get("/record", viewer).text
    assert last(tartarus, "power_changed", 1)["data"]["state"] == {"abyss": "c3"}
    assert "abyss@c3" in tartarus.game(1)["position"]


def test_a_fate_square_is_a_question_mark(started):
    """The same for Moerae."""
    table = started(**powers("moerae", "mortal"))
    table.play("=fate:b2", 1)
    for viewer in (None, 2):
        assert last(table, "chosen", viewer)["data"] == {"name": "fate", "value": "?"}
        assert last(table, "power_changed", viewer)["data"]["state"] == {"fate": "?"}
    assert last(table, "chosen", 1)["data"]["value"] == "b2"


def test_who_has_a_secret_chooses_behind_a_curtain(started):
    """While a seat with a secret is to act, others get an empty list, of turns too."""
    table = started(**powers("mortal", "hecate"))
    assert all(table.get("/legal-steps", viewer).json["steps"] for viewer in (None, 1, 2))
    table.play("+b2 +d4", 1)
    curtained = [table.get("/legal-steps", viewer).json["steps"] for viewer in (None, 1, 2)]
    assert curtained[:2] == [[], []] and len(curtained[2]) == 23
    table.play("+b4 +d2", 2)
    table.play("b2>b3 b3^c3", 1)
    for route, member in (("/legal-steps", "steps"), ("/legal-turns", "turns")):
        found = [table.get(route, viewer).json[member] for viewer in (None, 1, 2)]
        assert found[:2] == [[], []] and found[2]


@pytest.mark.parametrize("key", ["chaos", "tyche"])
def test_a_deck_is_a_size(key, started):
    """To its holder too."""
    table = started(**powers(key, "mortal"))
    for viewer in (None, 1, 2):
        event = last(table, "power_changed", viewer)
        state = event["data"]["state"]
        assert "deck" not in state and state["deck_size"] > 0
        assert event["redacted"] is True and "nonce" not in event
        assert "deck" not in table.game(viewer)["seats"][0]["power"]["state"]


@pytest.mark.parametrize("key", ["chaos", "tyche"])
def test_a_tried_win_tells_no_deck(key, started):
    """A dry run that wins ends no game, and reveals none."""
    table, seat, line = near_a_win(started, 0, key, "mortal")
    answer = table.post("/steps?dry_run=true", {"notation": line}, seat)
    assert answer.status_code == 200, answer.text
    assert answer.json["game"]["status"] == "finished"
    assert '"deck"' not in answer.text


def test_a_tried_win_tells_no_fate(started):
    """Nor does it tell the opponent of Moerae where her squares are."""
    table, seat, line = near_a_win(started, 2, "mortal", "moerae")
    answer = table.post("/steps?dry_run=true", {"notation": line}, seat)
    assert answer.status_code == 200, answer.text
    assert answer.json["game"]["seats"][1]["power"]["state"] == {"fate": "?"}
    assert answer.json["game"]["result"]["winners"] == [1]


def near_a_win(started, holder, *keys):
    """Play at random until a seat other than ``holder`` could win; return it and its turn."""
    dice = random.Random(1)
    while True:
        table = started(**powers(*keys))
        while (turn := table.game()["turn"]) is not None:
            seat = turn["seat"]
            found = table.get("/legal-turns?limit=5000", seat).json["turns"]
            wins = [each["notation"] for each in found if each["winners"] == [seat]]
            if wins and seat != holder:
                return table, seat, wins[0]
            steps = table.get("/legal-steps", seat).json["steps"]
            table.post("/steps", {"steps": [dice.choice(steps)]}, seat)


PROBES = (
    "b4>c4 a1>e5",
    "b4>c4 c4^c5 a1>e5",
    "b4>c4 [c4~b4]",
    "b4>c4 [xc4]",
    "b4>c4##S1",
    "b4>c4##S2",
    "b4>c4#",
    "b4>c4#S2",
    "!b4>c4",
)


@pytest.mark.parametrize("probe", PROBES)
def test_a_refusal_tells_nothing(probe, started):
    """What is refused is refused alike with a hidden worker or the abyss in the way and without."""
    told = []
    for keys, secret in (
        (("mortal", "hecate"), ("+c4 +e5", "+a5 +e5")),
        (("tartarus", "mortal"), ("@abyss:c4", "@abyss:e5")),
    ):
        for line in secret:
            table = started(**powers(*keys))
            own = 1 if keys[0] == "mortal" else 2
            if own == 1:
                table.play("+b4 +d2", 1)
                table.play(line, 2)
            else:
                table.play("+b2 +d1", 1)
                table.play("+b4 +d2", 2)
                table.play(line, 1)
                table.play("d1>e1 e1^e2", 1)
            before = table.game()["version"]
            answers = [
                table.post(f"/steps{query}", {"notation": probe}, own)
                for query in ("", "?dry_run=true")
            ]
            assert table.game()["version"] == before
            assert [answer.status_code for answer in answers] == [422, 422]
            told.append([answer.text.replace(table.id, "") for answer in answers])
        assert told.pop() == told.pop()


def test_a_step_into_a_secret_stands(started):
    """T-54: it is accepted, and what the request holds after it is dropped."""
    table = started(**powers("mortal", "hecate"))
    table.play("+b4 +d2", 1)
    table.play("+c4 +e5", 2)
    answer = table.play("b4>c4 c4^c5", 1)
    types = [event["type"] for event in answer["events"]]
    assert types == ["step_cancelled", "turn_ended", "turn_started"]
    assert answer["events"][0]["data"] == {"step": "b4>c4", "square": "c4"}


def test_unseen_cards_have_no_key(started):
    """``key`` is null where a card decides that nobody has seen; the list is one of results."""
    table = started(**powers("tyche", "mortal"))
    table.play("+b2 +d4", 1)
    table.play("+b4 +d2", 2)
    turns = table.get("/legal-turns", 1).json["turns"]
    assert turns and all(turn["key"] is None for turn in turns)
    table.play("b2>b3 b3^c3", 1)
    turns = table.get("/legal-turns", 2).json["turns"]
    assert turns and all(turn["key"] for turn in turns)


def test_keys_of_turns_are_the_caller_s(started):
    """The holder of a secret reads it in its own keys, whoever is to act."""
    table = started(**powers("mortal", "moerae"))
    table.play("=fate:a3", 2)
    table.play("+b1 +e1", 1)
    table.play("+d5 +e5 +c5", 2)
    for viewer, word in ((None, "moerae:?"), (1, "moerae:?"), (2, "moerae:a3")):
        turns = table.get("/legal-turns", viewer).json["turns"]
        assert turns and all(word in turn["key"] for turn in turns)
        line = turns[0]["notation"]
    table.play(line, 1)
    for viewer in (None, 1, 2):
        assert table.game(viewer)["position"] in (
            turns[0]["key"],
            turns[0]["key"].replace("moerae:a3", "moerae:?"),
        )


def test_an_eliminated_secret_is_still_one(started):
    """The fate of a player who has left stays hidden, and no cache keeps what hides it."""
    table = started(variant="trio", **powers("moerae", "pan", "mortal"))
    table.play("=fate:b2", 1)
    for seat in (1, 2, 3):
        lines = {1: "+a1 +a2 +a3", 2: "+c1 +c2", 3: "+e1 +e2"}
        table.play(lines[seat], seat)
    table.post("/resignation", seat=1)
    version = table.game()["version"]
    table.play("c1>d1 d1^d2", 2)
    assert table.game()["seats"][0]["power"]["state"] == {"fate": "?"}
    old = table.get(f"?version={version}")
    assert old.headers["ETag"] == f'"{version}r"'
    assert "immutable" not in old.headers["Cache-Control"]
    table.post("/resignation", seat=2)
    old = table.get(f"?version={version}")
    assert old.json["seats"][0]["power"]["state"] == {"fate": "b2"}
    assert old.headers["ETag"] == f'"{version}"' and "immutable" in old.headers["Cache-Control"]


def test_nobody_looks_past_an_interrupt_into_a_secret(started):
    """While Gaea answers in Hecate's turn, ``after`` shows no step of Hecate's."""
    table = started(**powers("gaea", "hecate"))
    table.play("+a1 +e1", 1)
    table.play("+b5 +d5", 2)
    lines = {
        1: ("a1>a2 a2^a1", "a2>a3 a3^a2", "a3>b3 b3^a3", "b3>b2 b2^a3"),
        2: ("b5>b4 b4^a4", "b4>b5 b5^a4", "b5>b4 b4^a4", "b4>b5 b5^a4*"),
    }
    for turn in range(4):
        for seat in (1, 2):
            table.play(lines[seat][turn], seat)
    turn = table.game()["turn"]
    assert (turn["kind"], turn["seat"]) == ("interrupt", 1)
    for after in ("", "{S1: -}", "-"):
        for viewer in (None, 1):
            answer = table.get(f"/legal-steps?after={after}", viewer)
            if answer.status_code == 200 and after:
                assert answer.json["steps"] == []


def test_after_the_end_the_chain_holds_for_everybody(hecate):
    """What was redacted is shown with its nonce, and the hashes seen before were the true ones."""
    hecate.play("b3>b2 b2^a2", 1)
    hecate.play("b5>a5 a5^a4", 2)
    seen = events(hecate)
    assert broken_at(hecate.id, seen) is None
    ticket = hecate.get(f"/events/{seen[-3]['version']}")
    assert ticket.headers["ETag"].endswith('r"') and "private" in ticket.headers["Cache-Control"]
    hecate.post("/resignation", seat=1)
    full = events(hecate)
    assert [event["hash"] for event in full[: len(seen)]] == [event["hash"] for event in seen]
    assert broken_at(hecate.id, full) is None
    assert not any("redacted" in event for event in full)
    assert hecate.get("/verification").json["ok"] is True
    single = hecate.get(f"/events/{seen[-3]['version']}")
    assert single.headers["ETag"] == f'"{seen[-3]["version"]}"'
    assert "immutable" in single.headers["Cache-Control"]
