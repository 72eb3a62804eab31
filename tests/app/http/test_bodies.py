"""Bodies are read strictly, and every limit holds before the parser runs."""

import json

import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from app.http.bodies import (
    ABSENT,
    MAX_BODY_BYTES,
    MAX_DEPTH,
    check_size,
    parse_json,
    read_json,
)
from app.http.problems import Problem


def request(data=b"", content_type="application/json", **headers):
    builder = EnvironBuilder(method="POST", data=data, content_type=content_type, headers=headers)
    made = Request(builder.get_environ())
    made.max_content_length = MAX_BODY_BYTES
    return made


def code_of(call, *args):
    with pytest.raises(Problem) as caught:
        call(*args)
    return caught.value.code


def test_plain_json_is_read():
    assert read_json(request(b'{"a": [1, 2.5, null, true, "x"]}')) == {
        "a": [1, 2.5, None, True, "x"]
    }


def test_no_body_is_absent():
    assert read_json(request(b"", content_type=None)) is ABSENT


@pytest.mark.parametrize("length", [MAX_BODY_BYTES - 2, MAX_BODY_BYTES])
def test_a_body_of_the_limit_is_read(length):
    assert len(read_json(request(b'"' + b"a" * (length - 2) + b'"'))) == length - 2


def test_a_larger_body_is_refused_unread():
    assert code_of(check_size, request(b'"' + b"a" * MAX_BODY_BYTES + b'"')) == "body_too_large"


@pytest.mark.parametrize("depth", [1, MAX_DEPTH])
def test_nesting_up_to_the_limit_is_read(depth):
    assert parse_json(b"[" * depth + b"]" * depth) is not None


def test_brackets_in_strings_do_not_count():
    text = json.dumps({"a": "[" * 100 + '\\"' + "{" * 100}).encode()
    assert parse_json(text)["a"].startswith("[[")


@pytest.mark.parametrize(
    "raw", [b"[" * 33 + b"]" * 33, b'{"a":' * 33 + b"1" + b"}" * 33, b"[" * 16000]
)
def test_deeper_nesting_is_refused(raw):
    assert code_of(parse_json, raw) == "malformed_json"


@pytest.mark.parametrize("raw", [b"NaN", b"[Infinity]", b'{"a": -Infinity}'])
def test_what_only_javascript_has_is_refused(raw):
    assert code_of(parse_json, raw) == "malformed_json"


def test_a_key_twice_is_refused():
    assert code_of(parse_json, b'{"a": 1, "a": 1}') == "malformed_json"


@pytest.mark.parametrize("digits", [19, 400, 16000])
def test_integers_of_any_length_are_read_as_beyond_every_range(digits):
    assert parse_json(b"9" * digits) >= 10**18
    assert parse_json(b"-" + b"9" * digits) <= -(10**18)


@pytest.mark.parametrize("raw", [b'"\\ud800"', b'["\\udc00\\ud800"]', b'{"\\udfff": 1}'])
def test_half_a_surrogate_pair_is_refused(raw):
    assert code_of(parse_json, raw) == "malformed_json"


def test_a_whole_surrogate_pair_is_read():
    assert parse_json(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", None],
)
def test_other_media_types_are_refused(content_type):
    assert code_of(read_json, request(b"{}", content_type)) == "unsupported_media_type"


def test_compressed_bodies_are_refused():
    compressed = request(b"{}", **{"Content-Encoding": "gzip"})
    assert code_of(read_json, compressed) == "unsupported_media_type"
