"""Every body there is, changed in every place into everything it should not be."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from app.http.steps import STEP_SCHEMAS
from tests.security.conftest import created, started

GROUPS = ["simple", "advanced"]
POWERS: list[dict[str, Any]] = [
    {"mode": "none"},
    {"mode": "fixed", "seats": ["apollo", "mortal"]},
    {"mode": "random", "groups": GROUPS, "perfect_information": True},
    {"mode": "draft", "order": "bga", "offer": "quick", "groups": GROUPS},
    {"mode": "golden_fleece", "power": "pan"},
]
CREATE = [
    {
        "variant": "duel", "powers": powers, "placement": "free", "start_seat": "random",
        "turn_seconds": 60, "visibility": "unlisted", "seat": 1, "name": "Ada",
    }
    for powers in POWERS
]  # fmt: skip
MEMBERS = {
    "to": "a1", "from": "a2", "at": "a3", "piece": "dome", "token": "talus", "name": "power",
    "value": "apollo", "pairs": [["a1", "a2"], ["b1", "b2"], ["c1", "c2"], ["d1", "d2"]],
}  # fmt: skip
STEPS = [
    {"type": word}
    | {
        name: value
        for name, value in MEMBERS.items()
        if name in {f.data_key or n for n, f in schema().fields.items()}
    }
    for word, schema in STEP_SCHEMAS.items()
]
PLAY: list[dict[str, Any]] = [
    {"steps": STEPS, "expected_version": 5},
    {"notation": "+a1 +b1", "expected_version": 5},
]
POSITION = {
    "variant": "duel",
    "powers_mode": "gods",
    "to_move": {"seat": 1, "kind": "normal"},
    "levels": "0" * 25,
    "domes": ["e5"],
    "workers": [
        {"square": square, "seat": seat, "sex": sex}
        for square, seat, sex in (("a1", 1, "f"), ("b3", 1, "m"), ("d2", 2, "f"), ("d4", 2, "m"))
    ],
    "powers": [{"seat": 1, "key": "athena", "state": {"ban": False}}],
    "tokens": [],
    "pending": {"last_moved": {"1": "a1"}, "set_aside": [], "eliminated": []},
}
ANALYSIS: list[dict[str, Any]] = [
    {"position": POSITION, "after": "a1>a2", "want": ["legal_steps", "result"], "limit": 10}
]
EMPTY: list[dict[str, Any]] = [{}]

BODIES: list[tuple[str, list[dict[str, Any]]]] = [
    ("/v1/games", CREATE),
    ("/v1/games/{game_id}/seats", [{"name": "Bea", "seat": 2, "invite": "abc"}]),
    ("/v1/games/{game_id}/steps", PLAY),
    ("/v1/analysis", ANALYSIS),
    ("/v1/games/{game_id}/resignation", EMPTY),
    ("/v1/games/{game_id}/cancellation", EMPTY),
    ("/v1/games/{game_id}/rematch", EMPTY),
    ("/v1/games/{game_id}/tickets", EMPTY),
    ("/v1/games/{game_id}/seats/{seat}/token", EMPTY),
]
WRONG: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**400, -(10**400), 0.5, 1.0, -0.0, 1e300, "", "x",
    "0", "1", "true", "null", "\u0000", "\U0001f600", "a1\n", "a" * 5000, "__proto__", "$where",
    [], [None], [[]], [1], ["a1"] * 300, {}, {"": None}, {"$ne": None}, {"__class__": "x"},
    {"type": "move"}, {"mode": "none"},
]  # fmt: skip
STRANGE = [
    "unknown",
    "",
    "__proto__",
    "constructor",
    "a/b",
    "~",
    "Steps",
    " seat",
    "\u0000",
    "$ref",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a body, itself included."""
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:3]):
            yield from places(inner, (*path, index))


def at(body: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        body = body[part]
    return body


def replaced(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of a body with one value replaced."""
    if not path:
        return value
    body = copy.deepcopy(body)
    at(body, path[:-1])[path[-1]] = value
    return body


def pointer(path: tuple[Any, ...]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


@pytest.fixture(scope="module")
def judge(app):
    """Return what says whether a body is one that the contract describes."""
    document = app.extensions["contract"].document()
    resource = Resource(contents=document, specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:doc", resource)

    def fits(template: str, body: Any) -> bool:
        escaped = template.replace("~", "~0").replace("/", "~1")
        media = "content/application~1json/schema"
        where = f"urn:doc#/paths/{escaped}/post/requestBody/{media}"
        return Draft202012Validator({"$ref": where}, registry=registry).is_valid(body)

    return fits


@pytest.fixture(scope="module")
def send(client):
    game = started(client)
    open_game = created(client)

    def send(template: str, body: Any, raw: bytes | None = None) -> Any:
        table = open_game if template.endswith("/seats") else game
        path = template.replace("{game_id}", table.id).replace("{seat}", "1")
        headers = {"Authorization": f"Bearer {table.tokens[1]}"}
        data = json.dumps(body).encode() if raw is None else raw
        return client.post(path, data=data, content_type="application/json", headers=headers)

    return send


def refused(response: Any, where: Any) -> None:
    assert response.status_code in (413, 422), (where, response.text[:300])
    assert response.json["code"] in ("validation_failed", "body_too_large", "incompatible_powers")


def test_the_bodies_are_all_there_are(app):
    document = app.extensions["contract"].document()
    posts = {p for p, item in document["paths"].items() if "requestBody" in item.get("post", {})}
    assert posts == {template for template, _ in BODIES}


def test_the_bodies_are_right_before_they_are_changed(judge):
    for template, bodies in BODIES:
        for body in bodies:
            assert judge(template, body), (template, body)


@pytest.mark.parametrize(("template", "bodies"), BODIES, ids=[name for name, _ in BODIES])
def test_no_value_of_another_type_gets_through(judge, send, template, bodies):
    tried = 0
    for body in bodies:
        paths = list(places(body))
        # Of a body with many places each place meets some of the values, and all values come.
        share = 1 if len(paths) < 8 else 4
        for number, path in enumerate(paths):
            for value in WRONG[number % share :: share]:
                changed = replaced(body, path, value)
                if judge(template, changed):
                    continue
                response = send(template, changed)
                refused(response, (template, path, value))
                tried += 1
                for flaw in response.json.get("errors", []):
                    assert flaw["pointer"].startswith(pointer(path[:1]))
    assert tried >= len(WRONG) - 8


@pytest.mark.parametrize(("template", "bodies"), BODIES, ids=[name for name, _ in BODIES])
def test_no_unknown_member_gets_through_anywhere(send, template, bodies):
    for body in bodies:
        for path in places(body):
            if isinstance(at(body, path), dict):
                for name in STRANGE:
                    changed = replaced(body, path, at(body, path) | {name: 1})
                    response = send(template, changed)
                    refused(response, (template, path, name))
                    found = [flaw["pointer"] for flaw in response.json["errors"]]
                    assert any(f.startswith(pointer((*path, name))) for f in found), (path, found)


@pytest.mark.parametrize(("template", "bodies"), BODIES, ids=[name for name, _ in BODIES])
def test_no_member_stands_twice_anywhere(send, template, bodies):
    for body in bodies:
        for path in places(body):
            inner = at(body, path)
            if isinstance(inner, dict) and inner:
                name = next(iter(inner))
                again = json.dumps(inner)[:-1] + f', "{name}": {json.dumps(inner[name])}}}'
                marked = json.dumps(replaced(body, path, "@@@"))
                response = send(template, None, marked.replace('"@@@"', again).encode())
                assert (response.status_code, response.json["code"]) == (400, "malformed_json")


@pytest.mark.parametrize(("template", "bodies"), BODIES, ids=[name for name, _ in BODIES])
def test_nothing_that_is_no_json_gets_through_anywhere(send, template, bodies):
    words = (
        "NaN", "Infinity", "-Infinity", "undefined", "0x1", "01", "1.", ".5", "+1", "1e", "'a'",
        '"\\x41"', '"\\ud800"', '"\n"', "[1,]", "{a:1}", "[" * 40 + "]" * 40, "/**/1", "True",
    )  # fmt: skip
    for body in bodies:
        for path in places(body):
            marked = json.dumps(replaced(body, path, "@@@"))
            for word in words:
                response = send(template, None, marked.replace('"@@@"', word).encode())
                assert response.status_code == 400, (path, word, response.text)
                assert response.json["code"] == "malformed_json", (path, word)


def test_nothing_was_changed_by_all_this(client, send):
    """Neither game has moved, and no body was half taken."""
    for template in ("/v1/games/{game_id}/steps", "/v1/games/{game_id}/seats"):
        refusal = send(template, {"nonsense": 1})
        game_id = refusal.json["instance"].split("/")[3]
        game = client.get(f"/v1/games/{game_id}").json
        assert game["version"] == (5 if game["status"] != "open" else 2)
