"""One worker process: an RQ worker for the jobs, and a sweeper beside it."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from uuid import uuid4

import redis
from redis.backoff import ConstantBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

import workers.jobs
from app import logs
from app.adapters import connections
from app.config import Config
from app.wiring import build_services, build_store
from workers import QUEUE_TAG
from workers.sweeper import Sweeper

log = logging.getLogger(__name__)
JOB_SECONDS = 10
JOB_TTL = 30
FAILURE_TTL = 300
WORKER_TTL = 30
"""Seconds; a blocking read of the queue ends 15 seconds earlier."""
BREATH = 0.5


class DeadlineWorker(SimpleWorker):
    """An RQ worker that can be told to stop while Redis is away, and soon finds it again."""

    max_connection_wait_time = 1.0
    told_to_stop = False

    def handle_warm_shutdown_request(self) -> None:
        """Remember that the loop ends because somebody asked for it."""
        self.told_to_stop = True
        super().handle_warm_shutdown_request()

    def _shutdown(self) -> None:
        try:
            super()._shutdown()
        except RedisError as error:
            raise StopRequested from error


def run_worker(config: Config) -> None:
    """Serve deadlines until SIGTERM or SIGINT; outlive any absence of Redis.

    Raises:
        ConfigError: ``REDIS_URL`` is not set.
    """
    logs.configure(config.log_level)
    store = build_store(config)
    services = build_services(config, store)
    workers.jobs.bind(services)
    owner = uuid4().hex
    enqueuer = Enqueuer(config, owner)
    sweeper = Sweeper(
        services,
        store,
        enqueuer,
        owner,
        int(config.outage_seconds * 1000),
        int(config.rescue_seconds * 1000),
        config.reconcile_seconds,
        enqueuer.crowded,
        enqueuer.compact,
    )
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    thread = threading.Thread(target=sweeper.run, args=(stop,), name="sweeper", daemon=True)
    thread.start()
    try:
        _work(config, owner)
    finally:
        stop.set()
        thread.join(timeout=5)


class Enqueuer:
    """Hands shards to RQ as batch jobs, each under an id of its own."""

    def __init__(self, config: Config, owner: str) -> None:
        """Use bounded calls; the worker's blocking reads have a client of their own."""
        assert config.redis_url is not None
        client = connections.connect(config.redis_url, config.redis_timeout, QUEUE_TAG)
        self._queue = Queue(config.queue, connection=client, serializer=JSONSerializer)
        self._owner = owner[:8]
        self._count = 0

    def crowded(self) -> bool:
        """Say whether a job waits already: what is due meanwhile gathers for the next one."""
        return self._queue.count > 0

    def __call__(self, shards: Sequence[int]) -> None:
        """Enqueue one batch job for the overdue deadlines of some shards."""
        self._enqueue("run_due", "due", shards)

    def compact(self, shards: Sequence[int]) -> None:
        """Enqueue one job that compacts a few games of some shards."""
        self._enqueue("compact", "over", shards)

    def _enqueue(self, job: str, name: str, shards: Sequence[int]) -> None:
        self._count += 1
        self._queue.enqueue_call(
            f"workers.jobs.{job}",
            args=tuple(shards),
            timeout=JOB_SECONDS,
            result_ttl=0,
            ttl=JOB_TTL,
            failure_ttl=FAILURE_TTL,
            job_id=f"{name}_s{shards[0]:02}_{self._owner}_{self._count}",
        )


def _work(config: Config, owner: str) -> None:
    """Run RQ's loop, and run it again whenever it gives up without being told to."""
    assert config.redis_url is not None
    retry = Retry(ConstantBackoff(0.1), 1)
    client = connections.client(config.redis_url, QUEUE_TAG, retry=retry)
    with suppress(StopRequested):  # RQ's signal handlers stay in place between its loops
        for attempt in range(sys.maxsize):
            worker = _worker(config, client, f"{owner[:8]}-{attempt}")
            if worker is not None and _served(worker):
                return
            time.sleep(BREATH)


def _worker(config: Config, client: redis.Redis, name: str) -> DeadlineWorker | None:
    try:
        return DeadlineWorker(
            [config.queue],
            name=name,
            connection=client,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            log_job_description=False,
        )
    except RedisError as error:
        log.warning("the worker waits for Redis: %s", error)
        return None


def _served(worker: DeadlineWorker) -> bool:
    """Run RQ's loop to its end; say whether somebody asked it to end."""
    try:
        worker.work(logging_level="WARNING")
    except StopRequested:
        return True
    except RedisError as error:
        if not worker.told_to_stop:
            log.warning("the worker waits for Redis: %s", error)
    return worker.told_to_stop


def _leave(number: int, frame: FrameType | None) -> None:
    """End the process while RQ's own handlers are not in place."""
    raise SystemExit(0)
