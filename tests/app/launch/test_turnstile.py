"""The turnstile: few at once, in the order they came, and nobody waits for ever."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from app.launch import turnstile
from app.launch.patience import Gate, Patient
from app.launch.turnstile import Turnstile


def queue_up(stile, names, entered):
    """Start a thread for each name, one after the other, that notes when it is let in."""
    threads = []
    for name in names:
        before = len(stile._waiting)
        thread = threading.Thread(target=lambda name=name: entered.append((name, stile.enter())))
        thread.start()
        threads.append(thread)
        while len(stile._waiting) == before:
            time.sleep(0.001)
    return threads


def wait_until(holds):
    for _ in range(2000):
        if holds():
            return
        time.sleep(0.001)
    raise AssertionError("it never came to that")


@pytest.fixture
def patient_stile(monkeypatch):
    monkeypatch.setattr(turnstile, "PATIENCE", 30)
    return Turnstile(2)


def test_places_are_given_in_the_order_of_arrival(patient_stile):
    assert patient_stile.enter() and patient_stile.enter()
    entered = []
    threads = queue_up(patient_stile, "abc", entered)
    assert entered == []
    for count in (1, 2, 3):
        patient_stile.leave()
        wait_until(lambda count=count: len(entered) == count)
    assert entered == [("a", True), ("b", True), ("c", True)]
    for thread in threads:
        thread.join()


def test_whoever_comes_back_does_not_push_in(patient_stile):
    assert patient_stile.enter() and patient_stile.enter()
    entered = []
    (waiting,) = queue_up(patient_stile, "a", entered)
    patient_stile.leave()
    (back,) = queue_up(patient_stile, "b", entered)
    waiting.join()
    assert entered == [("a", True)]
    patient_stile.leave()
    back.join()
    assert entered == [("a", True), ("b", True)]


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(turnstile, "PATIENCE", 0.01)
    stile = Turnstile(1)
    assert stile.enter()
    assert not stile.enter()
    stile.leave()
    assert stile.enter()


def test_whoever_waits_for_a_client_gives_its_place_away():
    stile, gate = Turnstile(1), Gate(8)
    ours, theirs = socket.socketpair()
    with theirs, Patient(fileno=ours.detach()) as sock:
        sock.enter(stile)
        sock.admit(gate, "somebody")
        read = []
        reader = threading.Thread(target=lambda: read.append(sock.recv(10)))
        reader.start()
        wait_until(lambda: stile._free == 1)
        theirs.sendall(b"late")
        reader.join()
        assert read == [b"late"]
        sock.step_aside()
        assert stile._free == 1


def test_whoever_does_not_read_takes_no_place():
    stile = Turnstile(1)
    ours, theirs = socket.socketpair()
    with theirs, Patient(fileno=ours.detach()) as sock:
        sock.enter(stile)
        big = b"a" * 4_000_000
        sender = threading.Thread(target=lambda: sock.sendall(big))
        sender.start()
        wait_until(lambda: stile._free == 1)
        got = 0
        while got < len(big):
            got += len(theirs.recv(1 << 20))
        sender.join()
