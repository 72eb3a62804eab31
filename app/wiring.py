"""The one place where implementations are chosen."""

from __future__ import annotations

from collections.abc import Callable

from app.adapters.connections import connect, servers
from app.adapters.news import RedisFeed
from app.adapters.queue_length import QUEUE_TAG, QueueLength
from app.adapters.redis_store import RedisStore
from app.adapters.store import Store
from app.adapters.tickets import TICKET_TAG, MemoryTicketBox, RedisTicketBox, TicketBox
from app.config import Config, ConfigError
from app.services import Services
from app.services.archive import Archive
from app.services.backup import Backup
from app.services.clocks import Clocks
from app.services.compactor import Compactor
from app.services.games import Games
from app.services.ledger import Ledger
from app.services.maintenance import Maintenance
from app.services.news import News
from app.services.reader import Reader
from app.services.tickets import Tickets


def build_services(config: Config, store: Store | None = None) -> Services:
    """Build the use cases on Redis as configured, or on the store given.

    Raises:
        ConfigError: neither a store nor ``REDIS_URL`` says where the logs are.
    """
    news, box = _between_processes(config, store)
    ledger = Ledger(store or build_store(config), config.cached_games, news.announce)
    reader = Reader(ledger)
    clocks = Clocks(ledger, int(config.outage_seconds * 1000))
    return Services(
        games=Games(ledger, clocks),
        reader=reader,
        clocks=clocks,
        maintenance=Maintenance(ledger, clocks, _queue_length(config, store)),
        archive=Archive(ledger),
        backup=Backup(ledger),
        compactor=Compactor(ledger, int(config.compact_seconds * 1000)),
        news=news,
        tickets=Tickets(reader, box),
    )


def _queue_length(config: Config, store: Store | None) -> Callable[[], int] | None:
    """Return what counts the jobs that wait for a worker; None where there are no workers."""
    if store is not None or config.redis_url is None:
        return None
    return QueueLength(connect(config.redis_url, config.redis_timeout, QUEUE_TAG), config.queue)


def _between_processes(config: Config, store: Store | None) -> tuple[News, TicketBox]:
    """Build what processes tell each other; a store that is handed in has one process only."""
    if store is not None or config.redis_url is None:
        return News(), MemoryTicketBox()
    client = connect(config.redis_url, config.redis_timeout, TICKET_TAG)
    return (
        News(RedisFeed(config.redis_url, config.key_prefix)),
        RedisTicketBox(client, config.key_prefix),
    )


def build_store(config: Config) -> RedisStore:
    """Build the Redis store of a configuration; it connects at its first call.

    Raises:
        ConfigError: ``REDIS_URL`` is not set.
    """
    if config.redis_url is None:
        raise ConfigError("REDIS_URL must be set: it says which Redis holds the games")
    return RedisStore(
        servers(config.redis_url, config.redis_timeout),
        config.key_prefix,
        config.wait_replicas,
        int(config.redis_timeout * 800),
    )
