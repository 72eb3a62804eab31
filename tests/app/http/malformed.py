"""Malformed requests as data: what is sent, and which documented refusal answers it.

Paths may hold ``{open}``, ``{playing}``, ``{private}`` (game ids) and bodies are sent as they are;
``token`` names the caller: ``one`` and ``two`` are the seats of the playing game (one is to move),
``host`` its host, ``creator`` sits in the open game, ``foreign`` in another game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"
LONG = "9" * 400
GAMES = "/v1/games"
STEPS = "/v1/games/{playing}/steps"
SEATS = "/v1/games/{open}/seats"
MISSING = "/v1/games/AAAAAAAAAAAAAAAAAAAAAAAA"
RLO = "\u202e"


@dataclass(frozen=True)
class Case:
    """One request and its refusal; ``at`` is the pointer or parameter of the first flaw."""

    name: str
    method: str
    path: str
    status: int
    code: str
    at: str | None = None
    body: bytes | None = None
    content_type: str | None = None
    token: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


def _sent(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def invalid(name: str, path: str, value: Any, at: str, **more: Any) -> Case:
    """Make a case of a body that is JSON and wrong: 422."""
    return Case(name, "POST", path, 422, "validation_failed", at, _sent(value), JSON, **more)


def unreadable(name: str, body: bytes, path: str = GAMES, **more: Any) -> Case:
    """Make a case of a body that is no JSON: 400."""
    return Case(name, "POST", path, 400, "malformed_json", None, body, JSON, **more)


def query(name: str, path: str, status: int, code: str, at: str | None, **more: Any) -> Case:
    """Make a case of a bad query string."""
    return Case(name, "GET", path, status, code, at, **more)


def _bodies() -> Iterator[Case]:
    yield unreadable("nothing but a brace", b"{")
    yield unreadable("trailing comma", b'{"seat": 1,}')
    yield unreadable("single quotes", b"{'seat': 1}")
    yield unreadable("bare word", b"hello")
    yield unreadable("two values", b"{} {}")
    yield unreadable("NaN", b'{"seat": NaN}')
    yield unreadable("Infinity", b'{"seat": Infinity}')
    yield unreadable("minus Infinity", b'{"seat": -Infinity}')
    yield unreadable("a key twice", b'{"seat": 1, "seat": 2}')
    yield unreadable("a key twice, inside", b'{"powers": {"mode": "none", "mode": "none"}}')
    yield unreadable("arrays too deep", b"[" * 33 + b"]" * 33)
    yield unreadable("objects too deep", b'{"a":' * 40 + b"1" + b"}" * 40)
    yield unreadable("thousands of brackets", b"[" * 16000)
    yield unreadable("Latin-1", '{"name": "Zo\u00eb"}'.encode("latin-1"))
    yield unreadable("UTF-16", '{"name": "a"}'.encode("utf-16"))
    yield unreadable("byte order mark", b"\xef\xbb\xbf{}")
    yield unreadable("half a surrogate pair", b'{"name": "\\ud800"}')
    yield unreadable("half a surrogate pair as a key", b'{"\\udfff": 1}')
    yield unreadable("raw control character", b'{"name": "a\x01b"}')
    yield unreadable("leading zero", b'{"seat": 01}')
    yield unreadable("hexadecimal", b'{"seat": 0x1}')
    yield unreadable("comment", b'{"seat": 1} // one')
    yield unreadable("blank body", b"   ")
    yield unreadable("null byte", b"\x00")
    yield unreadable("steps without a body", b"", STEPS, token="one")
    for value in ([], "create", 3, None, True, [{}]):
        yield invalid(f"a body that is {json.dumps(value)}", GAMES, value, "")
    big = b'{"name": "' + b"a" * 17000 + b'"}'
    yield Case("body too large", "POST", GAMES, 413, "body_too_large", None, big, JSON)
    yield Case("body too large for a GET", "GET", GAMES, 413, "body_too_large", None, big, JSON)
    yield Case(
        "body too large on a missing path", "POST", "/x", 413, "body_too_large", None, big, JSON
    )


def _media_types() -> Iterator[Case]:
    for media in (
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
        "application/json-patch+json",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
        "nonsense",
    ):
        yield Case(
            f"body as {media}", "POST", GAMES, 415, "unsupported_media_type",
            "Content-Type", b"{}", media,
        )  # fmt: skip
    yield Case(
        "body without a type", "POST", GAMES, 415, "unsupported_media_type",
        "Content-Type", b"{}",
    )  # fmt: skip
    yield Case(
        "empty form", "POST", GAMES, 415, "unsupported_media_type",
        "Content-Type", b"", "application/x-www-form-urlencoded",
    )  # fmt: skip
    for coding in ("gzip", "br", "deflate, gzip"):
        yield Case(
            f"body in {coding}", "POST", GAMES, 415, "unsupported_media_type",
            "Content-Encoding", b"{}", JSON, headers={"Content-Encoding": coding},
        )  # fmt: skip
    for path, accepted in (
        (GAMES, "image/png"),
        (GAMES, "text/html"),
        ("/v1/games/{open}", "application/xml"),
        ("/v1/games/{open}/events", "text/html"),
        ("/v1/games/{open}/board.svg", "application/json"),
        ("/v1/games/{open}/record", "application/json"),
        ("/openapi.yaml", "application/json"),
        ("/v1/variants", "application/json;q=0"),
    ):
        yield Case(
            f"{path} as {accepted}", "GET", path, 406, "not_acceptable", "Accept",
            headers={"Accept": accepted},
        )  # fmt: skip


def _creation() -> Iterator[Case]:
    for member, values in {
        "variant": (None, 1, [], {}, "", "chess", "DUEL", "duel ", True),
        "powers": (None, "none", [], 1, True),
        "placement": (None, 1, "", "FREE", "random"),
        "start_seat": (None, 0, 5, -1, "1", "Random", 1.0, True, [], int(LONG)),
        "turn_seconds": (0, -1, 1209601, "60", 60.0, True, [], 1e300, int(LONG)),
        "visibility": (None, 1, "secret", "Public"),
        "seat": (0, 5, -1, "1", 1.0, True, [], {}, int(LONG)),
        "name": (None, 1, True, [], {}, "", "   ", "a" * 41, "a\nb", "a\u0000b", f"a{RLO}b"),
    }.items():
        for value in values:
            shown = json.dumps(value)
            shown = shown if len(shown) < 60 else f"{shown[:20]}..."
            yield invalid(f"{member} is {shown}", GAMES, {member: value}, f"/{member}")
    yield invalid("unknown member", GAMES, {"colour": "red"}, "/colour")
    yield invalid("member with a slash", GAMES, {"a/b": 1}, "/a~1b")
    yield invalid("member with a tilde", GAMES, {"a~b": 1}, "/a~0b")
    yield invalid("empty member", GAMES, {"": 1}, "/")
    for powers, at in (
        ({}, "/powers/mode"),
        ({"mode": None}, "/powers/mode"),
        ({"mode": 1}, "/powers/mode"),
        ({"mode": "all"}, "/powers/mode"),
        ({"mode": "none", "seats": []}, "/powers/seats"),
        ({"mode": "fixed"}, "/powers/seats"),
        ({"mode": "fixed", "seats": None}, "/powers/seats"),
        ({"mode": "fixed", "seats": {}}, "/powers/seats"),
        ({"mode": "fixed", "seats": ["apollo"]}, "/powers/seats"),
        ({"mode": "fixed", "seats": ["apollo", 3]}, "/powers/seats/1"),
        ({"mode": "fixed", "seats": ["apollo", "zorro"]}, "/powers/seats/1"),
        ({"mode": "fixed", "seats": ["apollo", "A B"]}, "/powers/seats/1"),
        ({"mode": "random", "groups": []}, "/powers/groups"),
        ({"mode": "random", "groups": ["easy"]}, "/powers/groups/0"),
        ({"mode": "random", "groups": ["simple", "simple"]}, "/powers/groups"),
        ({"mode": "random", "perfect_information": 1}, "/powers/perfect_information"),
        ({"mode": "random", "order": "bga"}, "/powers/order"),
        ({"mode": "draft", "order": "odd"}, "/powers/order"),
        ({"mode": "draft", "offer": "big"}, "/powers/offer"),
        ({"mode": "golden_fleece", "offer": "full"}, "/powers/offer"),
        ({"mode": "golden_fleece", "offer": "quick", "power": "pan"}, "/powers/offer"),
    ):
        yield invalid(f"powers {json.dumps(powers)}", GAMES, {"powers": powers}, at)
    for together, at in (
        ({"variant": "trio", "placement": "recommended"}, "/placement"),
        ({"variant": "solo4", "placement": "recommended"}, "/placement"),
        ({"variant": "team4"}, "/powers/mode"),
        ({"variant": "solo4", "powers": {"mode": "random"}}, "/powers/mode"),
        ({"start_seat": 3}, "/start_seat"),
        ({"seat": 3}, "/seat"),
        ({"variant": "trio", "seat": 4}, "/seat"),
    ):
        yield invalid(f"together {json.dumps(together)}", GAMES, together, at)


def _joining() -> Iterator[Case]:
    for member, values in {
        "seat": (0, 3, 5, "2", 2.0, True, None),
        "name": ("", "a" * 41, 7, None, f"{RLO}evil"),
        "invite": ("", 7, None, "a b", "x" * 129),
    }.items():
        for value in values:
            yield invalid(f"join: {member} is {value!r}"[:60], SEATS, {member: value}, f"/{member}")
    yield invalid("join: unknown member", SEATS, {"token": "x"}, "/token")
    yield invalid("resign: a body that says something", "/v1/games/{playing}/resignation",
                  {"why": "bored"}, "/why", token="one")  # fmt: skip
    yield invalid("cancel: a body that says something", "/v1/games/{open}/cancellation",
                  {"why": "bored"}, "/why", token="creator")  # fmt: skip


def _steps() -> Iterator[Case]:
    def steps(name: str, value: Any, at: str) -> Case:
        return invalid(name, STEPS, value, at, token="one")

    yield steps("neither steps nor notation", {}, "/steps")
    yield steps("both", {"steps": [{"type": "end"}], "notation": "."}, "/notation")
    for value in (None, {}, "b2", []):
        yield steps(f"steps is {value!r}", {"steps": value}, "/steps")
    for value in (None, 1, [], "", " ", "b1>b2  b2^b3", "b1>b2\nb2^b3", "b1\u2192b2", "a" * 4001):
        yield steps(f"notation is {value!r}"[:40], {"notation": value}, "/notation")
    for value in ("12", 12.0, -1, True, int(LONG), None):
        body = {"steps": [{"type": "end"}], "expected_version": value}
        yield steps(f"expected_version is {value!r}"[:40], body, "/expected_version")
    for step, at in (
        (None, ""),
        (3, ""),
        ([], ""),
        ("b1>b2", ""),
        ({}, "/type"),
        ({"type": None}, "/type"),
        ({"type": 1}, "/type"),
        ({"type": "jump"}, "/type"),
        ({"type": "place"}, "/to"),
        ({"type": "place", "to": "f1"}, "/to"),
        ({"type": "place", "to": "B1"}, "/to"),
        ({"type": "place", "to": "b1 "}, "/to"),
        ({"type": "place", "to": "b1\n"}, "/to"),
        ({"type": "place", "to": 11}, "/to"),
        ({"type": "place", "to": ["b1"]}, "/to"),
        ({"type": "place", "to": "b1", "sex": "f"}, "/sex"),
        ({"type": "move", "from": "b1"}, "/to"),
        ({"type": "move", "to": "b1"}, "/from"),
        ({"type": "move", "from": "a0", "to": "b1"}, "/from"),
        ({"type": "build", "from": "b1"}, "/at"),
        ({"type": "build", "from": "b1", "at": "b2", "piece": "roof"}, "/piece"),
        ({"type": "build", "from": "b1", "at": "b2", "piece": None}, "/piece"),
        ({"type": "build", "from": "b1", "to": "b2"}, "/at"),
        ({"type": "force", "from": "b1", "to": "z9"}, "/to"),
        ({"type": "exchange", "pairs": []}, "/pairs"),
        ({"type": "exchange", "pairs": [["a1"], ["a2"], ["a3"], ["a4"]]}, "/pairs/0"),
        ({"type": "remove_block", "at": "x"}, "/at"),
        ({"type": "place_token", "token": "crown", "at": "b1"}, "/token"),
        ({"type": "place_token", "token": "wind", "at": "b1"}, "/direction"),
        ({"type": "place_token", "token": "wind", "direction": "ne"}, "/direction"),
        ({"type": "place_token", "token": "talus", "direction": "N"}, "/at"),
        ({"type": "take_token", "token": "ram"}, "/token"),
        ({"type": "choose", "name": "colour", "value": "red"}, "/name"),
        ({"type": "choose", "name": "power", "value": 3}, "/value"),
        ({"type": "choose", "name": "power", "value": "a b"}, "/value"),
        ({"type": "pass", "to": "b1"}, "/to"),
        ({"type": "end", "turn": True}, "/turn"),
    ):
        yield steps(f"step {json.dumps(step)}"[:60], {"steps": [step]}, f"/steps/0{at}")
    second = {"steps": [{"type": "place", "to": "a1"}, {"type": "place", "to": "a9"}]}
    yield steps("the second step", second, "/steps/1/to")


def _queries() -> Iterator[Case]:
    game = "/v1/games/{playing}"
    for path in (GAMES, game, f"{game}/legal-steps", f"{game}/events", f"{game}/record",
                 f"{game}/board.svg", "/v1/powers", "/v1/variants", "/healthz", "/readyz",
                 "/version", "/docs", "/openapi.yaml", f"{game}/verification",
                 f"{game}/events/1"):  # fmt: skip
        yield query(f"{path}: unknown parameter", f"{path}?colour=red", 400,
                    "unknown_parameter", "colour")  # fmt: skip
    yield query("a parameter twice", f"{GAMES}?limit=1&limit=2", 400, "malformed_request", "limit")
    for parameter, values in {
        "limit": ("0", "101", "-1", "ten", "1.0", "", "1e1", "%D9%A3", LONG, "+5", " 5"),
        "status": ("", "Open", "over"),
        "variant": ("chess", ""),
        "sort": ("name", "-", "+created_at"),
        "to_move": ("you", ""),
        "power": ("", "A", "a%00b"),
        "player": ("", "a" * 41, "%00", "%E2%80%AE"),
    }.items():
        for value in values:
            shown = value if len(value) < 20 else f"{value[:9]}..."
            yield query(f"list: {parameter}={shown}", f"{GAMES}?{parameter}={value}", 422,
                        "validation_failed", parameter)  # fmt: skip
    for cursor in ("x", "%00", "AAAA", "eyJ9", "..%2F"):
        yield query(f"list: cursor={cursor}", f"{GAMES}?cursor={cursor}", 400, "bad_cursor", None)
    yield query("to_move without a token", f"{GAMES}?to_move=me", 401, "token_required", None)
    for path, name in ((game, "version"), (f"{game}/board.txt", "version"),
                       (f"{game}/events", "after"), (f"{game}/events", "limit"),
                       (f"{game}/legal-turns", "limit")):  # fmt: skip
        for value in ("x", "", "1.5", LONG, "0x1"):
            shown = value if len(value) < 20 else f"{value[:9]}..."
            yield query(f"{path}: {name}={shown}", f"{path}?{name}={value}", 422,
                        "validation_failed", name)  # fmt: skip
    for value in ("0", "-1", "999999"):
        for path in (game, f"{game}/board.svg", f"{game}/board.txt"):
            yield query(f"{path}: version={value}", f"{path}?version={value}", 404,
                        "not_found", None)  # fmt: skip
    for value in ("-1", "1000000000"):
        yield query(f"events: after={value}", f"{game}/events?after={value}", 422,
                    "validation_failed", "after")  # fmt: skip
    for value in ("0", "501"):
        yield query(f"events: limit={value}", f"{game}/events?limit={value}", 422,
                    "validation_failed", "limit")  # fmt: skip
    for value in ("0", "5001"):
        yield query(f"legal-turns: limit={value}", f"{game}/legal-turns?limit={value}", 422,
                    "validation_failed", "limit")  # fmt: skip
    for value in ("", "%0A", "b1%3Eb2%20%20b2", "%C3%A9"):
        yield query(f"legal-steps: after={value}", f"{game}/legal-steps?after={value}", 422,
                    "validation_failed", "after")  # fmt: skip
    yield Case("dry_run=yes", "POST", f"{STEPS}?dry_run=yes", 422, "validation_failed", "dry_run",
               b'{"notation": "+a1"}', JSON, token="one")  # fmt: skip


def _paths() -> Iterator[Case]:
    for path in ("/v1", "/v2/games", "/v1/games/", "/v1/games/x", f"{GAMES}/{'a' * 65}",
                 MISSING, f"{MISSING}/events", f"{MISSING}/legal-steps", f"{MISSING}/board.svg",
                 "/v1/games/{open}/", "/v1/games/{open}/seats/1/", "/v1//games",
                 "/v1/games/{open}/events/0", "/v1/games/{open}/events/01",
                 "/v1/games/{open}/events/99", "/v1/games/{open}/events/1.0",
                 "/v1/games/{open}/events/-1", f"/v1/games/{{open}}/events/{LONG}",
                 "/v1/games/%00", "/v1/games/..%2F..%2Fetc%2Fpasswd", "/v1/games/{private}",
                 "/v1/games/{private}/events", "/v1/games/{private}/record",
                 "/v1/powers/zorro", "/v1/powers/Apollo", "/docs/problems/nothing",
                 "/%F0%9F%92%A9", "/v1/games/{open}%0d%0aX: y", "/static/x"):  # fmt: skip
        yield Case(f"GET {path}"[:60], "GET", path, 404, "not_found")
    for path in ("/v1/games/{open}/seats/0", "/v1/games/{open}/seats/5",
                 "/v1/games/{open}/seats/1.0", "/v1/games/{open}/seats/%D9%A1"):  # fmt: skip
        yield Case(f"DELETE {path}", "DELETE", path, 404, "not_found", token="creator")
    for method, path in (("PUT", GAMES), ("PATCH", "/v1/games/{open}"), ("DELETE", GAMES),
                         ("POST", "/v1/games/{open}"), ("POST", "/healthz"),
                         ("GET", "/v1/games/{open}/seats"), ("GET", STEPS),
                         ("PUT", STEPS), ("TRACE", GAMES), ("BREW", GAMES),
                         ("POST", "/v1/games/{open}/seats/1"),
                         ("DELETE", "/v1/games/{open}/events/1")):  # fmt: skip
        yield Case(f"{method} {path}", method, path, 405, "method_not_allowed")


def _callers() -> Iterator[Case]:
    place = b'{"notation": "+a1"}'
    for given in ("Basic dTpw", "Token x", "x", "", "Digest a=b"):
        yield Case(f"Authorization: {given}", "GET", "/v1/games/{open}", 401, "token_required",
                   headers={"Authorization": given})  # fmt: skip
    for given in ("Bearer", "Bearer ", "Bearer a b", "Bearer \u00e9", "Bearer x", "bearer x",
                  f"Bearer {'x' * 300}", "Bearer x,y"):  # fmt: skip
        yield Case(f"Authorization: {given}"[:40], "GET", "/v1/games/{open}", 401, "token_unknown",
                   headers={"Authorization": given})  # fmt: skip
    yield Case("a foreign token reads", "GET", "/v1/games/{open}", 401, "token_unknown",
               token="foreign")  # fmt: skip
    yield Case("a foreign token and a private game", "GET", "/v1/games/{private}", 404,
               "not_found", token="foreign")  # fmt: skip
    for path, body in ((STEPS, place), ("/v1/games/{playing}/resignation", None),
                       ("/v1/games/{open}/cancellation", None)):  # fmt: skip
        media = JSON if body else None
        yield Case(f"{path} without a token", "POST", path, 401, "token_required", None, body,
                   media)  # fmt: skip
        yield Case(f"{path} with a foreign token", "POST", path, 401, "token_unknown", None, body,
                   media, "foreign")  # fmt: skip
        missing = path.replace("/v1/games/{playing}", MISSING).replace("/v1/games/{open}", MISSING)
        yield Case(f"{path} of no game", "POST", missing, 404, "not_found", None, body, media,
                   "one")  # fmt: skip
    yield Case("leave without a token", "DELETE", "/v1/games/{open}/seats/1", 401,
               "token_required")  # fmt: skip
    yield Case("leave another's seat", "DELETE", "/v1/games/{open}/seats/2", 403,
               "not_your_seat", token="creator")  # fmt: skip
    yield Case("leave after the start", "DELETE", "/v1/games/{playing}/seats/1", 409,
               "game_started", token="one")  # fmt: skip
    yield Case("play out of turn", "POST", STEPS, 409, "not_your_turn", None, place, JSON,
               "two")  # fmt: skip
    yield Case("the host plays", "POST", STEPS, 403, "not_a_player", None, place, JSON,
               "host")  # fmt: skip
    yield Case("the host resigns", "POST", "/v1/games/{playing}/resignation", 403,
               "not_a_player", token="host")  # fmt: skip
    yield Case("a player calls off", "POST", "/v1/games/{playing}/cancellation", 403,
               "not_the_creator", token="one")  # fmt: skip
    yield Case("the host calls off too late", "POST", "/v1/games/{playing}/cancellation", 409,
               "game_started", token="host")  # fmt: skip
    yield Case("play before the start", "POST", "/v1/games/{open}/steps", 409,
               "game_not_started", None, place, JSON, "creator")  # fmt: skip
    yield Case("resign before the start", "POST", "/v1/games/{open}/resignation", 409,
               "game_not_started", token="creator")  # fmt: skip
    yield Case("join what is full", "POST", "/v1/games/{playing}/seats", 409, "game_full",
               None, b"{}", JSON)  # fmt: skip
    yield Case("join a taken seat", "POST", SEATS, 409, "seat_taken", None, b'{"seat": 1}',
               JSON)  # fmt: skip
    yield Case("join a private game without its invite", "POST", "/v1/games/{private}/seats",
               404, "not_found", None, b"{}", JSON)  # fmt: skip
    yield Case("join a private game with a wrong invite", "POST", "/v1/games/{private}/seats",
               404, "not_found", None, b'{"invite": "wrong"}', JSON)  # fmt: skip


def _headers() -> Iterator[Case]:
    place = b'{"notation": "+a1"}'
    for key in ("", " ", "a b", "\u00e9" * 20, "k" * 129, "a\tb"):
        yield Case(f"Idempotency-Key: {key!r}"[:40], "POST", STEPS, 400, "malformed_request",
                   "Idempotency-Key", place, JSON, "one",
                   {"Idempotency-Key": key})  # fmt: skip
    yield Case("short key on create", "POST", GAMES, 400, "malformed_request", "Idempotency-Key",
               b"{}", JSON, headers={"Idempotency-Key": "short"})  # fmt: skip
    yield Case("short key on join", "POST", SEATS, 400, "malformed_request", "Idempotency-Key",
               b"{}", JSON, headers={"Idempotency-Key": "k" * 15})  # fmt: skip
    for tag in ("12", '"12', "'12'", "", '"1" "2"', '"1",', "W/1"):
        yield Case(f"If-Match: {tag}", "POST", STEPS, 400, "malformed_request", "If-Match", place,
                   JSON, "one", {"If-Match": tag})  # fmt: skip
    for tag in ("12", "'12'", "", '"a', '"1",', '"\u00e9"'):
        yield Case(f"If-None-Match: {tag}", "GET", "/v1/games/{open}", 400, "malformed_request",
                   "If-None-Match", headers={"If-None-Match": tag})  # fmt: skip
    for tag in ('"9999"', 'W/"1"', '"x"', '"9998", "9999"', '""'):
        yield Case(f"stale If-Match: {tag}", "POST", STEPS, 412, "precondition_failed", None,
                   place, JSON, "one", {"If-Match": tag})  # fmt: skip
    yield Case("stale expected_version", "POST", STEPS, 409, "version_conflict", None,
               b'{"notation": "+a1", "expected_version": 1}', JSON, "one")  # fmt: skip


def _illegal() -> Iterator[Case]:
    def illegal(name: str, value: Any, at: str) -> Case:
        return Case(name, "POST", STEPS, 422, "illegal_step", at, _sent(value), JSON, "one")

    yield illegal("move while placing", {"steps": [{"type": "move", "from": "a1", "to": "a2"}]},
                  "/steps/0")  # fmt: skip
    yield illegal("end while placing", {"notation": "."}, "/notation")
    yield illegal(
        "place twice on a square",
        {"steps": [{"type": "place", "to": "a1"}, {"type": "place", "to": "a1"}]},
        "/steps/1",
    )
    yield illegal("place a third worker", {"notation": "+a1 +a2 +a3"}, "/notation")
    for line in ("b9", ">>", "+", "hello", "b1>", "{S2: }", "[b1~b2", "a1^", "=x", "%", "+z1"):
        yield Case(f"notation {line}", "POST", STEPS, 422, "validation_failed", "/notation",
                   _sent({"notation": line}), JSON, "one")  # fmt: skip
    for line in ("b9", ">>", "+", "hello"):
        shown = line.replace(">", "%3E").replace("+", "%2B")
        yield query(f"after {line}", f"/v1/games/{{playing}}/legal-steps?after={shown}", 422,
                    "validation_failed", "after")  # fmt: skip
    yield query("after what cannot be played", "/v1/games/{playing}/legal-steps?after=a1%3Ea2",
                422, "illegal_step", None)  # fmt: skip


CASES: tuple[Case, ...] = tuple(
    case
    for source in (
        _bodies,
        _media_types,
        _creation,
        _joining,
        _steps,
        _queries,
        _paths,
        _callers,
        _headers,
        _illegal,
    )
    for case in source()
)
