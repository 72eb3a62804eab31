"""``/metrics``: what the service counts, over all its processes, in Prometheus' text format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from time import perf_counter

from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from app.http.blueprints import Blueprint
from app.http.callers import services
from app.http.contract import template_of
from app.http.framework import current_request
from app.services import Services, StoreUnavailable
from app.services.compactor import COMPACTED, LEFT

bp = Blueprint("metrics", __name__, description="What the service counts.")

PLAIN = "text/plain"

REQUESTS = Counter(
    "santorini_requests_total",
    "Requests, by method, path template and status.",
    ["method", "path", "status"],
)
PROBLEMS = Counter(
    "santorini_problems_total",
    "Requests that were refused, by code: version_conflict, turn_expired, rate_limited, ...",
    ["code"],
)
SECONDS = Histogram(
    "santorini_request_seconds",
    "Time to the answer of a request that does not wait.",
    ["method"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
STREAMS = Gauge(
    "santorini_waiting_requests",
    "Streams and long polls that are open.",
    multiprocess_mode="livesum",
)


class Backlog(Collector):
    """What is asked at every scrape: the oldest deadline, waiting jobs, shared counts."""

    def __init__(self, use_cases: Services) -> None:
        """Ask these services."""
        self._services = use_cases

    def collect(self) -> Iterable[Metric]:
        """Ask; leave all out while the store is away."""
        try:
            backlog = self._services.maintenance.backlog()
        except StoreUnavailable:
            return
        yield GaugeMetricFamily(
            "santorini_oldest_overdue_seconds",
            "How long the oldest overdue deadline has been waiting to be applied.",
            backlog.overdue / 1000,
        )
        if backlog.queued is not None:
            yield GaugeMetricFamily(
                "santorini_queue_length", "Jobs that wait for a worker.", backlog.queued
            )
        yield CounterMetricFamily(
            "santorini_rescues",
            "Deadlines that a sweeper applied itself because RQ did not.",
            backlog.counts.get("rescued", 0),
        )
        yield CounterMetricFamily(
            "santorini_repairs",
            "Entries of the due index that a comparison with the games put right.",
            backlog.counts.get("repaired", 0),
        )
        yield CounterMetricFamily(
            "santorini_compactions",
            "Games that were over and are now kept as one small value.",
            backlog.counts.get(COMPACTED, 0),
        )
        yield CounterMetricFamily(
            "santorini_compactions_refused",
            "Refusals to compact a game: its log does not verify; the log names it.",
            backlog.counts.get(LEFT, 0),
        )


def _texts() -> Iterator[bytes]:
    """Yield what all processes counted, then what is asked now."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    else:
        counted = REGISTRY
    yield generate_latest(counted)
    asked = CollectorRegistry()
    asked.register(Backlog(services()))
    yield generate_latest(asked)


@bp.route("/metrics", methods=["GET"])
@bp.response(200, {"type": "string"}, content_type=PLAIN)
@bp.operation("getMetrics")
def get_metrics() -> Response:
    """Read the metrics

    In the text format of Prometheus, over all processes of this server.
    """
    response = Response(b"".join(_texts()), content_type=CONTENT_TYPE_LATEST)
    response.headers["Cache-Control"] = "no-store"
    return response


METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")


def init_app(app: Flask) -> None:
    """Count every request."""

    counters: dict[tuple[str, str | None, int], Counter] = {}
    seconds = {method: SECONDS.labels(method) for method in (*METHODS, "OTHER")}

    def begin() -> None:
        g.began = perf_counter()

    def end(response: Response) -> Response:
        asked = current_request()
        method, rule = method_word(), asked.url_rule
        name = (method, rule.rule if rule else None, response.status_code)
        counter = counters.get(name)
        if counter is None:
            path = template_of(rule) if rule else "none"
            counter = counters[name] = REQUESTS.labels(method, path, response.status_code)
        counter.inc()
        if "problem" in g:
            PROBLEMS.labels(g.problem).inc()
        if not asked.query_string and "HTTP_PREFER" not in asked.environ:
            now = perf_counter()
            seconds[method].observe(now - g.get("began", now))
        return response

    app.before_request(begin)
    app.after_request(end)


def method_word() -> str:
    """Return the method, or one word for all that we do not serve: labels must stay few."""
    method = request.method
    return method if method in METHODS else "OTHER"
