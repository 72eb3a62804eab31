"""Random games over HTTP, from creation to the end, for every power and every table it may sit at.

Whatever ``legal-steps`` lists is accepted, whatever ``legal-turns`` lists too; nothing ever answers
with a 500; the log of every game proves to be whole, and its record tells it to the end.
"""

from __future__ import annotations

import json
import random

import pytest

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.wiring import build_services
from domain.powers import CATALOGUE
from tests.app.http.chains import broken_at
from tests.app.http.conformance import Judge
from tests.app.http.conftest import Table

SEATS = {"duel": 2, "trio": 3, "team4": 4}
LONG = 260
"""Commands after which somebody resigns: some powers could play for ever (T-75)."""
FLEECE = sorted(key for key, power in CATALOGUE.items() if power.golden_fleece)


@pytest.fixture(scope="module")
def app():
    config = Config(rate_limits="off")
    app = create_app(config, build_services(config, MemoryStore()))
    app.extensions["judge"] = Judge(app.extensions["contract"].document())
    return app


def fits(key, chosen):
    """Say whether a power may join these."""
    return key not in chosen and not any(
        key in CATALOGUE[other].bans or other in CATALOGUE[key].bans for other in chosen
    )


def tables(variant, turn):
    """Seat every power that may play a variant at some table, each once; fill up with others."""
    seats = SEATS[variant]
    dice = random.Random(f"{variant} {turn}")
    able = [key for key in CATALOGUE if seats in CATALOGUE[key].players]
    waiting = dice.sample(able, len(able))
    while waiting:
        chosen = [waiting.pop(0)]
        for key in (*waiting, *dice.sample(able, len(able))):
            if len(chosen) < seats and fits(key, chosen):
                chosen.append(key)
        chosen += ["mortal"] * (seats - len(chosen))
        waiting = [key for key in waiting if key not in chosen]
        dice.shuffle(chosen)
        yield chosen


class Play:
    """One random game over HTTP."""

    def __init__(self, app, seed, settings):
        self.app = app
        self.dice = random.Random(seed)
        client = app.test_client()
        created = client.post("/v1/games", json=settings | {"seat": None})
        assert created.status_code == 201, created.text
        self.table = Table(client, created.json["game"]["id"], host=created.json["token"])
        for _ in created.json["game"]["seats"]:
            self.table.join()
        self.commands = 0

    def finish(self):
        """Play to the end and check what is left."""
        game = self.table.game()
        while game["turn"] is not None:
            game = self.command(game["turn"]["seat"])
            self.commands += 1
            if self.commands >= LONG and game["turn"] is not None:
                game = self.accepted("/resignation", None, game["turn"]["seat"])
        self.check(game)

    def command(self, seat):
        """Let a seat play a step that is legal, or a whole turn."""
        if self.dice.random() < 0.08:
            turns = self.table.get("/legal-turns?limit=60", seat).json["turns"]
            lines = [turn["notation"] for turn in turns if "{" not in turn["notation"]]
            if lines:
                return self.accepted("/steps", {"notation": self.dice.choice(lines)}, seat)
        listed = self.table.get("/legal-steps", seat).json
        assert listed["seat"] == seat
        steps = listed["steps"]
        assert steps, self.table.game(seat)
        step = self.dice.choice(steps)
        if self.dice.random() < 0.05:
            tried = self.table.post("/steps?dry_run=true", {"steps": [step]}, seat)
            assert tried.status_code == 200, tried.text
        return self.accepted("/steps", {"steps": [step]}, seat)

    def accepted(self, suffix, body, seat):
        """Send a command that must be accepted."""
        response = self.table.post(suffix, body, seat)
        assert response.status_code == 201, (body, response.text)
        answer = response.json
        last = answer["events"][-1]
        assert answer["game"]["version"] == last["version"]
        assert answer["game"]["log_hash"] == last["hash"]
        if self.dice.random() < 0.1:
            template = f"/v1/games/{{game_id}}{suffix}"
            self.app.extensions["judge"].judge(template, "POST", response)
            self.read(self.dice.choice([None, seat]))
        return answer["game"]

    def read(self, viewer):
        """Read the game in every way and hold some of the answers against the contract."""
        judge = self.app.extensions["judge"]
        for suffix in ("", "/events", "/legal-steps", "/legal-turns?limit=20", "/record"):
            response = self.table.get(suffix, viewer)
            assert response.status_code == 200, response.text
            judge.judge(f"/v1/games/{{game_id}}{suffix.partition('?')[0]}", "GET", response)
        for suffix in ("/board.svg", "/board.txt"):
            assert self.table.get(suffix, viewer).status_code == 200

    def check(self, game):
        """Hold a finished game against its log."""
        assert game["status"] == "finished" and game["result"]["winners"]
        self.read(None)
        log = [json.loads(line) for line in self.ndjson().splitlines()]
        assert broken_at(self.table.id, log) is None
        assert [event["version"] for event in log] == list(range(1, game["version"] + 1))
        proof = self.table.get("/verification").json
        assert proof["ok"], proof
        first = self.table.get("?version=1").json
        assert first["version"] == 1 and first["status"] == "open"

    def ndjson(self):
        return self.table.get("/events", Accept="application/x-ndjson").text


def fixed(variant, keys):
    return {"variant": variant, "powers": {"mode": "fixed", "seats": list(keys)}}


def duel_rounds(first, last):
    return [
        pytest.param(keys, id=f"{turn}-{'-'.join(keys)}")
        for turn in range(first, last)
        for keys in tables("duel", turn)
    ]


@pytest.mark.parametrize("keys", duel_rounds(0, 1))
def test_every_power_plays_over_http(app, keys):
    """Each of the sixty-seven at least once, against something it may meet."""
    Play(app, "-".join(keys), fixed("duel", keys)).finish()


@pytest.mark.soak
@pytest.mark.parametrize("keys", duel_rounds(1, 5))
def test_every_power_plays_over_http_again(app, keys):
    """And again, against others."""
    Play(app, f"again {'-'.join(keys)}", fixed("duel", keys)).finish()


@pytest.mark.parametrize("key", FLEECE[::4])
def test_the_ram_lends_powers_over_http(app, key):
    """Golden Fleece games with a card of the variant's list."""
    powers = {"mode": "golden_fleece", "power": key}
    Play(app, f"ram {key}", {"powers": powers}).finish()


@pytest.mark.soak
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("key", FLEECE)
def test_the_ram_lends_every_power_over_http(app, key, number):
    """The same with every card."""
    powers = {"mode": "golden_fleece", "power": key}
    Play(app, f"ram {key} {number}", {"powers": powers}).finish()


def larger(turns):
    return [
        pytest.param(variant, keys, id=f"{turn}-{variant}-{'-'.join(keys)}")
        for variant in ("trio", "team4")
        for turn in range(turns)
        for keys in tables(variant, turn)
        if "mortal" not in keys or variant != "team4"
    ]


@pytest.mark.soak
@pytest.mark.parametrize(("variant", "keys"), larger(3))
def test_larger_tables_play_over_http(app, variant, keys):
    """Three and four seats, with the powers that carry their marks."""
    Play(app, f"{variant} {'-'.join(keys)}", fixed(variant, keys)).finish()


OPTIONS = (
    {},
    {"powers": {"mode": "draft"}},
    {"powers": {"mode": "draft", "order": "bga"}},
    {"powers": {"mode": "draft", "offer": "limited"}},
    {"powers": {"mode": "draft", "order": "bga", "offer": "quick"}},
    {"powers": {"mode": "random"}},
    {"powers": {"mode": "golden_fleece"}},
    {"powers": {"mode": "golden_fleece", "offer": "draft"}},
    {"variant": "trio"},
    {"variant": "trio", "powers": {"mode": "draft"}},
    {"variant": "trio", "powers": {"mode": "random"}},
    {"variant": "team4", "powers": {"mode": "draft"}},
    {"variant": "team4", "powers": {"mode": "random"}},
    {"variant": "solo4"},
    {"variant": "team4_split"},
    {"placement": "recommended", "powers": {"mode": "random"}},
)


@pytest.mark.parametrize("options", OPTIONS, ids=json.dumps)
def test_every_way_to_deal_plays_over_http(app, options):
    """Drafts, random powers, the Ram, the mortal game."""
    Play(app, json.dumps(options), options).finish()


@pytest.mark.soak
@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("options", OPTIONS, ids=json.dumps)
def test_every_way_to_deal_plays_over_http_again(app, options, number):
    """Three hundred games and more, together with those above."""
    Play(app, f"{options} {number}", options).finish()
