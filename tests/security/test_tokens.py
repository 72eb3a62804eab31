"""Nobody acts for another seat: every route that changes something, every kind of wrong token."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

import pytest

from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.http.contract import template_of
from app.services.access import reader_of
from app.services.tokens import token_hash
from app.wiring import build_services
from tests.app.http.conftest import app_of
from tests.security.conftest import created, started, told

OPEN_TO_ALL = {"/v1/games", "/v1/games/{game_id}/seats", "/v1/analysis"}
"""Writes that no token is needed for: they make one, or change nothing."""
BODIES: dict[str, Any] = {"/v1/games/{game_id}/steps": {"notation": "+b2 +d4"}}
SUFFIXES = [
    "", "/events", "/events/1", "/legal-steps", "/legal-turns", "/record", "/board.svg",
    "/board.txt", "/verification",
]  # fmt: skip


def write_routes(app: Any) -> list[tuple[str, str]]:
    """List method and template of every route that changes something."""
    return sorted(
        (method, template_of(rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods & {"POST", "PUT", "PATCH", "DELETE"}
    )


def guarded(app: Any) -> list[tuple[str, str]]:
    return [route for route in write_routes(app) if route[1] not in OPEN_TO_ALL]


def send(client: Any, route: tuple[str, str], game_id: str, **headers: str) -> Any:
    method, template = route
    path = template.replace("{game_id}", game_id).replace("{seat}", "2")
    body = BODIES.get(template, {})
    more = {} if method == "DELETE" else {"json": body}
    return client.open(path, method=method, headers=headers, **more)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def wrong(client):
    """Tokens that are no seat's of the game (any more), and the game."""
    table = created(client, variant="trio", start_seat=1)
    left = client.post(table.path + "/seats", json={}).json["token"]
    assert client.delete(f"{table.path}/seats/2", headers=bearer(left)).status_code == 204
    table.join()
    replaced = table.tokens[2]
    table.tokens[2] = table.post("/seats/2/token", {}, 2).json["token"]
    table.join()
    other = started(client)
    return table, {
        "never one": secrets.token_urlsafe(32),
        "of another game": other.tokens[2],
        "of a seat that was left": left,
        "replaced": replaced,
        "a hash": token_hash(table.tokens[2]),
        "one letter off": table.tokens[2][:-1] + ("A" if table.tokens[2][-1] != "A" else "Q"),
        "short": "x",
    }


def test_the_walk_meets_every_write(app):
    assert {template for _, template in guarded(app)} == {
        "/v1/games/{game_id}/cancellation",
        "/v1/games/{game_id}/rematch",
        "/v1/games/{game_id}/resignation",
        "/v1/games/{game_id}/seats/{seat}",
        "/v1/games/{game_id}/seats/{seat}/token",
        "/v1/games/{game_id}/steps",
        "/v1/games/{game_id}/tickets",
    }


def test_every_wrong_token_gets_the_same_refusal_on_every_write(app, client, wrong):
    table, tokens = wrong
    before = told(table.get("/events"))
    for route in guarded(app):
        answers = {
            kind: told(send(client, route, table.id, **bearer(token)))
            for kind, token in tokens.items()
        }
        first = answers["never one"]
        assert first[0] == 401
        assert first[2]["code"] == "token_unknown"
        assert dict(first[1])["WWW-Authenticate"].startswith("Bearer")
        assert answers == dict.fromkeys(tokens, first), route
    assert told(table.get("/events")) == before


def test_every_wrong_token_gets_the_same_refusal_on_every_read(client, wrong):
    table, tokens = wrong
    for suffix in SUFFIXES:
        answers = {kind: told(table.get(suffix, token)) for kind, token in tokens.items()}
        assert answers["never one"][0] == 401
        assert answers == dict.fromkeys(tokens, answers["never one"]), suffix


def test_wrong_tokens_list_no_games(client, wrong):
    _, tokens = wrong
    answers = [client.get("/v1/games?to_move=me", headers=bearer(t)).json for t in tokens.values()]
    assert answers == [{"games": []}] * len(tokens)


def test_no_token_is_told_apart_from_a_wrong_one_by_its_code_alone(app, client, wrong):
    table, _ = wrong
    for route in guarded(app):
        response = send(client, route, table.id)
        assert (response.status_code, response.json["code"]) == (401, "token_required"), route


MALFORMED = [
    "Bearer", "Bearer ", "Bearer a b", "Bearer \u00e9", "Bearer \"x\"", "Bearer " + "x" * 4000,
    "Bearer x,y", "Bearer ../../x", "Bearer x\ty", "bearer\tx", "Basic dXNlcjpwYXNz", "Digest x",
    "Token x", "x", "Bearer null", "Bearer undefined", "Bearer 0", "Bearer *", "Bearer :seat:1",
    "Bearer reserved", "Bearer RESERVED", "Bearer invite",
]  # fmt: skip


@pytest.mark.parametrize("given", MALFORMED)
def test_a_malformed_token_is_refused_on_every_write(app, client, wrong, given):
    table, _ = wrong
    before = table.game()["version"]
    for route in guarded(app):
        response = send(client, route, table.id, Authorization=given)
        assert response.status_code == 401, route
        assert response.json["code"] in ("token_required", "token_unknown")
        assert response.json["code"] == "token_unknown" or not given.lower().startswith("bearer ")
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert table.game()["version"] == before


def test_a_malformed_token_opens_nothing_to_read_either(client, wrong):
    table, _ = wrong
    for given in MALFORMED:
        for suffix in SUFFIXES:
            assert table.get(suffix, Authorization=given).status_code == 401


def test_another_seats_token_is_no_key_to_this_one(app, client):
    table = started(client)
    for route in guarded(app):
        response = send(client, route, table.id, **bearer(table.tokens[1]))
        if "{seat}" in route[1]:
            assert (response.status_code, response.json["code"]) == (403, "not_your_seat")


def test_tokens_stand_in_no_other_place(client):
    table = started(client)
    token = table.tokens[1]
    for request in (
        {"query_string": {"token": token}},
        {"query_string": {"access_token": token}},
        {"json": {"notation": "+b2 +d4", "token": token}},
        {"headers": {"Cookie": f"token={token}"}, "json": {"notation": "+b2 +d4"}},
        {"headers": {"X-Authorization": f"Bearer {token}"}, "json": {"notation": "+b2 +d4"}},
        {"headers": {"Proxy-Authorization": f"Bearer {token}"}, "json": {"notation": "+b2 +d4"}},
    ):
        response = client.post(f"{table.path}/steps", **request)
        assert response.status_code in (400, 401, 415, 422)
        assert token not in response.text
    assert table.game()["turn"]["seat"] == 1


# -- private games ------------------------------------------------------------------------------


def test_a_private_game_cannot_be_told_from_none(app, client, wrong):
    private = created(client, visibility="private")
    playing = created(client, visibility="private", start_seat=1)
    playing.join()
    missing = "A" * len(private.id)
    for authorised in ({}, bearer(wrong[1]["of another game"]), bearer(secrets.token_urlsafe(32))):
        for route in [*guarded(app), ("POST", "/v1/games/{game_id}/seats")]:
            answers = [
                told(send(client, route, one, **authorised))
                for one in (missing, private.id, playing.id)
            ]
            assert answers[0][0] == 404, route
            assert answers == [answers[0]] * 3, route
        for suffix in [*SUFFIXES, "?version=1", "?version=99", "/events/99", "?wait=1&after=0"]:
            answers = [
                told(client.get(f"/v1/games/{one}{suffix}", headers=authorised))
                for one in (missing, private.id, playing.id)
            ]
            assert answers[0][0] == 404, suffix
            assert answers == [answers[0]] * 3, suffix


def test_a_private_game_cannot_be_told_from_none_during_a_pause():
    store, config = MemoryStore(), Config(rate_limits="off")
    app = app_of(build_services(config, store), config)
    client = app.test_client()
    private = created(client, visibility="private")
    store.pause()
    for route in [*guarded(app), ("POST", "/v1/games/{game_id}/seats")]:
        missing, there = (
            told(send(client, route, one, **bearer("x" * 43))) for one in ("A" * 16, private.id)
        )
        assert missing == there, route


def test_a_wrong_invite_is_no_invite(client):
    private = created(client, visibility="private")
    for invite in ("x", token_hash(private.invite), private.tokens[1], private.invite.lower()):
        response = private.post("/seats", {"invite": invite})
        assert (response.status_code, response.json["code"]) == (404, "not_found")
    for token in (private.invite,):
        assert private.get("", token).status_code == 404, "an invite is no token"
    assert private.post("/seats", {"invite": private.invite}).status_code == 201


# -- the life of a token ------------------------------------------------------------------------


def test_a_token_is_long_random_and_shown_once(client):
    tables = [started(client) for _ in range(20)]
    tokens = [token for table in tables for token in table.tokens.values()]
    assert len(set(tokens)) == len(tokens)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)
    for table in tables[:3]:
        for suffix in SUFFIXES:
            assert not [t for t in table.tokens.values() if t in table.get(suffix, 1).text]


def test_the_store_knows_a_token_by_its_hash_alone(app, client):
    table = started(client)
    load = app.extensions["santorini"].reader._ledger.store.load
    for seat, token in table.tokens.items():
        role = load(table.id, token_hash=token_hash(token)).role
        assert role.endswith(f":{seat}")
        assert load(table.id, token_hash=token).role is None
    digest = hashlib.sha256(table.tokens[1].encode()).digest()
    assert len(token_hash(table.tokens[1])) == 43
    assert token_hash(table.tokens[1]) not in (table.tokens[1], digest.hex())


def test_a_renewed_token_takes_over_and_the_old_one_can_only_repeat(app, client):
    table = started(client)
    old = table.tokens[2]
    key = {"Idempotency-Key": secrets.token_urlsafe(16)}
    step_key = {"Idempotency-Key": "an-earlier-command"}
    table.post("/steps", {"notation": "+b2 +d4"}, 1)
    assert table.post("/steps", {"notation": "+b4 +d2"}, 2, **step_key).status_code == 201
    first = table.post("/seats/2/token", {}, old, **key)
    new = first.json["token"]
    assert (first.status_code, new != old) == (201, True)
    again = table.post("/seats/2/token", {}, old, **key)
    assert (again.json["token"], again.headers["Idempotency-Replayed"]) == (new, "true")
    for route in guarded(app):
        assert send(client, route, table.id, **bearer(old)).json["code"] == "token_unknown"
    for headers in ({"Idempotency-Key": secrets.token_urlsafe(16)}, {}):
        assert table.post("/seats/2/token", {}, old, **headers).status_code == 401
    assert table.post("/steps", {"notation": "+b4 +d2"}, old, **step_key).status_code == 401
    assert table.post("/seats/1/token", {}, old, **key).status_code in (401, 403)
    assert table.get("", old).status_code == 401
    assert table.get("", new).status_code == 200
    assert table.post("/seats/2/token", {}, new).json["token"] not in (old, new)


def test_of_two_who_renew_at_once_one_does(client):
    table = started(client)
    old = table.tokens[2]
    first = table.post("/seats/2/token", {}, old)
    second = table.post("/seats/2/token", {}, old)
    assert (first.status_code, second.status_code) == (201, 401)


def test_a_left_seats_token_is_dead_for_good(app, client):
    table = created(client, variant="trio")
    seat = table.join()
    key = {"Idempotency-Key": secrets.token_urlsafe(16)}
    renewed = table.post(f"/seats/{seat}/token", {}, seat, **key).json["token"]
    assert client.delete(f"{table.path}/seats/2", headers=bearer(renewed)).status_code == 204
    heir = table.join()
    for token in (table.tokens[seat], renewed):
        if token != table.tokens[heir]:
            for route in guarded(app):
                assert send(client, route, table.id, **bearer(token)).status_code == 401
    assert table.post("/seats/2/token", {}, renewed, **key).status_code == 401


def test_a_refusal_takes_the_same_way_for_every_token(app, client, wrong, monkeypatch):
    """One lookup by hash whatever the token is: nothing to be measured letter by letter."""
    table, tokens = wrong
    store = app.extensions["santorini"].reader._ledger.store
    calls: list[tuple[str, tuple[str, ...]]] = []
    for name in ("load", "append", "renew_token"):

        def spy(*args: Any, _name: str = name, _real: Any = getattr(store, name), **more: Any):
            calls.append((_name, tuple(sorted(more))))
            return _real(*args, **more)

        monkeypatch.setattr(store, name, spy)
    for route in guarded(app):
        ways = set()
        for token in tokens.values():
            calls.clear()
            assert send(client, route, table.id, **bearer(token)).status_code == 401
            ways.add(tuple(calls))
        assert len(ways) == 1, (route, ways)
        assert [name for name, _ in next(iter(ways))] == ["load"], route


def test_tokens_are_compared_by_nothing_but_a_lookup_of_their_hash():
    """``reader_of`` sees a role, never a token it could compare."""
    names = reader_of.__code__.co_names
    assert "token_hash" in names
    assert reader_of.__annotations__["loaded"] == "Loaded"


# -- tickets ------------------------------------------------------------------------------------


def test_a_ticket_is_good_once_and_for_its_own_game(client):
    table, other = started(client), started(client)
    ticket = table.post("/tickets", {}, 1).json["ticket"]
    assert other.get(f"/events?ticket={ticket}").json["code"] == "token_unknown"
    ticket = table.post("/tickets", {}, 1).json["ticket"]
    page = table.get(f"/events?ticket={ticket}&limit=1")
    assert page.status_code == 200
    assert ticket not in page.text + str(page.headers)
    assert "private" in page.headers["Cache-Control"]
    again = table.get(f"/events?ticket={ticket}")
    assert (again.status_code, again.json["code"]) == (401, "token_unknown")
    for path in ("", "/legal-steps", "/record"):
        fresh = table.post("/tickets", {}, 1).json["ticket"]
        assert table.get(f"{path}?ticket={fresh}").json["code"] == "unknown_parameter"
        assert table.get("", fresh).status_code == 401


def test_a_ticket_is_not_its_token(client):
    table = started(client)
    ticket = table.post("/tickets", {}, 1).json["ticket"]
    assert ticket != table.tokens[1]
    assert table.tokens[1] not in table.get(f"/events?ticket={ticket}").text
