"""How many jobs wait for a worker."""

from __future__ import annotations

import redis
from redis.exceptions import RedisError
from rq import Queue

from app.adapters.store import StoreUnavailable

QUEUE_TAG = "rq"
"""Hash tag of everything RQ keeps: ``RQ_KEY_PREFIX`` is ``{rq}``."""


class QueueLength:
    """Counts the waiting jobs of one RQ queue."""

    def __init__(self, client: redis.Redis, name: str) -> None:
        """Count in the queue of this name."""
        self._client = client
        self._name = name

    def __call__(self) -> int:
        """Return the number of jobs that wait."""
        try:
            return int(Queue(self._name, connection=self._client).count)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
