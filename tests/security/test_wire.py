"""Bytes that no client should send, against real gunicorn: a problem or a closed connection."""

from __future__ import annotations

import json
import socket
import threading
import time

import pytest
import requests

from tests.security.gunicorn import Web, read, web

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with web(tmp_path_factory.mktemp("wire"), SANTORINI_RATE_LIMITS="off") as one:
        yield one


def held(server: Web, said) -> None:
    """Hold an error against what every error must be, whoever wrote it."""
    assert said.status < 500, said
    for name, value in SAFE.items():
        assert said.headers.get(name) == value, said
    assert "default-src 'none'" in said.headers["Content-Security-Policy"]
    assert said.headers["X-Request-Id"]
    assert "Access-Control-Allow-Origin" not in said.headers
    assert "gunicorn/" not in said.headers.get("Server", "")
    if said.status >= 400 and said.body:
        assert said.headers["Content-Type"] == "application/problem+json", said
        body = json.loads(said.body)
        assert body["status"] == said.status
        assert body["type"] == f"/docs/problems/{body['code']}"


LINES = {
    "a long line": ("GET /" + "a" * 5000 + " HTTP/1.1", 400),
    "a very long query": ("GET /healthz?" + "a" * 100_000 + " HTTP/1.1", 400),
    "an odd method": ("BREW /healthz HTTP/1.1", 405),
    "a small method": ("get /healthz HTTP/1.1", 400),
    "a method of signs": ("G@T /healthz HTTP/1.1", 400),
    "TRACE": ("TRACE /healthz HTTP/1.1", 405),
    "CONNECT": ("CONNECT example.com:443 HTTP/1.1", 404),
    "PUT": ("PUT /v1/games HTTP/1.1", 405),
    "a star": ("OPTIONS * HTTP/1.1", None),
    "another's address": ("GET http://evil.example/healthz HTTP/1.1", 200),
    "another's missing page": ("GET http://evil.example/nothing HTTP/1.1", 404),
    "no path": ("GET http://evil.example HTTP/1.1", None),
    "two slashes": ("GET //evil.example/ HTTP/1.1", 404),
    "a slash at the end": ("GET /v1/games/ HTTP/1.1", 404),
    "dots": ("GET /v1/../healthz HTTP/1.1", 404),
    "encoded dots": ("GET /docs/%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 404),
    "dots for a file": ("GET /docs/assets/../../../config.py HTTP/1.1", 404),
    "backslashes": ("GET /docs\\..\\..\\config.py HTTP/1.1", 404),
    "an encoded slash": ("GET /v1%2fgames HTTP/1.1", None),
    "NUL": ("GET /healthz%00 HTTP/1.1", 404),
    "encoded line ends": ("GET /v1/%0d%0aSet-Cookie:%20a=b HTTP/1.1", 404),
    "bad UTF-8": ("GET /v1/%ff%fe HTTP/1.1", 404),
    "half an escape": ("GET /v1/%zz HTTP/1.1", 404),
    "no version": ("GET /healthz", 400),
    "HTTP/0.9": ("GET /healthz HTTP/0.9", 400),
    "HTTP/3.0": ("GET /healthz HTTP/3.0", 400),
    "no words": ("", 400),
    "a TLS greeting": ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    "a tab for a blank": ("GET\t/healthz\tHTTP/1.1", 400),
}


@pytest.mark.parametrize(("line", "status"), LINES.values(), ids=LINES)
def test_a_request_line_is_answered_or_refused(server, line, status):
    said = server.ask(line)
    assert said.status == status if status else 200 <= said.status < 500
    held(server, said)


HEADERS = {
    "a huge header": (["X-Big: " + "a" * 20_000], 400),
    "a hundred headers": ([f"X-{n}: a" for n in range(100)], 400),
    "a folded header": (["X-A: a", " b"], 400),
    "a header without a colon": (["Authorization Bearer secret-token-in-a-broken-header"], 400),
    "a blank before the colon": (["X-A : b"], 400),
    "NUL in a header": (["X-A: a\0b"], 400),
    "a second host": (["Host: y"], None),
    "an impossible host": (["X-Forwarded-Host: ../", "Forwarded: host=evil.example"], 200),
    "a script name": (["SCRIPT_NAME: /x", "Script-Name: /x", "X-Script-Name: /x"], 200),
    "a scheme": (["X-Forwarded-Proto: https", "X-Forwarded-Ssl: on"], 200),
    "a method override": (["X-HTTP-Method-Override: DELETE"], 200),
    "a path override": (["X-Original-URL: /metrics", "X-Rewrite-URL: /metrics"], 200),
    "an unheard expectation": (["Expect: 200-maybe"], None),
    "an upgrade": (["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"], 200),
    "a range": (["Range: bytes=0-" + ",0-" * 500], 200),
    "an awful Accept": (["Accept: " + ",".join(["a/b;q=0.1"] * 500)], None),
    "an awful If-None-Match": (["If-None-Match: " + '"a",' * 1500], 200),
    "an awful Prefer": (["Prefer: " + "wait=" * 1000], 200),
}


@pytest.mark.parametrize(("headers", "status"), HEADERS.values(), ids=HEADERS)
def test_a_header_is_ignored_or_refused(server, headers, status):
    begin = time.perf_counter()
    said = server.ask("GET /version HTTP/1.1", *headers)
    assert time.perf_counter() - begin < 1
    assert said.status == status if status else 200 <= said.status < 500
    held(server, said)


def test_an_impossible_host_is_refused_or_ignored(server):
    for host in ("", "evil.example:port", "a/b", "[::1", "a\x01b", "x" * 3000):
        said = server.raw(f"GET /version HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert said.status in (200, 400)
        held(server, said)


POST = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BODIES = {
    "a negative length": ("Content-Length: -1\r\n\r\n{}", 400),
    "a signed length": ("Content-Length: +2\r\n\r\n{}", 400),
    "a length in words": ("Content-Length: two\r\n\r\n{}", 400),
    "a length of digits elsewhere": ("Content-Length: 0x2\r\n\r\n{}", 400),
    "two lengths": ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
    "a list of lengths": ("Content-Length: 2, 2\r\n\r\n{}", 400),
    "an absurd length": ("Content-Length: 99999999999999999999\r\n\r\n{}", 413),
    "a length and chunks": (
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
    ),
    "an unknown coding": ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
    "a hidden coding": ("Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n", 400),
    "chunks twice": ("Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400),
    "a bad chunk size": ("Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400),
    "a negative chunk size": ("Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", 400),
    "an absurd chunk size": ("Transfer-Encoding: chunked\r\n\r\n" + "f" * 40 + "\r\n{}", 400),
    "a chunk without its end": ("Transfer-Encoding: chunked\r\n\r\n2\r\n{}", 400),
    "a body that stops": ("Content-Length: 200\r\n\r\n{", 400),
    "chunks without an end of size": (
        "Transfer-Encoding: chunked\r\n\r\n" + ("1000\r\n" + "a" * 4096 + "\r\n") * 8, 413,
    ),
    "a good chunked body": ("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 201),
}  # fmt: skip


@pytest.mark.parametrize(("rest", "status"), BODIES.values(), ids=BODIES)
def test_a_body_is_read_whole_or_refused(server, rest, status):
    said = server.raw((POST + rest).encode("latin-1"))
    assert said.status == status
    held(server, said)


def test_one_request_is_never_two(server):
    """What stands behind a request whose length is in doubt is not taken for another one."""
    smuggled = "GET /version HTTP/1.1\r\nHost: x\r\n\r\n"
    for framing in (
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-encoding: identity\r\n",
        "Content-Length: 0\r\nContent-Length: 60\r\n",
    ):
        said = server.raw(f"{POST}{framing}\r\n0\r\n\r\n{smuggled}".encode())
        assert said.status == 400
        assert b"santorini-served" not in said.body


def test_what_is_refused_is_not_quoted_in_the_log(server):
    server.ask("GET /version HTTP/1.1", "Authorization Bearer a-token-in-a-broken-header")
    server.ask("GET /?ticket=a-ticket-in-a-long-line" + "a" * 5000 + " HTTP/1.1")
    assert "InvalidHeader" in server.logged
    for secret in ("a-token-in-a-broken-header", "a-ticket-in-a-long-line"):
        assert secret not in server.logged


class Broken(Web):
    """The same server before an application that breaks."""

    application = "tests.security.broken:app"


@pytest.fixture(scope="module")
def broken(server, tmp_path_factory):
    with Broken(tmp_path_factory.mktemp("broken"), server.redis).running() as one:
        yield one


@pytest.mark.parametrize("path", ["/raises", "/header"])
def test_an_application_that_breaks_is_answered_for(broken, path):
    said = broken.ask(f"GET {path} HTTP/1.1")
    assert said.status == 500
    assert json.loads(said.body)["code"] == "internal_error"
    assert said.headers["Content-Type"] == "application/problem+json"
    assert broken.ask("GET /healthz HTTP/1.1").body == b"ok"


def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(broken):
    said = broken.ask("GET /breaks-off HTTP/1.1")
    assert (said.status, said.body) == (200, b"half")
    assert said.headers["Content-Length"] == "10"


# -- slow clients -------------------------------------------------------------------------------


def slowest(server: Web, times: int = 20) -> float:
    """Return the longest of some normal requests, in seconds, each on a new connection."""
    longest = 0.0
    for _ in range(times):
        begin = time.perf_counter()
        answer = requests.get(f"{server.url}/version", timeout=10)
        longest = max(longest, time.perf_counter() - begin)
        assert answer.status_code == 200
    return longest


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /version HTTP/1.1\r\nX-A: ",
        POST.encode() + b"Content-Length: 100\r\n\r\n{",
        POST.encode() + b"Transfer-Encoding: chunked\r\n\r\n64\r\n{",
        b"GET /version HTTP/1.0\r\n\r\n",
        b"nonsense\r\n\r\n",
    ],
    ids=["idle", "head", "body", "chunks", "lingering", "refused"],
)
def test_forty_slow_connections_stop_nobody(server, sent):
    """Eight threads, forty connections that begin and do not go on."""
    slow = [server.connect() for _ in range(40)]
    try:
        for one in slow:
            one.sendall(sent)
        time.sleep(0.2)
        assert slowest(server) < 1.5
    finally:
        for one in slow:
            one.close()


def test_a_slow_request_ends_in_time(server):
    """A byte now and then, in the head or in the body, buys no more than ten seconds."""

    def drip(head: bytes, ends: list[float]) -> None:
        begin = time.monotonic()
        with server.connect(15) as one:
            one.sendall(head)
            one.settimeout(0.25)
            while time.monotonic() - begin < 14:
                try:
                    one.sendall(b"a")
                    if not one.recv(1):
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
        ends.append(time.monotonic() - begin)

    ends: list[float] = []
    heads = [b"GET /version HTTP/1.1\r\nX-A: ", POST.encode() + b"Content-Length: 9000\r\n\r\n"]
    threads = [threading.Thread(target=drip, args=(head, ends)) for head in heads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 2
    assert max(ends) < 12


def test_a_client_that_does_not_read_holds_one_thread_at_most(server):
    deaf = []
    for _ in range(3):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", server.port))
        one.sendall(b"GET /docs/assets/rapidoc.js HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
        deaf.append(one)
    try:
        assert slowest(server) < 1.5
    finally:
        for one in deaf:
            one.close()


def test_pipelined_requests_are_answered_in_order(server):
    with server.connect() as one:
        one.sendall(
            b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n"
            b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        said = read(one)
    assert said.status == 200
    assert said.body.index(b"santorini-served") < said.body.index(b"not_found")
    assert b'"ok"' in said.body
