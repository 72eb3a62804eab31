"""The swift client: connections are used again, and no answer is ever taken for another's."""

from __future__ import annotations

import os
import signal
import threading

import pytest
import redis
from redis.exceptions import NoScriptError, ResponseError

from app.adapters.connections import connect
from app.adapters.swift import SwiftRedis
from tests.servers import redis_server


@pytest.fixture
def client(single):
    with connect(single.url, 2.0) as client:
        client.flushall()
        yield client


def named(client):
    """Return the number by which the server knows the connection of a command."""
    return client.client_id()


def test_a_connection_that_served_well_serves_again(client):
    assert isinstance(client, SwiftRedis)
    first = named(client)
    with pytest.raises(NoScriptError):
        client.evalsha("0" * 40, 0)
    client.set("a", "text")
    with pytest.raises(ResponseError):
        client.incr("a")
    assert named(client) == first


def test_one_that_died_meanwhile_is_replaced_in_the_same_call(tmp_path):
    with redis_server(tmp_path) as server, connect(server.url, 0.5) as client:
        client.set("a", 1)
        server.kill()
        with pytest.raises(redis.ConnectionError):
            client.get("a")
        server.start()
        assert client.get("a") == b"1"
        client.client_kill_filter(_type="normal", skipme=False)
        assert client.get("a") == b"1"


def warm(client, count):
    """Let so many calls run side by side, so that as many connections wait afterwards."""
    began, going_on = threading.Barrier(count + 1), threading.Barrier(count + 1)
    ordinary = client.parse_response

    def held(*args, **more):
        answer = ordinary(*args, **more)
        began.wait(5)
        going_on.wait(5)
        return answer

    client.parse_response = held
    threads = [threading.Thread(target=client.ping) for _ in range(count)]
    for thread in threads:
        thread.start()
    began.wait(5)
    client.parse_response = ordinary
    going_on.wait(5)
    for thread in threads:
        thread.join()


def test_of_many_that_died_meanwhile_none_costs_a_call(tmp_path):
    """As many connections as tries, and more, wait when the server closes all of them."""
    with redis_server(tmp_path) as server, connect(server.url, 0.5) as client:
        client.set("a", 1)
        for _ in range(2):
            warm(client, 8)
            client.client_kill_filter(_type="normal")
            assert [client.get("a") for _ in range(8)] == [b"1"] * 8
        warm(client, 8)
        server.kill()
        server.start()
        assert [client.get("a") for _ in range(8)] == [b"1"] * 8


class Alarm(Exception):
    """Somebody interrupts."""


def test_an_interrupted_call_leaves_no_answer_behind(client, monkeypatch):
    client.set("a", "right")
    before = named(client)

    def ring(number, frame):
        raise Alarm

    ordinary = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Alarm):
            client.blpop("nothing", 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, ordinary)
    client.rpush("nothing", "late")
    assert client.get("a") == b"right"
    assert named(client) != before


def test_threads_never_share_a_connection(client):
    wrong = []

    def work(number):
        for turn in range(200):
            said = f"{number}-{turn}".encode()
            if client.echo(said) != said:
                wrong.append(said)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_makes_connections_of_its_own(client):
    mine = named(client)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, str(named(client)).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    theirs = int(os.read(read, 100))
    os.close(read)
    os.close(write)
    assert theirs != mine
    assert named(client) == mine
