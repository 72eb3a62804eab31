"""The one place where implementations are chosen."""

from __future__ import annotations

from app.adapters.store import Store
from app.config import Config
from app.services import Services


def build_services(config: Config, store: Store | None = None) -> Services:
    """Build the use cases on Redis as configured, or on the store given."""
    raise NotImplementedError
