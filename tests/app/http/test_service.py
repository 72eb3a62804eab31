"""Limits, CORS, metrics, and every refusal that needs something to go wrong."""

import pytest
from gunicorn.http.errors import InvalidChunkSize

from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.http import limits
from app.http.limits import Bucket, Limiter
from app.services import StoreUnavailable
from app.wiring import build_services
from tests.app.http.conftest import app_of

ORIGIN = "https://play.example"


@pytest.fixture(scope="module")
def store():
    return MemoryStore()


@pytest.fixture(scope="module")
def shared(store):
    config = Config(cors_origins=(ORIGIN,), trusted_proxies=("127.0.0.1",))
    return app_of(build_services(config, store), config)


@pytest.fixture
def caller(shared):
    return shared.test_client()


def test_a_bucket_empties_and_fills_again():
    time = [0.0]
    limiter, bucket = Limiter(lambda: time[0]), Bucket(3, 2)
    assert [limiter.take("a", bucket) for _ in range(3)] == [0, 0, 0]
    assert limiter.take("a", bucket) == 0.5
    assert limiter.take("b", bucket) == 0
    time[0] = 0.5
    assert limiter.take("a", bucket) == 0
    assert limiter.take("a", bucket) > 0


def from_address(place):
    return {"X-Forwarded-For": place}


@pytest.fixture
def narrow(monkeypatch):
    """Small buckets, and a clock that stands still."""
    monkeypatch.setitem(limits.BUCKETS, "games.create_game", ("entrances", Bucket(3, 1)))
    monkeypatch.setattr(limits, "STRANGERS", Bucket(3, 1))


def still(app):
    app.extensions["limiter"]._clock = lambda: 0.0
    return app.test_client()


def test_creating_very_many_games_is_slowed_down(shared, narrow):
    caller = still(shared)
    answers = [
        caller.post("/v1/games", json={}, headers=from_address("192.0.2.1")) for _ in range(5)
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    assert answers[-1].json["code"] == "rate_limited"
    assert int(answers[-1].headers["Retry-After"]) >= 1
    other = caller.post("/v1/games", json={}, headers=from_address("192.0.2.2"))
    assert other.status_code == 201


def test_guessing_tokens_is_slowed_down(shared, narrow):
    caller = still(shared)
    game = caller.post("/v1/games", json={}, headers=from_address("192.0.2.3")).json["game"]["id"]
    headers = {"Authorization": "Bearer guess"} | from_address("192.0.2.4")
    codes = [caller.get(f"/v1/games/{game}", headers=headers).json["code"] for _ in range(5)]
    assert codes == [*["token_unknown"] * 3, "rate_limited", "rate_limited"]
    assert caller.get(f"/v1/games/{game}", headers=from_address("192.0.2.4")).status_code == 200


def test_an_address_that_nobody_vouches_for_is_not_believed(store, narrow):
    config = Config()
    client = still(app_of(build_services(config, store), config))
    answers = [
        client.post("/v1/games", json={}, headers=from_address(f"192.0.2.{n}")).status_code
        for n in range(5)
    ]
    assert answers == [201, 201, 201, 429, 429]


def test_a_page_of_a_configured_origin_may_read(caller):
    response = caller.get("/v1/variants", headers={"Origin": ORIGIN})
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    exposed = response.headers["Access-Control-Expose-Headers"].split(", ")
    assert exposed == ["ETag", "Location", "Link", "Retry-After", "Idempotency-Replayed"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Origin" in response.headers["Vary"]


@pytest.mark.parametrize("origin", ["https://evil.example", f"{ORIGIN}.evil.example", "null"])
def test_other_origins_may_not(caller, client, origin):
    for each in (caller, client):
        response = each.get("/v1/variants", headers={"Origin": origin})
        assert "Access-Control-Allow-Origin" not in response.headers


def test_a_preflight_is_answered(caller):
    headers = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    response = caller.options("/v1/games", headers=headers)
    assert (response.status_code, response.data) == (204, b"")
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert "Idempotency-Key" in response.headers["Access-Control-Allow-Headers"]


def test_metrics_count_requests_by_template(client, create):
    create().get()
    text = client.get("/metrics").text
    assert 'path="/v1/games/{game_id}",status="200"' in text
    assert "santorini_oldest_overdue_seconds 0.0" in text
    assert "santorini_waiting_requests" in text


def test_no_metric_names_a_game(client, create):
    table = create()
    table.get()
    assert table.id not in client.get("/metrics").text


class Broken:
    """A reader that fails in a way of its choice."""

    def __init__(self, error):
        self.error = error

    def read(self, *_):
        raise self.error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (StoreUnavailable("down"), 503, "store_unavailable"),
        (InvalidChunkSize(b"x"), 400, "malformed_request"),
        (ZeroDivisionError("secret"), 500, "internal_error"),
    ],
)
def test_trouble_is_told_as_a_problem(app, client, monkeypatch, error, status, code):
    services = app.extensions["santorini"]
    broken = type(services)(
        **{
            name: Broken(error) if name == "reader" else getattr(services, name)
            for name in services.__dataclass_fields__
        }
    )
    monkeypatch.setitem(app.extensions, "santorini", broken)
    response = client.get("/v1/games/AAAAAAAAAAAAAAAA")
    assert (response.status_code, response.json["code"]) == (status, code)
    assert "secret" not in response.text


def test_a_paused_service_refuses_commands_and_answers_questions(store, caller):
    place = from_address("192.0.2.9")
    game = caller.post("/v1/games", json={}, headers=place).json["game"]["id"]
    store.pause()
    try:
        response = caller.post("/v1/games", json={}, headers=place)
        assert (response.status_code, response.json["code"]) == (503, "paused")
        assert caller.get(f"/v1/games/{game}").status_code == 200
    finally:
        for shard in range(64):
            store.resume(shard)


def test_an_unready_store_is_named(store, caller, monkeypatch):
    monkeypatch.setattr(store, "check", lambda: ["appendonly is no"])
    response = caller.get("/readyz")
    assert (response.status_code, response.json["code"]) == (503, "store_unavailable")
    assert "appendonly" in response.json["detail"]
