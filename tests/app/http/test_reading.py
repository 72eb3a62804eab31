"""Events, pictures, records, conditional requests, headers on every answer (sections 6 and 8)."""

import html
import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

from app.http.explanations import EXPLANATIONS
from app.http.problems import TABLE

ROOT = Path(__file__).parents[3]
IMMUTABLE = "public, max-age=31536000, immutable"


def test_a_page_of_events_is_contiguous_and_chained(duel):
    body = duel.get("/events").json
    events = body["events"]
    assert [event["version"] for event in events] == list(range(1, body["version"] + 1))
    assert all(b["prev_hash"] == a["hash"] for a, b in pairwise(events))
    assert events[0]["type"] == "created"
    assert events[0]["data"]["settings"]["variant"] == "duel"


def test_events_are_paged_by_link(duel):
    response = duel.get("/events?limit=4")
    assert len(response.json["events"]) == 4
    assert response.headers["Link"] == f'<{duel.path}/events?limit=4&after=4>; rel="next"'
    last = duel.game()["version"]
    assert "Link" not in duel.get(f"/events?after={last - 2}").headers
    assert duel.get(f"/events?after={last}").json["events"] == []


def test_events_as_lines(duel):
    response = duel.get("/events", Accept="application/x-ndjson")
    assert response.mimetype == "application/x-ndjson"
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert lines == duel.get("/events").json["events"]
    assert "Accept" in response.headers["Vary"]


def test_one_event_never_changes(duel):
    response = duel.get("/events/1")
    assert response.headers["Cache-Control"] == IMMUTABLE
    assert response.headers["ETag"] == '"1"'
    assert duel.get("/events/1", **{"If-None-Match": '"1"'}).status_code == 304
    assert duel.get("/events/1000").status_code == 404


def test_the_tag_of_a_game_is_its_version(duel):
    response = duel.get()
    version = response.json["version"]
    assert response.headers["ETag"] == f'"{version}"'
    assert response.headers["Vary"] == "Authorization"
    for path in ("", "/events", "/board.svg", "/board.txt", "/record", "/legal-steps"):
        fresh = duel.get(path, **{"If-None-Match": f'"{version}"'})
        assert (path, fresh.status_code, fresh.data) == (path, 304, b"")
        assert fresh.headers["ETag"] == f'"{version}"'
        stale = duel.get(path, **{"If-None-Match": f'"{version - 1}"'})
        assert stale.status_code == 200
    assert duel.get("", **{"If-None-Match": f'"1", W/"{version}"'}).status_code == 304
    assert duel.get("", **{"If-None-Match": "*"}).status_code == 304


def test_past_versions_are_immutable(duel):
    for path in ("?version=3", "/board.svg?version=3", "/board.txt?version=3"):
        response = duel.get(path)
        assert response.headers["Cache-Control"] == IMMUTABLE
        assert response.headers["ETag"] == '"3"'


def test_reading_with_a_token_is_private(duel):
    assert duel.get().headers["Cache-Control"] == "no-cache"
    assert duel.get(seat=1).headers["Cache-Control"] == "private, no-cache"


def test_what_commands_answer_is_not_stored(create):
    table = create()
    assert table.post("/seats", {}).headers["Cache-Control"] == "no-store"


def test_the_record_is_notation(duel):
    duel.play("b2>b3 b3^c3", 1)
    duel.post("/resignation", seat=2)
    assert duel.get("/record").text == (
        "variant duel/none\nstart S1\nS1 +b2 +d4\nS2 +b4 +d2\n1.S1 b2>b3 b3^c3\n"
        "result S1 resignation\n"
    )


def test_the_board_as_text(duel):
    text = duel.get("/board.txt").text
    assert text.splitlines()[0].split() == list("abcde")
    assert len(text.splitlines()) == 6


def test_the_board_as_a_picture(create):
    table = create(name="<script>&\"'", start_seat=1, placement="recommended")
    table.join(name="]]></svg>")
    response = table.get("/board.svg")
    assert response.mimetype == "image/svg+xml"
    assert "script" not in response.headers["Content-Security-Policy"]
    root = ET.fromstring(response.text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.attrib["role"] == "img"
    texts = " ".join(root.itertext())
    assert "<script>&\"'" in texts
    assert not root.findall(".//{http://www.w3.org/2000/svg}script")


def test_head_answers_like_get_without_a_body(duel):
    for path in ("", "/events", "/board.svg", "/record", "/legal-steps", "/verification"):
        got = duel.get(path)
        head = duel.client.head(duel.path + path)
        assert (head.status_code, head.data) == (200, b"")
        for name in ("ETag", "Content-Type", "Cache-Control", "Content-Length"):
            assert head.headers.get(name) == got.headers.get(name)


def test_options_lists_the_methods(client):
    response = client.options("/v1/games")
    assert response.status_code in (200, 204)
    assert {"GET", "POST", "HEAD"} <= set(response.headers["Allow"].split(", "))


def test_the_request_id_is_taken_over_or_made(client):
    given = client.get("/healthz", headers={"X-Request-ID": "abc-123"})
    assert given.headers["X-Request-ID"] == "abc-123"
    made = client.get("/healthz").headers["X-Request-ID"]
    assert len(made) == 32
    forged = client.get("/healthz", headers={"X-Request-ID": "a b\tc"})
    assert forged.headers["X-Request-ID"] != "a b\tc"


@pytest.mark.parametrize("path", ["/healthz", "/nope", "/v1/games", "/docs", "/openapi.yaml"])
def test_security_headers_are_on_every_answer(client, path):
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_verification_of_a_sound_log(duel):
    body = duel.get("/verification").json
    assert body["ok"] is True
    assert (body["version"], body["first_bad_version"]) == (duel.game()["version"], None)
    assert body["log_hash"] == duel.game()["log_hash"]


def test_the_service_tells_of_itself(client):
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz").json["ready"] is True
    assert client.get("/version").json["name"] == "santorini-served"
    assert (
        client.get("/openapi.yaml").text.startswith("info:")
        or "openapi: 3.1" in client.get("/openapi.yaml").text
    )


def test_variants_and_powers_are_listed(client):
    variants = {v["key"]: v for v in client.get("/v1/variants").json["variants"]}
    assert set(variants) == {"duel", "trio", "solo4", "team4", "team4_split"}
    assert variants["duel"]["placements"] == ["free", "recommended"]
    powers = client.get("/v1/powers").json["powers"]
    assert [power["id"] for power in powers] == sorted(power["id"] for power in powers)
    for power in powers[:3]:
        assert client.get(f"/v1/powers/{power['key']}").json == power


def test_every_problem_has_a_page_and_every_page_a_problem(client):
    assert list(EXPLANATIONS) == list(TABLE)
    listed = re.findall(r'href="/docs/problems/(\w+)"', client.get("/docs/problems").text)
    assert listed == list(TABLE)
    for code, kind in TABLE.items():
        response = client.get(f"/docs/problems/{code}")
        assert response.status_code == 200
        for text in (code, kind.title, str(kind.status)):
            assert html.escape(text) in response.text
        assert "`" not in response.text
    assert client.get("/docs/problems/no_such_code").status_code == 404


def test_the_contract_names_exactly_these_problems():
    """Section 7, both ways; and the reasons of an illegal step."""
    contract = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    section = contract[contract.index("## 7. Errors") : contract.index("## 8. ")]
    table = "".join(line for line in section.splitlines() if line.startswith("|"))
    named = re.findall("`([a-z_]{6,})`", table)
    assert sorted(named) == sorted(TABLE)
    reasons = section[section.index("`illegal_step` names") : section.index("lists the legal")]
    words = re.findall("`([a-z_]{5,})`", reasons)
    assert set(words) - {"illegal_step", "power"} == set(EXPLANATIONS["illegal_step"].words)


def test_the_reference_needs_no_other_host(client):
    page = client.get("/docs")
    assert "https://" not in page.text
    assert client.get("/docs/assets/rapidoc.js").mimetype == "text/javascript"


def test_every_example_body_of_the_contract_is_accepted(app, client, duel):
    """Those of the reference are sent with a click: each does what its operation is for."""
    shown = {}
    for path, item in app.extensions["contract"].document()["paths"].items():
        body = item.get("post", {}).get("requestBody")
        if body is not None:
            content = body["content"]["application/json"]
            bodies = [each["value"] for each in content.get("examples", {}).values()]
            shown[path] = bodies + [content[name] for name in ("example",) if name in content]
    for body in shown["/v1/games"]:
        assert client.post("/v1/games", json=body).status_code == 201
    for body in shown["/v1/analysis"]:
        assert client.post("/v1/analysis", json=body).status_code == 200
    for body in shown["/v1/games/{game_id}/steps"]:
        assert duel.post("/steps?dry_run=true", body, seat=1).status_code == 200, body
    assert all(len(shown[path]) for path in ("/v1/games", "/v1/games/{game_id}/seats"))
