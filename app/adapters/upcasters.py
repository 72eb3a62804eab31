"""Old event shapes brought forward one schema at a time; the domain sees today's only.

A function registered with ``@upcasts("built", schema=0)`` takes the ``data`` of schema 0 and
returns that of schema 1. Events keep their stored form for ever: they are hashed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

FIRST = 1
"""The schema of an event type that has never changed."""
_UPCASTERS: dict[tuple[str, int], Upcaster] = {}


class UnknownSchema(ValueError):
    """An event of a schema this release does not know: too new, or never written."""


def upcasts(type_name: str, schema: int) -> Callable[[Upcaster], Upcaster]:
    """Register what turns ``data`` of this schema into that of the next one.

    Raises:
        ValueError: there is one already.
    """

    def register(upcaster: Upcaster) -> Upcaster:
        if (type_name, schema) in _UPCASTERS:
            raise ValueError(f"two upcasters of {type_name} from schema {schema}")
        _UPCASTERS[type_name, schema] = upcaster
        return upcaster

    return register


def schema_of(type_name: str) -> int:
    """Return the schema in which events of this type are written today."""
    schema = FIRST
    while (type_name, schema) in _UPCASTERS:
        schema += 1
    return schema


def current(type_name: str, schema: int, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the type and the data as of today's schema.

    Raises:
        UnknownSchema: no chain of upcasters leads from there to today.
    """
    today = schema_of(type_name)
    while schema != today:
        upcaster = _UPCASTERS.get((type_name, schema))
        if upcaster is None:
            raise UnknownSchema(f"{type_name} of schema {schema} (this release writes {today})")
        data, schema = upcaster(data), schema + 1
    return type_name, data


@upcasts("built", schema=0)
def name_the_piece(data: dict[str, Any]) -> dict[str, Any]:
    """Schema 1 names the piece; schema 0, of before the first release, knew only blocks."""
    return data | {"piece": "block"}
