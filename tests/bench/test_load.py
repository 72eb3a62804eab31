"""The load generator against a server that does as it is told."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

from bench.load import BadAnswer, drive, request
from bench.processes import memory, processor_time, tree

Answering = Callable[[socket.socket, bytes], None]


@pytest.fixture
def serve() -> Iterator[Callable[[Answering], int]]:
    """Start servers that answer each request as a function says; return the port."""
    listeners = []

    def start(answer: Answering) -> int:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        Thread(target=_accept, args=(listener, answer), daemon=True).start()
        return int(listener.getsockname()[1])

    yield start
    for listener in listeners:
        listener.close()


def _accept(listener: socket.socket, answer: Answering) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        Thread(target=_speak, args=(connection, answer), daemon=True).start()


def _speak(connection: socket.socket, answer: Answering) -> None:
    with connection:
        while asked := connection.recv(65_536):
            answer(connection, asked)


def reply(status: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} So\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def test_every_request_is_answered_in_order_on_its_own_connection(serve):
    port = serve(lambda connection, asked: connection.sendall(reply(200, asked.split()[1])))
    scripts = [
        [request("GET", f"/{client}/{number}", keep=True) for number in range(20)]
        for client in range(5)
    ]
    load = drive(port, scripts)
    assert load.requests == 100
    assert [[a.rpartition(b"\r\n")[2].decode() for a in answers] for answers in load.answers] == [
        [f"/{client}/{number}" for number in range(20)] for client in range(5)
    ]
    assert 0 < load.p50 <= load.p99 <= load.seconds * 1_000
    assert load.rate == load.requests / load.seconds


def test_an_answer_may_come_in_pieces(serve):
    def in_pieces(connection: socket.socket, asked: bytes) -> None:
        whole = reply(200, b"x" * 1_000)
        for part in (whole[:7], whole[7:30], whole[30:60], whole[60:]):
            connection.sendall(part)
            time.sleep(0.002)

    load = drive(serve(in_pieces), [[request("GET", "/", keep=True)] * 3])
    assert [len(answer) for answer in load.answers[0]] == [len(reply(200, b"x" * 1_000))] * 3


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_without_a_body_is_complete_with_its_head(serve, status):
    head = f"HTTP/1.1 {status} So\r\nETag: x\r\n\r\n".encode()
    port = serve(lambda connection, asked: connection.sendall(head))
    assert drive(port, [[request("GET", "/", status=status)] * 4]).requests == 4


def test_what_is_sent_is_a_request_with_its_body(serve):
    port = serve(lambda connection, asked: connection.sendall(reply(201, asked)))
    one = request(
        "POST", "/x", {"a": 1}, status=201, token="t", headers={"If-Match": "*"}, keep=True
    )
    sent = drive(port, [[one]]).answers[0][0].partition(b"\r\n\r\n")[2]
    head, _, body = sent.partition(b"\r\n\r\n")
    assert head.splitlines()[0] == b"POST /x HTTP/1.1"
    assert {b"Authorization: Bearer t", b"If-Match: *", b"Content-Length: 7"} <= set(
        head.splitlines()
    )
    assert body == b'{"a":1}'


ODD = {
    "another status": reply(500, b"why"),
    "no length": b"HTTP/1.1 200 OK\r\n\r\nbody",
    "more than told": reply(200, b"four")[:-4] + b"four and more",
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_a_wrong_answer_ends_the_run(serve, answer):
    port = serve(lambda connection, asked: connection.sendall(answer))
    with pytest.raises(BadAnswer):
        drive(port, [[request("GET", "/")]])


def test_a_server_that_hangs_up_ends_the_run(serve):
    port = serve(lambda connection, asked: connection.shutdown(socket.SHUT_RDWR))
    with pytest.raises(BadAnswer, match="hung up"):
        drive(port, [[request("GET", "/")]])


def test_processor_time_and_memory_of_a_process():
    """What a process has used grows with its work, and what it has started is found."""
    program = "import time\nx = [0] * 10_000_000\nwhile time.process_time() < 0.3: pass\ninput()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as child:
        assert child.pid in list(tree(os.getpid()))
        while processor_time([child.pid]) < 0.3:
            time.sleep(0.01)
        held = memory(child.pid)
        child.communicate(b"\n")
    assert held.rss > 80
    assert 0 < held.pss <= held.rss
