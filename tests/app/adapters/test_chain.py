"""The hash chain: canonical JSON is RFC 8785's, whichever encoder writes it."""

from __future__ import annotations

import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from app.adapters import chain

TEXTS = st.text() | st.text(st.characters(max_codepoint=127)) | st.text('":,[{.eE0-9\\\x7f\n')
NUMBERS = st.integers() | st.integers(-(2**53), 2**53) | st.floats() | st.integers(-9, 999)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


def written(encode, value):
    """Return what an encoder writes, or that it refuses."""
    try:
        return encode(value)
    except ValueError:
        return "refused"


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
@example({"a": 1.0, "b": [2.5, -0.0, 1e21]})
@example({"a": [10**15, 10**16, 2**53, -(2**53) - 1, 10**400]})
@example({"\ue000": 1, "\U00010000": 2, "z": "\u2028"})
@example({"at": "2026-11-30T10:00:00.123Z", "text": ',1.5 ":2e3 [4.'})
@example({"a": "\ud800", "b": '\x00\x1f\x7f/\\"', "": float("nan")})
def test_canonical_json_is_that_of_rfc_8785(value):
    assert written(chain.canonical, value) == written(rfc8785.dumps, value)


@given(st.text(max_size=20), st.integers(0, 10**9), st.booleans() | st.none())
def test_what_is_sealed_bears_the_hash_of_rfc_8785(text, number, flag):
    body = {"version": number, "data": {"name": text, "state": [flag, number]}, "type": "joined"}
    event = chain.sealed(body, "sha256:0")
    content = {name: value for name, value in event.items() if name != "hash"}
    assert event["hash"] == chain.digest(content)


def test_an_ordinary_event_takes_the_fast_way(monkeypatch):
    """What nearly every event is made of never reaches the slow encoder."""
    monkeypatch.setattr(chain.rfc8785, "dumps", None)
    event = {"version": 12, "at": "2026-11-30T10:00:00.123Z", "seat": None, "hidden": False}
    told = {**event, "data": {"from": "b2", "to": "b3", "powers": ["pan", None]}}
    assert chain.canonical(told).startswith(b'{"at":"2026-11-30T10:00:00.123Z","data":{"from"')
