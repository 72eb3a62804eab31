"""Playing: steps as objects and notation, whole and in parts, refusals, dry runs (section 5)."""

from pathlib import Path
from threading import Event, Thread

import pytest

from app.http.problems import TABLE


def refusal(response, code="illegal_step"):
    assert response.status_code >= 400, response.text
    assert response.json["code"] == code, response.text
    return response.json


def test_a_turn_sent_whole_as_objects(duel):
    steps = [
        {"type": "move", "from": "b2", "to": "b3"},
        {"type": "build", "from": "b3", "at": "c3", "piece": "block"},
    ]
    body = duel.post("/steps", {"steps": steps}, 1).json
    assert [event["type"] for event in body["events"]] == [
        "moved",
        "built",
        "turn_ended",
        "turn_started",
    ]
    game = body["game"]
    assert game["version"] == body["events"][-1]["version"]
    assert (game["turn"]["seat"], game["turn"]["number"]) == (2, 2)
    assert game["board"]["levels"]["c3"] == 1
    assert game["supply"]["level_1"] == 21


def test_a_turn_sent_in_parts(duel):
    game = duel.play("b2>b3", 1)["game"]
    assert (game["turn"]["phase"], game["turn"]["steps"]) == ("build", "b2>b3")
    game = duel.play("b3^c3", 1)["game"]
    assert game["turn"]["seat"] == 2


def test_the_piece_may_be_left_out(duel):
    steps = [
        {"type": "move", "from": "b2", "to": "b3"},
        {"type": "build", "from": "b3", "at": "c3"},
    ]
    body = duel.post("/steps", {"steps": steps}, 1).json
    assert body["events"][1]["data"] == {"from": "b3", "at": "c3", "piece": "block"}


def test_all_or_nothing(duel):
    version = duel.game()["version"]
    steps = [
        {"type": "move", "from": "b2", "to": "b3"},
        {"type": "build", "from": "b3", "at": "e5"},
    ]
    response = duel.post("/steps", {"steps": steps}, 1)
    assert refusal(response)["errors"][0]["pointer"] == "/steps/1"
    assert duel.game()["version"] == version


def test_a_refused_line_points_at_the_notation_and_names_the_word(duel):
    """A pointer leads to what the body holds; the step is told by its own text."""
    flaw = refusal(duel.post("/steps", {"notation": "b2>b3 b3^e5"}, 1))["errors"][0]
    assert (flaw["pointer"], flaw["code"]) == ("/notation", "not_adjacent")
    assert flaw["detail"].startswith("b3^e5: ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("b2>d4", "not_adjacent"),
        ("b2>b4", "not_adjacent"),
        ("a1>a2", "nothing_there"),
        ("b4>b3", "not_this_worker"),
        ("b2^b3", "wrong_phase"),
        (".", "wrong_phase"),
        ("b2>b3 b3^b2*", "wrong_piece"),
        ("b2>b3 d4^d3", "not_this_worker"),
        ("b2>b3 b3^b4", "occupied"),
    ],
)
def test_an_illegal_step_says_why_and_what_is_legal(duel, line, reason):
    problem = refusal(duel.post("/steps", {"notation": line}, 1))
    assert problem["errors"][0]["code"] == reason
    assert problem["legal_steps"]
    assert problem["version"] == duel.game()["version"]


def test_a_dry_run_stores_nothing(duel):
    before = duel.game()
    response = duel.post("/steps?dry_run=true", {"notation": "b2>b3 b3^c3"}, 1)
    assert response.status_code == 200
    assert response.json["game"]["turn"]["seat"] == 2
    assert all("hash" not in event for event in response.json["events"])
    assert duel.game() == before


def test_a_dry_run_refuses_what_is_illegal(duel):
    refusal(duel.post("/steps?dry_run=true", {"notation": "b2>d4"}, 1))


def test_the_wrong_seat_is_told_so(duel):
    refusal(duel.post("/steps", {"notation": "b4>b3 b3^c3"}, 2), "not_your_turn")


def test_expected_version(duel):
    version = duel.game()["version"]
    body = {"notation": "b2>b3", "expected_version": version - 1}
    refusal(duel.post("/steps", body, 1), "version_conflict")
    assert duel.post("/steps", body | {"expected_version": version}, 1).status_code == 201


def test_if_match(duel):
    version = duel.game()["version"]
    sent = {"notation": "b2>b3"}
    stale = {"If-Match": f'"{version - 1}"'}
    refusal(duel.post("/steps", sent, 1, **stale), "precondition_failed")
    fresh = {"If-Match": f'"1", "{version}"'}
    assert duel.post("/steps", sent, 1, **fresh).status_code == 201
    assert duel.post("/steps", {"notation": "b3^c3"}, 1, **{"If-Match": "*"}).status_code == 201


def test_legal_steps_are_sorted_and_look_ahead(duel):
    first = duel.get("/legal-steps").json
    assert first["after"] == ""
    assert first["can_end"] is False
    moves = [(step["from"], step["to"]) for step in first["steps"]]
    assert moves == sorted(set(moves))
    version = duel.game()["version"]
    beyond = duel.get("/legal-steps?after=b2%3Eb3").json
    assert {step["type"] for step in beyond["steps"]} == {"build"}
    assert beyond["seat"] == 1
    assert duel.game()["version"] == version


def test_legal_steps_beyond_the_end_of_the_turn_are_none(duel):
    beyond = duel.get("/legal-steps?after=b2%3Eb3%20b3%5Ec3").json
    assert (beyond["steps"], beyond["seat"]) == ([], None)


def test_legal_steps_of_an_open_game_are_none(create):
    body = create().get("/legal-steps").json
    assert (body["steps"], body["seat"], body["can_end"]) == ([], None, False)


def test_legal_turns_are_canonical_and_playable(duel):
    body = duel.get("/legal-turns").json
    assert body["truncated"] is False
    lines = [turn["notation"] for turn in body["turns"]]
    assert lines == sorted(lines)
    assert len({turn["key"] for turn in body["turns"]}) == len(lines)
    turn = body["turns"][7]
    after = duel.post("/steps", {"steps": turn["steps"]}, 1).json["game"]
    assert after["position"] == turn["key"]
    assert turn["winners"] == []


def test_legal_turns_are_cut_at_the_limit(duel):
    body = duel.get("/legal-turns?limit=5").json
    assert (len(body["turns"]), body["truncated"]) == (5, True)


def test_legal_turns_outside_turns_are_none(started):
    assert started().get("/legal-turns").json["turns"] == []


def test_resigning_off_turn(duel):
    response = duel.post("/resignation", seat=2)
    assert response.status_code == 201
    game = response.json["game"]
    assert game["status"] == "finished"
    assert game["result"] == {
        "winners": [1],
        "reason": "resignation",
        "losers": [{"seat": 2, "reason": "resignation"}],
    }
    refusal(duel.post("/steps", {"notation": "b2>b3"}, 1), "game_over")
    refusal(duel.post("/resignation", seat=1), "game_over")


def test_a_climb_wins(started):
    """Both sides build one tower up; seat 1 walks up its steps."""
    table = started()
    table.play("+b2 +e5", 1)
    table.play("+a5 +e1", 2)
    lines = [
        "b2>c2 c2^b2",
        "a5>a4 a4^a5",
        "c2>b2 b2^c2",
        "a4>a3 a3^a4",
        "b2>b3 b3^c2",
        "a3>a2 a2^a3",
        "b3>b2 b2^b3",
        "a2>a1 a1^a2",
        "b2>c2 c2^b3",
        "e1>d1 d1^e1",
        "c2>b2 b2^b3",
        "d1>e1 e1^d1",
        "b2>c2 c2^b2",
        "e1>d1 d1^e1",
        "c2>b2 b2^c1",
        "d1>e1 e1^d1",
        "b2>b3#",
    ]
    body = None
    for index, line in enumerate(lines):
        body = table.play(line, 1 + index % 2)
    assert body is not None
    assert body["game"]["result"]["winners"] == [1]
    assert body["game"]["result"]["reason"] == "climb"
    assert body["events"][-1]["type"] == "finished"


def test_a_key_replays_the_first_answer(duel):
    sent, key = {"notation": "b2>b3 b3^c3"}, {"Idempotency-Key": "turn-1"}
    first = duel.post("/steps", sent, 1, **key)
    again = duel.post("/steps", sent, 1, **key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert again.data == first.data
    other = duel.post("/steps", {"notation": "b2>a2 a2^a3"}, 1, **key)
    refusal(other, "idempotency_key_reused")


def test_a_replay_comes_before_a_stale_precondition(duel):
    version = duel.game()["version"]
    headers = {"Idempotency-Key": "turn-1", "If-Match": f'"{version}"'}
    sent = {"notation": "b2>b3 b3^c3", "expected_version": version}
    assert duel.post("/steps", sent, 1, **headers).status_code == 201
    again = duel.post("/steps", sent, 1, **headers)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_a_key_brings_a_lost_token_back(client):
    key = {"Idempotency-Key": "a-long-and-random-key-0001"}
    first = client.post("/v1/games", json={"name": "Ada"}, headers=key)
    again = client.post("/v1/games", json={"name": "Ada"}, headers=key)
    assert again.json["token"] == first.json["token"]
    assert again.headers["Idempotency-Replayed"] == "true"
    reused = client.post("/v1/games", json={"name": "Bob"}, headers=key)
    refusal(reused, "idempotency_key_reused")


def test_keys_are_scoped_to_caller_and_path(duel):
    key = {"Idempotency-Key": "same"}
    assert duel.post("/steps", {"notation": "b2>b3 b3^c3"}, 1, **key).status_code == 201
    assert duel.post("/steps", {"notation": "b4>a4 a4^a3"}, 2, **key).status_code == 201


def test_a_late_command_is_told_so(app, started):
    table = started(turn_seconds=1)
    store = app.extensions["santorini"].reader._ledger.store
    store.clock.advance(5_000)
    response = table.post("/steps", {"notation": "+b2 +d4"}, 1)
    problem = refusal(response, "turn_expired")
    assert problem["version"] == table.game()["version"]


def test_the_same_request_beside_a_running_one_is_told_to_wait(app, duel, monkeypatch):
    games = app.extensions["santorini"].games
    key, sent = {"Idempotency-Key": "slow"}, {"notation": "b2>b3 b3^c3"}
    began, go_on = Event(), Event()
    play = games.play

    def slow(*args, **kwargs):
        began.set()
        assert go_on.wait(20)
        return play(*args, **kwargs)

    monkeypatch.setattr(games, "play", slow)
    answers = []
    other = type(duel)(app.test_client(), duel.id, duel.tokens)
    thread = Thread(target=lambda: answers.append(other.post("/steps", sent, 1, **key)))
    thread.start()
    assert began.wait(20)
    refusal(duel.post("/steps", sent, 1, **key), "request_in_progress")
    go_on.set()
    thread.join()
    assert answers[0].status_code == 201
    again = duel.post("/steps", sent, 1, **key)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_powers_that_may_not_meet_are_refused(client):
    powers = {"mode": "fixed", "seats": ["pan", "hades"]}
    response = client.post("/v1/games", json={"powers": powers})
    assert refusal(response, "incompatible_powers")["errors"][0]["pointer"] == "/powers/seats/1"


def test_every_code_of_the_contract_is_reached_by_a_test():
    here = Path(__file__).parent
    text = " ".join(path.read_text("utf-8") for path in here.glob("*.py"))
    assert [code for code in TABLE if f'"{code}"' not in text] == []
