"""The jobs RQ runs; their names are part of the deployment contract, like event types.

A job takes plain values, may run twice or never, and is one call into a service.
"""

from __future__ import annotations

from functools import lru_cache

from app.config import Config
from app.services import Services
from app.wiring import build_services


class _Bound:
    """The services of this worker process, given by ``run_worker``."""

    services: Services | None = None


def bind(services: Services) -> None:
    """Let the jobs of this process use these services."""
    _Bound.services = services


@lru_cache(maxsize=1)
def _from_env() -> Services:
    return build_services(Config.from_env())


def run_due(*shards: int) -> int:
    """Apply the overdue deadlines of some shards; return how many were applied."""
    services = _Bound.services or _from_env()
    return services.clocks.run_due(*shards)


def compact(*shards: int) -> int:
    """Compact a few games of some shards that are over; return how many were compacted."""
    services = _Bound.services or _from_env()
    return sum(services.compactor.run(shard) for shard in shards)
