"""How many jobs wait for a worker.

RQ reads its key prefix when it is first imported: that must be from here, or from ``workers``.
"""

from __future__ import annotations

import os

import redis
from redis.exceptions import RedisError

from app.adapters.store import StoreUnavailable

QUEUE_TAG = "rq"
"""Hash tag of everything RQ keeps: it stays together on a cluster."""
os.environ.setdefault("RQ_KEY_PREFIX", f"{{{QUEUE_TAG}}}")


class QueueLength:
    """Counts the waiting jobs of one RQ queue."""

    def __init__(self, client: redis.Redis, name: str) -> None:
        """Count in the queue of this name."""
        self._client = client
        self._name = name

    def __call__(self) -> int:
        """Return the number of jobs that wait."""
        from rq import Queue  # here, for it is asked for by /metrics alone and takes long to import

        try:
            return int(Queue(self._name, connection=self._client).count)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
