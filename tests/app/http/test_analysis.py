"""POST /v1/analysis: the engine answers as the vectors say, and impossible positions are named."""

from itertools import islice

import pytest

from tests.vectors import vectors

EMPTY = {
    "variant": "duel",
    "to_move": {"seat": 1},
    "levels": "0" * 25,
    "workers": [
        {"square": "b2", "seat": 1, "sex": "f"},
        {"square": "d4", "seat": 1},
        {"square": "b4", "seat": 2, "sex": "f"},
        {"square": "d2", "seat": 2},
    ],
}


def ask(client, position, **more):
    return client.post("/v1/analysis", json={"position": position} | more)


def small(name, count):
    return [v for v in islice(vectors(name), count) if "turns" in v or v["verdict"]]


@pytest.mark.parametrize(
    "name",
    ["duel-none", "duel-one-power", "trio", "solo4", "team4", "team4_split", "duel-golden_fleece"],
)
def test_legal_turns_are_those_of_the_vectors(client, name):
    for vector in small(name, 25):
        want = ["legal_turns", "legal_steps"]
        response = ask(client, vector["position"], want=want, limit=5000)
        assert response.status_code == 200, (vector["id"], response.text)
        body = response.json
        assert body["key"] == vector["key"]
        if vector["verdict"]:
            assert body["legal_turns"] == body["legal_steps"] == []
            continue
        found = [(t["notation"], t["key"], bool(t["winners"])) for t in body["legal_turns"]]
        assert found == [(line, key, winner is not None) for line, key, winner in vector["turns"]]
        assert body["truncated"] is False
        assert body["winners"] == []


def test_legal_steps_by_default(client):
    body = ask(client, EMPTY).json
    assert set(body) == {"seat", "key", "winners", "legal_steps"}
    assert body["seat"] == 1
    assert body["legal_steps"][0] == {"type": "move", "from": "b2", "to": "a1"}


def test_the_result_can_be_asked_on(client):
    body = ask(client, EMPTY, after="b2>b3 b3^c3", want=["result"]).json
    assert body["seat"] is None
    result = body["result"]
    assert result["to_move"] == {"seat": 2, "kind": "normal"}
    following = ask(client, result).json
    assert following["key"] == "duel/none|00000/00000/00100/00000/00000|b3,d4;b4,d2|S2n|;||"


def test_a_partial_turn(client):
    body = ask(client, EMPTY, after="b2>b3", want=["legal_steps", "result"]).json
    assert {step["type"] for step in body["legal_steps"]} == {"build"}
    assert body["result"]["to_move"]["seat"] == 1


def test_who_has_won(client):
    climb = EMPTY | {"levels": "0" * 15 + "02300" + "0" * 5}
    climb["workers"] = [
        {"square": "b2", "seat": 1},
        {"square": "e5", "seat": 2},
    ]
    assert ask(client, climb, after="b2>c2").json["winners"] == [1]
    stuck = EMPTY | {"workers": [{"square": "e5", "seat": 2}]}
    assert ask(client, stuck).json["winners"] == [2]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"workers": [{"square": "b2", "seat": seat} for seat in (1, 2)]}, "/workers/1/square"),
        ({"domes": ["b2"]}, "/workers/0/square"),
        ({"domes": ["c3", "c3"]}, "/domes/1"),
        ({"levels": "1" * 25}, "/levels"),
        ({"levels": "3" * 15 + "0" * 10}, "/levels"),
        ({"to_move": {"seat": 3}}, "/to_move/seat"),
        ({"workers": [{"square": f"a{n}", "seat": 1} for n in (1, 2, 3)]}, "/workers"),
        ({"powers": [{"seat": 1, "key": "apollo"}]}, "/powers"),
        (
            {"powers_mode": "gods", "powers": [{"seat": 1, "key": "zorro"}]},
            "/powers/0/key",
        ),
        (
            {
                "powers_mode": "gods",
                "powers": [{"seat": 1, "key": "atlas"}, {"seat": 2, "key": "gaea"}],
            },
            "/powers/1/key",
        ),
        (
            {
                "powers_mode": "gods",
                "powers": [{"seat": 1, "key": "pan"}, {"seat": 2, "key": "pan"}],
            },
            "/powers/1/key",
        ),
        ({"powers_mode": "golden_fleece"}, "/ram"),
        ({"ram": {"square": "c3", "power": "pan"}}, "/ram"),
        ({"pending": {"eliminated": [2]}}, "/pending/eliminated"),
        ({"pending": {"adonis": {"own": "a1", "other": "b4"}}}, "/pending/adonis"),
    ],
)
def test_an_impossible_position_is_named(client, change, pointer):
    response = ask(client, EMPTY | change)
    assert (response.status_code, response.json["code"]) == (422, "validation_failed"), (
        response.text
    )
    pointers = [flaw["pointer"] for flaw in response.json["errors"]]
    assert f"/position{pointer}" in pointers


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/position"),
        ({"position": None}, "/position"),
        ({"position": []}, "/position"),
        ({"position": {}}, "/position/variant"),
        ({"position": EMPTY | {"levels": "0" * 24}}, "/position/levels"),
        ({"position": EMPTY | {"levels": 0}}, "/position/levels"),
        ({"position": EMPTY | {"colour": 1}}, "/position/colour"),
        ({"position": EMPTY | {"workers": [{"square": "b2"}]}}, "/position/workers/0/seat"),
        ({"position": EMPTY | {"tokens": [{"name": "wind"}]}}, "/position/tokens/0/direction"),
        ({"position": EMPTY | {"pending": {"last_moved": []}}}, "/position/pending/last_moved"),
        ({"position": EMPTY, "want": []}, "/want"),
        ({"position": EMPTY, "want": ["gold"]}, "/want/0"),
        ({"position": EMPTY, "want": ["result", "result"]}, "/want"),
        ({"position": EMPTY, "limit": 0}, "/limit"),
        ({"position": EMPTY, "limit": "5"}, "/limit"),
        ({"position": EMPTY, "after": "hello"}, "/after"),
    ],
)
def test_a_malformed_question_is_named(client, body, pointer):
    response = client.post("/v1/analysis", json=body)
    assert (response.status_code, response.json["code"]) == (422, "validation_failed"), (
        response.text
    )
    assert response.json["errors"][0]["pointer"] == pointer


def test_an_illegal_step_is_explained(client):
    response = ask(client, EMPTY, after="b2>d4")
    assert response.json["code"] == "illegal_step"
    assert response.json["errors"][0]["pointer"] == "/after"
    assert response.json["legal_steps"]
