"""Blueprints that read requests strictly and document exactly what they do.

``Blueprint.operation`` states what flask-smorest cannot know: who may call, which headers are
heard, which problems may answer. The exported contract and the checks of ``exchange`` both come
from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import flask_smorest
from flask import Request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from app.http.bodies import ABSENT, read_json
from app.http.fields import flaws_of
from app.http.problems import PROBLEM_TYPE, TABLE, Problem

F = TypeVar("F", bound=Callable[..., Any])

PUBLIC = "public"
OPTIONAL = "optional"
REQUIRED = "required"


class Reader(FlaskParser):
    """Read bodies and query strings; every flaw becomes a problem with pointers or parameters."""

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Return the body as JSON; a body may be missing where the schema says so."""
        body = read_json(req)
        if body is ABSENT:
            if getattr(schema, "may_be_absent", False):
                return {}
            raise Problem("malformed_json", "A JSON body is needed here.")
        return body

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """Return the query parameters; each stands at most once (checked beforehand)."""
        return req.args.to_dict()

    def handle_error(
        self,
        error: ValidationError,
        req: Request,
        schema: Schema,
        *,
        error_status_code: int | None,
        error_headers: Any,
    ) -> NoReturn:
        """Turn marshmallow's messages into a ``validation_failed`` problem."""
        assert isinstance(error.messages, dict)  # webargs puts them under the place they are from
        ((location, messages),) = error.messages.items()
        flaws = list(flaws_of(messages))
        if location == "query":
            flaws = [{"parameter": flaw.pop("pointer").lstrip("/"), **flaw} for flaw in flaws]
        where = flaws[0].get("pointer", flaws[0].get("parameter"))
        detail = f"{where or 'The body'}: {flaws[0]['detail']}"
        raise Problem("validation_failed", detail, flaws)


class Rules(NamedTuple):
    """What one operation promises beyond its schemas."""

    operation_id: str
    caller: str
    problems: tuple[str, ...]
    headers: tuple[str, ...]
    conditional: bool
    links: Mapping[str, Mapping[str, Any]]


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose operations carry the whole contract."""

    ARGUMENTS_PARSER = Reader()

    if TYPE_CHECKING:  # flask-smorest's decorators have no types of their own

        def route(self, rule: str, **options: Any) -> Callable[[F], F]: ...  # noqa: D102 - as theirs
        def response(self, status: int, *args: Any, **options: Any) -> Callable[[F], F]: ...  # noqa: D102 - as theirs
        def alt_response(self, status: int, **options: Any) -> Callable[[F], F]: ...  # noqa: D102 - as theirs

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(self._prepare_contract_doc)

    def arguments(self, schema: Any, **options: Any) -> Callable[[F], F]:
        """Read a body or query by a schema, made once and not anew for every request."""
        made = schema() if isinstance(schema, type) else schema
        decorate: Callable[[F], F] = super().arguments(made, **options)
        return decorate

    def operation(
        self,
        operation_id: str,
        *,
        caller: str = PUBLIC,
        problems: Sequence[str] = (),
        headers: Sequence[str] = (),
        conditional: bool = False,
        links: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Callable[[F], F]:
        """Document one operation: its name, its caller, its problems, its headers.

        ``conditional`` is for reads with an ``ETag``; ``headers`` names shared header parameters
        of the contract (``IdempotencyKey``, ``IfMatch``, ``Prefer``, ...). ``links`` maps
        operations that can follow a success to what they take from it (OpenAPI, Link Object).
        """
        rules = Rules(
            operation_id, caller, tuple(problems), tuple(headers), conditional, links or {}
        )

        def decorate(view: F) -> F:
            apidoc = deepcopy(getattr(view, "_apidoc", {}))
            apidoc["contract"] = rules
            vars(view)["_apidoc"] = apidoc  # where flask-smorest looks for it
            return view

        return decorate

    @staticmethod
    def _prepare_contract_doc(
        doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **_: Any
    ) -> dict[str, Any]:
        rules: Rules = doc_info["contract"]
        doc["operationId"] = rules.operation_id
        doc["security"] = {
            PUBLIC: [],
            OPTIONAL: [{}, {"seatToken": []}],
            REQUIRED: [{"seatToken": []}],
        }[rules.caller]
        names = list(rules.headers)
        if rules.conditional:
            names.append("IfNoneMatch")
        doc["parameters"] = [*doc.get("parameters", []), *names]
        responses = {str(k): v for k, v in doc.get("responses", {}).items() if str(k) < "400"}
        if rules.conditional:
            responses["304"] = {
                "description": "What the caller has is still right.",
                "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
            }
        if rules.links:
            success = responses["201" if "201" in responses else "200"]
            success["links"] = {
                name: {"operationId": name, **taken} for name, taken in rules.links.items()
            }
        doc["responses"] = responses | _problem_responses(_codes(rules, doc, method))
        return doc


def _codes(rules: Rules, doc: dict[str, Any], method: str) -> list[str]:
    """List the codes an operation may answer with, common ones included."""
    codes = {*rules.problems, "malformed_request", "unknown_parameter", "not_acceptable"}
    codes |= {"rate_limited", "internal_error", "store_unavailable", "body_too_large"}
    if rules.caller != PUBLIC:
        codes |= {"token_unknown"}
    if rules.caller == REQUIRED:
        codes |= {"token_required"}
    if "requestBody" in doc:
        codes |= {"malformed_json", "unsupported_media_type"}
    if "requestBody" in doc or doc.get("parameters"):
        codes |= {"validation_failed"}
    if method in ("post", "delete"):
        codes |= {"paused"}
    if "IfMatch" in rules.headers:
        codes |= {"precondition_failed"}
    if {"IdempotencyKey", "SealedIdempotencyKey"} & set(rules.headers):
        codes |= {"idempotency_key_reused", "request_in_progress"}
    return [code for code in TABLE if code in codes]


def _problem_responses(codes: Sequence[str]) -> dict[str, Any]:
    by_status: dict[str, list[str]] = {}
    for code in codes:
        by_status.setdefault(str(TABLE[code].status), []).append(code)
    return {
        status: {
            "description": "Problem: " + ", ".join(f"`{code}`" for code in listed),
            "headers": _problem_headers(status),
            "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, listed in sorted(by_status.items())
    }


def _problem_headers(status: str) -> dict[str, Any]:
    names = {"401": "WwwAuthenticate", "429": "RetryAfter", "503": "RetryAfter"}
    headers = {"X-Request-ID": {"$ref": "#/components/headers/RequestId"}}
    if status in names:
        spelled = {"WwwAuthenticate": "WWW-Authenticate", "RetryAfter": "Retry-After"}
        name = names[status]
        headers[spelled[name]] = {"$ref": f"#/components/headers/{name}"}
    return headers
