"""The powers: discovery and the catalogue, nothing else.

Importing this package imports every module in it, and so fills the registry of the rules.
"""

from __future__ import annotations

import importlib
import pkgutil

from domain.rules.power import REGISTRY, Power

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

CATALOGUE: dict[str, Power] = dict(
    sorted(REGISTRY.items(), key=lambda item: (item[1].number, item[0]))
)
"""Every power by key, in the order of their numbers."""

__all__ = ["CATALOGUE"]
