"""What Prometheus reads moves when something happens, summed over the processes of a server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from app.config import Config
from tests.end_to_end.instance import Instance, running
from tests.strangers.duel import Duel
from workers.main import Enqueuer

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("strangers")]

RESCUE = 0.4
"""Lateness in seconds at which a sweeper helps itself."""


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """Run a service of these tests' own: they hold up its worker."""
    folder = tmp_path_factory.mktemp("metrics")
    with running(Instance(folder, SANTORINI_RESCUE_SECONDS=str(RESCUE))) as one:
        yield one


def read(instance: Instance, name: str, **labels: str) -> float:
    """Return the sum of the samples that bear these labels."""
    text = requests.get(f"{instance.url}/metrics", timeout=20).text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def until(moved: Callable[[], bool], seconds: float = 20) -> None:
    limit = time.monotonic() + seconds
    while not moved():
        assert time.monotonic() < limit
        time.sleep(0.05)


@contextmanager
def no_worker(instance: Instance) -> Iterator[int]:
    """Hold the workers up, and tell how many there are; each may still be given one job."""
    pids = instance.pids("worker")
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield len(pids)
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def post(duel: Duel, instance: Instance, suffix: str, body: object, **headers: str) -> int:
    token = duel.tokens[duel.game["turn"]["seat"]]
    headers = {"Authorization": f"Bearer {token}"} | headers
    url = f"{instance.url}{duel.path}{suffix}"
    return requests.post(url, json=body, headers=headers, timeout=20).status_code


def test_requests_are_counted_by_template_over_all_processes(instance: Instance) -> None:
    labels = {"method": "GET", "path": "/v1/variants", "status": "200"}
    before = read(instance, "santorini_requests_total", **labels)
    for _ in range(40):  # each on a connection of its own, so that both processes answer
        requests.get(f"{instance.url}/v1/variants", timeout=20)
    assert read(instance, "santorini_requests_total", **labels) == before + 40


def test_appends_and_conflicts_are_counted(instance: Instance) -> None:
    appended = read(instance, "santorini_appends_total", verdict="appended")
    conflicts = read(instance, "santorini_problems_total", code="version_conflict")
    duel = Duel(instance.url, start_seat=1)
    duel.join()
    duel.step()
    assert read(instance, "santorini_appends_total", verdict="appended") == appended + 3
    body = {"notation": "+a1", "expected_version": 1}
    assert post(duel, instance, "/steps", body) == 409
    assert read(instance, "santorini_problems_total", code="version_conflict") == conflicts + 1


def test_open_streams_are_counted(instance: Instance) -> None:
    duel = Duel(instance.url)
    before = read(instance, "santorini_waiting_requests")
    url, sse = f"{instance.url}{duel.path}/events", {"Accept": "text/event-stream"}
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(requests.get(url, headers=sse, stream=True, timeout=20))
        assert read(instance, "santorini_waiting_requests") == before + 2
    duel.join()  # who has gone is noticed at the next event
    duel.resign()
    until(lambda: read(instance, "santorini_waiting_requests") == before)


def test_late_commands_overdue_deadlines_and_rescues_show(instance: Instance) -> None:
    rescues = read(instance, "santorini_rescues_total")
    late = read(instance, "santorini_problems_total", code="turn_expired")
    assert read(instance, "santorini_oldest_overdue_seconds") < RESCUE
    with no_worker(instance):
        duel, nobody_plays = (
            Duel(instance.url, start_seat=1, turn_seconds=1, placement="recommended")
            for _ in range(2)
        )
        duel.join()
        nobody_plays.join()
        until(lambda: read(instance, "santorini_oldest_overdue_seconds") > 2 * RESCUE)
        assert post(duel, instance, "/steps", {"notation": "."}) == 409
        assert read(instance, "santorini_problems_total", code="turn_expired") == late + 1
    until(lambda: read(instance, "santorini_rescues_total") > rescues)
    until(lambda: read(instance, "santorini_oldest_overdue_seconds") < RESCUE)


def test_the_length_of_the_queue_shows(instance: Instance) -> None:
    (socket,) = Path(instance.environment["SANTORINI_DATA_DIR"]).rglob("*.sock")
    enqueue = Enqueuer(Config(redis_url=f"unix://{socket.resolve()}"), "metrics")
    with no_worker(instance) as workers:
        before = read(instance, "santorini_queue_length")
        for shard in range(workers + 1):
            enqueue([shard])
        assert read(instance, "santorini_queue_length") >= before + 1
    until(lambda: read(instance, "santorini_queue_length") == 0)
