"""Nobody takes the service from the others: by rate, by cost, or by telling lies about itself."""

from __future__ import annotations

import random
import secrets
import time

import pytest

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.http.limits import SEARCHING, Limiter
from app.wiring import build_services
from domain.board.geometry import NAMES
from tests.security.conftest import created, started


def served(**config):
    made = Config(**config)
    return create_app(made, build_services(made, MemoryStore()))


@pytest.fixture(scope="module")
def limited():
    return served(trusted_proxies=("127.0.0.1", "10.0.0.1"))


def wide(key: str) -> dict[str, object]:
    """A position with very many turns: Hermes moves without end, Heracles builds without end."""
    squares = random.Random(1).sample(NAMES, 4)
    seats = [1, 1, 2, 2]
    return {
        "variant": "duel",
        "powers_mode": "gods",
        "to_move": {"seat": 1},
        "levels": "0" * 25,
        "workers": [{"square": s, "seat": n} for s, n in zip(squares, seats, strict=True)],
        "powers": [{"seat": 1, "key": key}],
    }


def test_no_position_costs_more_than_a_few_seconds(client):
    begin = time.process_time()
    body = {"position": wide("heracles"), "want": ["legal_turns", "legal_steps"], "limit": 5000}
    response = client.post("/v1/analysis", json=body)
    assert response.status_code == 200
    assert response.json["truncated"] is True
    assert response.json["legal_turns"]
    assert time.process_time() - begin < 8


def test_searches_are_paid_by_the_second():
    now = [0.0]
    limiter = Limiter(lambda: now[0])
    assert limiter.look("a", SEARCHING) == 0
    limiter.charge("a", SEARCHING, SEARCHING.size + 10)
    assert limiter.look("a", SEARCHING) == pytest.approx(11 / SEARCHING.per_second)
    assert limiter.look("b", SEARCHING) == 0
    now[0] = 11 / SEARCHING.per_second
    assert limiter.look("a", SEARCHING) == 0


def test_whoever_has_searched_for_long_waits_and_plays_on(limited):
    client, place = limited.test_client(), {"X-Forwarded-For": "192.0.2.77"}
    table = started(client)
    limited.extensions["limiter"].charge("searching 192.0.2.77", SEARCHING, 1000)
    body = {"position": wide("hermes"), "want": ["legal_steps"]}
    refused = client.post("/v1/analysis", json=body, headers=place)
    assert (refused.status_code, refused.json["code"]) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) > 100
    assert table.get("/legal-turns", 1, **place).status_code == 429
    assert table.get("/verification", **place).status_code == 429
    assert table.post("/steps", {"notation": "+b2 +d4"}, 1, **place).status_code == 201
    assert client.post("/v1/analysis", json=body).status_code == 200, "others search on"


@pytest.mark.parametrize("path", ["/v1/games", "/v1/analysis"])
def test_a_new_token_for_each_request_buys_no_new_bucket(path):
    client = served().test_client()
    answers = [
        client.post(
            path,
            json={"nonsense": 1},
            headers={"Authorization": f"Bearer {secrets.token_urlsafe(32)}"},
        ).status_code
        for _ in range(700)
    ]
    assert 429 in answers


def test_a_new_token_for_each_request_is_soon_refused(limited):
    client = limited.test_client()
    table = started(client)
    place = {"X-Forwarded-For": "192.0.2.50"}
    answers = [
        table.post("/steps", {"notation": "+a1 +a2"}, secrets.token_urlsafe(32), **place)
        for _ in range(150)
    ]
    assert {a.status_code for a in answers} == {401, 429}
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert table.post("/steps", {"notation": "+b2 +d4"}, 1).status_code == 201


def placed(client, forwarded: str, peer: str) -> str:
    """Return the address that a request is reckoned to come from."""
    levels = client.application.extensions["limiter"]._levels
    levels.clear()
    client.post(
        "/v1/games", json={}, headers={"X-Forwarded-For": forwarded},
        environ_overrides={"REMOTE_ADDR": peer},
    )  # fmt: skip
    (key,) = levels
    return key.removeprefix("entrances ")


@pytest.mark.parametrize(
    ("forwarded", "peer", "taken"),
    [
        ("192.0.2.1", "203.0.113.9", "203.0.113.9"),
        ("192.0.2.1", "127.0.0.1", "192.0.2.1"),
        ("198.51.100.1, 192.0.2.1", "127.0.0.1", "192.0.2.1"),
        ("198.51.100.1, 192.0.2.1, 10.0.0.1", "127.0.0.1", "192.0.2.1"),
        ("127.0.0.1, 192.0.2.1", "127.0.0.1", "192.0.2.1"),
        ("", "127.0.0.1", "127.0.0.1"),
        (" , ", "127.0.0.1", "127.0.0.1"),
        ("10.0.0.1", "127.0.0.1", "10.0.0.1"),
    ],
)
def test_an_address_is_believed_as_far_as_proxies_are_trusted(limited, forwarded, peer, taken):
    assert placed(limited.test_client(), forwarded, peer) == taken


def test_no_proxy_is_trusted_unless_configured():
    client = served().test_client()
    assert placed(client, "192.0.2.1", "127.0.0.1") == "127.0.0.1"


def test_playing_as_fast_as_a_bot_can_is_never_limited():
    """One address, one game after the other, asking for the legal steps before each step."""
    client = served().test_client()
    dice, asked = random.Random(5), 0
    until = time.monotonic() + 2.5
    while time.monotonic() < until:
        table = started(client)
        for _ in range(40):
            turn = table.game()["turn"]
            if turn is None:
                break
            legal = table.get("/legal-steps", turn["seat"])
            step = dice.choice(legal.json["steps"])
            played = table.post("/steps", {"steps": [step]}, turn["seat"])
            assert (legal.status_code, played.status_code) == (200, 201), played.text
            asked += 1
    assert asked > 100


def test_hundreds_of_moves_at_once_are_never_limited():
    client = served().test_client()
    table = created(client)
    token = table.tokens[1]
    answers = [table.post("/steps", {"notation": "+a1 +a2"}, token) for _ in range(500)]
    assert {answer.json["code"] for answer in answers} == {"game_not_started"}
