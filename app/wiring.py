"""The one place where implementations are chosen."""

from __future__ import annotations

from app.adapters.redis_store import RedisStore, connect
from app.adapters.store import Store
from app.config import Config, ConfigError
from app.services import Services
from app.services.archive import Archive
from app.services.clocks import Clocks
from app.services.games import Games
from app.services.ledger import Ledger
from app.services.maintenance import Maintenance
from app.services.reader import Reader


def build_services(config: Config, store: Store | None = None) -> Services:
    """Build the use cases on Redis as configured, or on the store given.

    Raises:
        ConfigError: neither a store nor ``REDIS_URL`` says where the logs are.
    """
    ledger = Ledger(store or build_store(config), config.cached_games)
    clocks = Clocks(ledger, int(config.outage_seconds * 1000))
    return Services(
        games=Games(ledger, clocks),
        reader=Reader(ledger),
        clocks=clocks,
        maintenance=Maintenance(ledger, clocks),
        archive=Archive(ledger),
    )


def build_store(config: Config) -> RedisStore:
    """Build the Redis store of a configuration; it connects at its first call.

    Raises:
        ConfigError: ``REDIS_URL`` is not set.
    """
    if config.redis_url is None:
        raise ConfigError("REDIS_URL must be set: it says which Redis holds the games")
    return RedisStore(connect(config.redis_url, config.redis_timeout), config.key_prefix)
