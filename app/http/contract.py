"""The OpenAPI document: put together from the blueprints and schemas, and read back by checks."""

from __future__ import annotations

from typing import Any, NamedTuple

import flask_smorest
import yaml
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from marshmallow import fields
from werkzeug.routing import BaseConverter, Rule

from app.http import answers
from app.http.bodies import MAX_BODY_BYTES
from app.http.fields import Kinds
from app.http.requests import StartSeat
from app.version import __version__
from app.views.texts import LANGUAGES

DESCRIPTION = f"""\
The board game Santorini over HTTP: create a game, share its id, play steps, follow events.

Every error of 400 and above is `application/problem+json` (RFC 9457). Request bodies are JSON in
UTF-8 of at most {MAX_BODY_BYTES // 1024} KiB; unknown members and unknown query parameters are
refused. A token, shown once on creating or joining, is sent as `Authorization: Bearer ...`.
"""


class GameId(BaseConverter):
    """The part of a path that names a game; anything else is no path of ours (404)."""

    regex = "[A-Za-z0-9_-]{16,64}"


class SeatNumber(BaseConverter):
    """A seat in a path, 1 to 4."""

    regex = "[1-4]"

    def to_python(self, value: str) -> int:
        """Return the seat."""
        return int(value)


class VersionNumber(BaseConverter):
    """An event's version in a path, without leading zeros."""

    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        """Return the version."""
        return int(value)


class Word(BaseConverter):
    """A lower-case word in a path: a power's key, a problem's code, a page's name."""

    regex = "[a-z][a-z0-9_]{0,39}"


CONVERTERS: dict[str, type[BaseConverter]] = {
    "game": GameId,
    "seat": SeatNumber,
    "version": VersionNumber,
    "word": Word,
}

_PATH_PARTS = {
    "game_id": "The game's id, as in the answer to creating it.",
    "seat": "A seat of the game, from 1.",
    "version": "The event's version, from 1.",
    "key": "The power's key, as in the list of all powers.",
    "code": "The problem's `code`.",
}

_TAG = r'(W/)?"[!#-~]*"'
_TAGS = rf"^(\*|{_TAG}( *, *{_TAG})*)$"

_PARAMETERS: dict[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "description": "Repeat the request with the same key and body to get the first answer "
        "again.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
    },
    "SealedIdempotencyKey": {
        "name": "Idempotency-Key",
        "description": "Repeat the request with the same key and body to get the first answer "
        "again, token included: so the key is random and has at least 16 characters.",
        "schema": {"type": "string", "pattern": "^[!-~]{16,128}$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "description": "Do it only if the game still has this version (RFC 9110).",
        "schema": {"type": "string", "pattern": _TAGS, "examples": ['"12"']},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "Answer 304 if the game still has this version (RFC 9110).",
        "schema": {"type": "string", "pattern": _TAGS, "examples": ['"12"']},
    },
    "Prefer": {
        "name": "Prefer",
        "description": "`wait=30` with `If-None-Match`: wait up to so many seconds, 60 at most, "
        "for a change (RFC 7240).",
        "schema": {"type": "string", "examples": ["wait=30"]},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "description": "The last event the stream's reader has.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "description": "Languages for the rules' text (RFC 9110): `en`, `fa`, `fr`, `cs`, `pl` and "
        "`es` are there, `en` for whoever wants none of them.",
        "schema": {"type": "string", "examples": ["fr, en;q=0.5"]},
    },
}

_HEADERS: dict[str, dict[str, Any]] = {
    "RequestId": {
        "description": "The request's id, taken over from the request or made.",
        "schema": {"type": "string"},
    },
    "ETag": {"description": "The game's version, quoted.", "schema": {"type": "string"}},
    "Location": {
        "description": "Where the new thing is.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "ContentLanguage": {
        "description": "The language of the texts.",
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    },
    "Link": {"description": "The next page (RFC 8288).", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    "WwwAuthenticate": {"description": "Bearer.", "schema": {"type": "string"}},
    "Replayed": {
        "description": "`true` when this is the first answer to an earlier request.",
        "schema": {"type": "string", "enum": ["true"]},
    },
}


def header(name: str) -> dict[str, Any]:
    """Refer to a shared response header of the document."""
    return {"$ref": f"#/components/headers/{name}"}


class Operation(NamedTuple):
    """What the checks need to know of one operation."""

    parameters: frozenset[str]
    media_types: tuple[str, ...]
    """Media types of its successful answers, the default first; empty when it has no body."""


class Contract(flask_smorest.Api):
    """flask-smorest's Api with our own errors and fields."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Leave errors to ``problems``."""

    def _register_responses(self) -> None:
        """Leave error responses to ``blueprints``."""

    def _register_pagination_header(self) -> None:
        """Leave pages to ``Link``."""

    def document(self) -> dict[str, Any]:
        """Return the whole document as plain data, paths and schemas in a stable order."""
        document = dict(self.spec.to_dict())
        for item in document["paths"].values():
            for parameter in item.get("parameters", []):
                parameter["description"] = _PATH_PARTS[parameter["name"]]
        return document

    def operations(self) -> dict[tuple[str, str], Operation]:
        """Map path template and method to what the checks need."""
        document = self.document()
        return {
            (path, method.upper()): _operation(document, item, found)
            for path, item in document["paths"].items()
            for method, found in item.items()
            if method in ("get", "post", "delete")
        }


def _operation(document: dict[str, Any], item: dict[str, Any], found: dict[str, Any]) -> Operation:
    shared = document["components"].get("parameters", {})
    parameters = []
    for parameter in [*item.get("parameters", []), *found.get("parameters", [])]:
        if "$ref" in parameter:
            parameter = shared[parameter["$ref"].rpartition("/")[2]]
        if parameter["in"] == "query":
            parameters.append(parameter["name"])
    media_types = [
        media_type
        for status, response in found["responses"].items()
        if str(status).startswith("2")
        for media_type in response.get("content", {})
    ]
    return Operation(frozenset(parameters), tuple(dict.fromkeys(media_types)))


class _Converter(OpenAPIConverter):
    """Write what a schema says of several members at once: its ``also``."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """Return the JSON schema of a marshmallow schema."""
        written: dict[str, Any] = super().schema2jsonschema(schema)
        return written | getattr(schema, "also", {})


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


def template_of(rule: Rule) -> str:
    """Write a routing rule as a path template of the document."""
    template: str = flask_smorest.spec.FlaskPlugin.flaskpath2openapi(rule.rule)
    return template


def kinds2properties(converter: Any, field: fields.Field[Any], ret: Any) -> dict[str, Any]:
    """Document a ``Kinds`` field as ``oneOf`` with its discriminator."""
    if not isinstance(field, Kinds):
        return {}
    refs = {word: converter.resolve_nested_schema(kind) for word, kind in field.schemas.items()}
    return {
        "oneOf": list(refs.values()),
        "discriminator": {
            "propertyName": field.tag,
            "mapping": {word: ref["$ref"] for word, ref in refs.items()},
        },
    }


def start_seat2properties(converter: Any, field: fields.Field[Any], ret: Any) -> dict[str, Any]:
    """Document the start seat: a word or a number."""
    if not isinstance(field, StartSeat):
        return {}
    ret.pop("type", None)
    return {
        "anyOf": [
            {"type": "string", "enum": ["random"]},
            {"type": "integer", "minimum": 1, "maximum": 4},
        ]
    }


def build_contract(app: Flask) -> Contract:
    """Make the document's frame for an application; blueprints are registered on it."""
    app.config |= {
        "API_TITLE": "Santorini, served",
        "API_VERSION": __version__,
        "OPENAPI_VERSION": "3.1.0",
    }
    plugin = _Plugin()
    contract = Contract(
        app,
        spec_kwargs={
            "marshmallow_plugin": plugin,
            "info": {
                "description": DESCRIPTION,
                "license": {"name": "MIT", "identifier": "MIT"},
                "contact": {"name": "The maintainers"},
            },
            "servers": [{"url": "/", "description": "This service"}],
        },
    )
    assert plugin.converter is not None
    for documented in (kinds2properties, start_seat2properties):
        plugin.converter.add_attribute_function(documented)
    for converter, schema in (
        (GameId, {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$"}),
        (SeatNumber, {"type": "integer", "minimum": 1, "maximum": 4}),
        (VersionNumber, {"type": "integer", "minimum": 1, "maximum": 999_999_999}),
        (Word, {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"}),
    ):
        contract.register_converter(converter, lambda _, schema=schema: dict(schema))
    components = contract.spec.components
    components.schema("Problem", schema=answers.Problem)
    for name, parameter in _PARAMETERS.items():
        components.parameter(name, "header", parameter)
    for name, described in _HEADERS.items():
        components.header(name, described)
    components.security_scheme(
        "seatToken",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The token shown once on creating or joining a game.",
        },
    )
    return contract


class _Dumper(yaml.SafeDumper):
    """Write long texts as blocks and nothing as a reference."""

    def ignore_aliases(self, data: Any) -> bool:
        """Spell everything out."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def to_yaml(document: dict[str, Any]) -> str:
    """Write the document as YAML, byte for byte the same for the same code."""
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=96)
