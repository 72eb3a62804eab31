"""What is secret stands in one answer and nowhere else: not in a log, a metric, or the store."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import random
import re
import secrets
from base64 import b64decode, b64encode, urlsafe_b64encode
from typing import Any

import pytest
import redis

from app import create_app
from app.config import Config
from app.http.problems import TABLE
from app.logs import FORMAT, OneLine
from app.services.tokens import token_hash
from app.wiring import build_services, build_store
from tests.app.http.conftest import Table
from tests.security.conftest import created
from tests.servers import redis_server
from workers.main import Enqueuer


class Ear(logging.Handler):
    """Keeps the log as it would be written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(OneLine(FORMAT))
        self.text = io.StringIO()

    def emit(self, record: logging.LogRecord) -> None:
        self.text.write(self.format(record) + "\n")


class Evening:
    """A few games, everything secret in them, and everything that was said."""

    def __init__(self, app: Any) -> None:
        self.client = app.test_client()
        self.secrets: dict[str, str] = {}
        self.answers: list[tuple[str, str]] = []
        self.issued: dict[str, int] = {}
        send = self.client.open

        def keep(*args: Any, **more: Any) -> Any:
            response = send(*args, **more)
            text = f"{response.status}\n{response.headers}\n{response.text}"
            self.answers.append((response.request.path, text))
            return response

        self.client.open = keep

    def key(self) -> dict[str, str]:
        key = secrets.token_urlsafe(18)
        self.secrets[f"key {len(self.secrets)}"] = key
        return {"Idempotency-Key": key}

    def know(self, what: str, value: str | None) -> None:
        if value is not None:
            self.secrets[f"{what} {len(self.secrets)}"] = value

    def table(self, **settings: Any) -> Table:
        body = self.client.post("/v1/games", json=settings, headers=self.key()).json
        table = Table(self.client, body["game"]["id"], invite=body.get("invite"))
        self.know("token", body["token"])
        self.know("invite", table.invite)
        table.tokens[body["seat"]] = body["token"]
        while table.game(1)["status"] == "open":
            join = {"invite": table.invite} if table.invite else {}
            seated = table.post("/seats", join, **self.key()).json
            self.know("token", seated["token"])
            table.tokens[seated["seat"]] = seated["token"]
        return table

    def play(self, table: Table, dice: random.Random, steps: int) -> None:
        for _ in range(steps):
            turn = table.game(1)["turn"]
            if turn is None:
                return
            step = dice.choice(table.get("/legal-steps", turn["seat"]).json["steps"])
            table.post("/steps", {"steps": [step]}, turn["seat"], **self.key())

    def gossip(self, table: Table) -> None:
        """Ask everything, as a player and as a stranger, and do everything wrong."""
        for seat in (None, 1, "a-wrong-token"):
            for suffix in (
                "", "/events", "/record", "/legal-steps", "/legal-turns", "/board.svg",
                "/board.txt", "/verification", "/events/1", "/events/99", "?version=2", "/seats",
            ):  # fmt: skip
                table.get(suffix, seat)
        ticket = table.post("/tickets", {}, 2, **self.key()).json["ticket"]
        self.know("ticket", ticket)
        self.know("ticket", table.post("/tickets", {}, 2).json["ticket"])
        table.get(f"/events?ticket={ticket}&limit=1")
        table.get(f"/events?ticket={ticket}")
        table.post("/steps", {"notation": "+a1", "token": table.tokens[1]}, 1)
        table.post("/steps", {"notation": table.tokens[1]}, 1)
        table.get(f"/{table.tokens[1]}")
        table.get("", f"{table.tokens[1]}x")
        table.post("/seats/1/token", {}, 2)
        key = self.key()
        renewed = table.post("/seats/2/token", {}, 2, **key).json
        table.post("/seats/2/token", {}, 2, **key)
        table.tokens[2] = renewed["token"]
        self.know("token", renewed["token"])


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    ear, dice = Ear(), random.Random(11)
    root = logging.getLogger()
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.DEBUG)
    with redis_server(tmp_path_factory.mktemp("leaks")) as server:
        config = Config(redis_url=server.url, rate_limits="off")
        store = build_store(config)
        app = create_app(config, build_services(config))
        one = Evening(app)
        for settings in (
            {"start_seat": 1},
            {"visibility": "private", "start_seat": 1},
            {"powers": {"mode": "fixed", "seats": ["hecate", "apollo"]}},
        ):
            table = one.table(**settings)
            one.play(table, dice, 30)
            one.gossip(table)
            table.post("/resignation", {}, 1, **one.key())
            table.post("/rematch", {}, 1, **one.key())
            table.post("/rematch", {}, 2, **one.key())
        left = created(one.client)
        one.know("token", left.tokens[1])
        one.client.delete(f"{left.path}/seats/1", headers=left.headers(1) | one.key())
        for shard in range(64):
            for game_id in store.open_games(shard):
                one.know("secret", store.load(game_id).meta.secret)
        Enqueuer(config, "owner")([3])
        metrics = one.client.get("/metrics").text
        with redis.Redis.from_url(server.url) as client:
            dump = {name.decode("latin-1"): content(client, name) for name in client.keys("*")}
        logs = [store.load(found["id"]) for found in one.client.get("/v1/games").json["games"]]
        root.removeHandler(ear)
        root.setLevel(level)
        yield one, ear.text.getvalue(), metrics, dump, logs


def content(client: redis.Redis, name: bytes) -> str:
    """Return all that stands under a key, as text."""
    read = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"set": client.smembers,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"list": lambda key: client.lrange(key, 0, -1),
        b"stream": lambda key: client.xrange(key),
    }[client.type(name)]
    return repr(read(name))


def forms(secret: str) -> list[str]:
    """Return a secret as it is, and as somebody might have written it down."""
    digest = hashlib.sha256(secret.encode())
    return [
        secret,
        b64encode(secret.encode()).decode().rstrip("="),
        digest.hexdigest(),
        b64encode(digest.digest()).decode().rstrip("="),
        urlsafe_b64encode(digest.digest()).decode().rstrip("="),
    ]


def test_the_evening_was_worth_it(evening):
    one, log, _, dump, logs = evening
    assert len([name for name in one.secrets if name.startswith("token")]) > 8
    assert len([name for name in one.secrets if name.startswith("key")]) > 50
    assert {name.split()[0] for name in one.secrets} == {
        "key", "token", "invite", "ticket", "secret",
    }  # fmt: skip
    assert len(dump) > 30
    assert len(logs) >= 3
    assert log.count("\n") > 200


def test_no_log_line_tells_a_secret(evening):
    one, log, *_ = evening
    assert not [what for what, secret in one.secrets.items() for f in forms(secret) if f in log]
    assert "Bearer" not in log


def test_no_metric_tells_a_secret_or_a_game(evening):
    one, _, metrics, _, logs = evening
    assert not [what for what, secret in one.secrets.items() for f in forms(secret) if f in metrics]
    assert not [loaded for loaded in logs if loaded.events[0]["game_id"] in metrics]


def test_an_answer_tells_a_token_only_when_it_is_given_out(evening):
    one, *_ = evening
    for what, secret in one.secrets.items():
        kind = what.split()[0]
        for path, text in one.answers:
            found = [form for form in forms(secret) if form in text]
            if not found:
                continue
            assert found == [secret], (what, path)
            given_out = {
                "token": r"/v1/games(/[\w-]+/seats(/\d/token)?)?",
                "invite": r"/v1/games",
                "ticket": r"/v1/games/[\w-]+/tickets",
            }[kind]
            if not re.fullmatch(given_out, path):
                shown = json.loads(text.partition("\r\n\r\n")[2])
                assert shown.get("instance") == path, "a caller's own path, told back"


def test_the_store_holds_hashes_where_they_belong_and_nothing_else(evening):
    one, _, _, dump, _ = evening
    for what, secret in one.secrets.items():
        kind = what.split()[0]
        plain, *others = forms(secret)
        for name, text in dump.items():
            stands = plain in text or plain in name
            if kind == "secret":
                assert not stands or re.fullmatch(r"santorini:\{s\d\d\}:g:[\w-]+", name)
            else:
                assert not stands, (what, name)
            hashed = [form for form in others if form in text or form in name]
            if hashed:
                assert kind in ("token", "invite"), (what, name)
                assert set(hashed) == {token_hash(secret)}
                place = r"santorini:\{s\d\d\}:(g:[\w-]+(:seats)?|turn:[\w-]+)"
                assert re.fullmatch(place, name), (what, name)


def test_no_event_holds_a_token_its_hash_or_a_key(evening):
    one, *_, logs = evening
    text = json.dumps([loaded.events for loaded in logs])
    assert not [what for what, secret in one.secrets.items() for f in forms(secret) if f in text]


def test_a_sealed_answer_opens_with_its_key_alone(evening):
    """What brings a token back is kept encrypted; the store alone cannot read it."""
    one, _, _, dump, _ = evening
    boxes = {name: text for name, text in dump.items() if ":answer:" in name}
    assert boxes
    for text in boxes.values():
        assert "token" not in text
        assert "game_id" not in text
    hidden = [b64decode(b64encode(text.encode())) for text in boxes.values()]
    assert not [s for s in one.secrets.values() for box in hidden if s.encode() in box]


def test_jobs_hold_a_shard_and_nothing_of_a_game(evening):
    *_, dump, _ = evening
    jobs = [text for name, text in dump.items() if name.startswith("rq:job") or ":job:" in name]
    assert jobs
    assert all("run_due" in text for text in jobs)


# -- the log ------------------------------------------------------------------------------------


@pytest.fixture
def ear(monkeypatch):
    one = Ear()
    root = logging.getLogger()
    monkeypatch.setattr(root, "level", logging.DEBUG)
    root.addHandler(one)
    logging.getLogger("santorini.requests").setLevel(logging.DEBUG)
    yield one
    root.removeHandler(one)


FORGED = "2026-11-30 10:00:00,000 CRITICAL forged"


@pytest.mark.parametrize(
    "end", ["\r\n", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[2K", "\0"]
)
def test_nobody_writes_a_line_of_the_log(app, client, ear, end):
    hostile = f"x{end}{FORGED}"
    client.get("/v1/games/" + hostile.encode().hex())
    client.get(f"/v1/{hostile}")
    client.get("/v1/games", query_string={"player": hostile, hostile: hostile})
    client.post("/v1/games", json={"name": hostile, hostile: 1})
    for header in ("X-Request-ID", "User-Agent", "Authorization", "Idempotency-Key", "If-Match"):
        environ = {f"HTTP_{header.upper().replace('-', '_')}": hostile.encode().decode("latin-1")}
        client.post("/v1/games", json={}, environ_overrides=environ)
    client.open("/v1/games", method="X" + FORGED)
    lines = ear.text.getvalue().split("\n")
    assert len(lines) > 8
    assert "CRITICAL" not in ear.text.getvalue()


def test_a_hostile_message_stays_one_line(ear):
    for end in ("\r\n", "\n", "\u2028", "\x85", "\x1b]0;x\x07"):
        logging.getLogger("any").warning("said: %s", f"x{end}{FORGED}")
        try:
            raise ValueError(f"x{end}{FORGED}")
        except ValueError:
            logging.getLogger("any").exception("it broke")
    lines = ear.text.getvalue().splitlines()
    assert len([line for line in lines if not line.startswith("    ")]) == 10, "two for each end"
    assert not [line for line in lines if line.startswith(FORGED)]
    assert "\x1b" not in ear.text.getvalue()


def test_a_line_names_request_path_game_and_status(client, ear):
    table = created(client)
    table.get("", 1, **{"X-Request-ID": "my-own.id"})
    line = ear.text.getvalue().splitlines()[-1]
    assert "GET /v1/games/{game_id} status=200" in line
    assert f"game={table.id}" in line
    assert "id=my-own.id" in line


def test_every_answer_bears_the_same_guard(app, client):
    table = created(client)
    answers = [
        client.get("/v1/games"),
        client.get("/nothing"),
        client.put("/v1/games"),
        client.post("/v1/games", data=b"{", content_type="application/json"),
        client.post("/v1/games", data=b"a" * 20_000),
        client.options("/v1/games"),
        client.head("/v1/variants"),
        client.get("/docs"),
        client.get("/docs/guide"),
        client.get("/openapi.yaml"),
        client.get("/metrics"),
        client.get("/healthz"),
        table.get("/board.svg"),
        table.get("", **{"If-None-Match": '"2"'}),
        table.get("", "nobody"),
        table.get("/events", Accept="text/csv"),
        table.get("/events", Accept="image/png"),
        table.post("/steps", {}, 1),
        client.delete(f"{table.path}/seats/1", headers=table.headers(1)),
    ]
    assert {response.status_code for response in answers} >= {200, 204, 304, 400, 401, 404, 405}
    for response in answers:
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert response.headers["X-Frame-Options"] == "DENY"
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy
        assert response.headers["Cache-Control"]
        assert response.headers["X-Request-ID"]
        assert "Set-Cookie" not in response.headers
        assert not [name for name, _ in response.headers if name.startswith("Access-Control")]
        assert "X-Powered-By" not in response.headers
        if response.status_code >= 400:
            assert response.json["code"] in TABLE


def test_other_origins_may_do_nothing_unless_configured(client):
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for response in (
        client.options("/v1/games", headers=asked),
        client.get("/v1/games", headers=asked),
    ):
        assert not [name for name, _ in response.headers if name.startswith("Access-Control")]
