"""Blueprints that read requests strictly and document exactly what they do.

``Blueprint.operation`` states what flask-smorest cannot know: who may call, which headers are
heard, which problems may answer. The exported contract and the checks of ``exchange`` both come
from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, cast

import flask_smorest
from flask import request
from marshmallow import Schema, ValidationError

from app.http.bodies import ABSENT, read_json
from app.http.fields import flaws_of
from app.http.problems import PROBLEM_TYPE, TABLE, Problem

F = TypeVar("F", bound=Callable[..., Any])

PUBLIC = "public"
OPTIONAL = "optional"
REQUIRED = "required"


class Reader:
    """Read bodies and query strings; every flaw becomes a problem with pointers or parameters.

    Stands where flask-smorest has webargs, which looks for a dozen things nobody asks of it here.
    """

    DEFAULT_VALIDATION_STATUS = TABLE["validation_failed"].status

    def use_args(self, schema: Schema, location: str, **_: Any) -> Callable[[F], F]:
        """Return a decorator that hands the request, read by a schema, to a view."""
        read = _query_reader(schema) if location == "query" else partial(_read_body, schema)

        def decorate(view: F) -> F:
            @wraps(view)
            def reading(*args: Any, **kwargs: Any) -> Any:
                return view(*args, read(), **kwargs)

            return cast("F", reading)

        return decorate


def _noted(decorate: Callable[[F], Any]) -> Callable[[F], F]:
    """Take from a decorator of flask-smorest what it notes on a view, not the call it puts around.

    Those calls ask at every request what is known when the view is written.
    """

    def note(view: F) -> F:
        vars(view)["_apidoc"] = decorate(view)._apidoc
        return view

    return note


def _read_body(schema: Schema) -> Any:
    body = read_json(request)
    if body is ABSENT:
        if not getattr(schema, "may_be_absent", False):
            raise Problem("malformed_json", "A JSON body is needed here.")
        body = {}
    try:
        return schema.load(body)
    except ValidationError as error:
        _refuse(list(flaws_of(error.messages)))


def _query_reader(schema: Schema) -> Callable[[], Any]:
    """Return what reads the query; each parameter stands at most once (checked beforehand)."""
    silent = schema.load({})

    def read() -> Any:
        if not request.query_string:
            return dict(silent)
        try:
            return schema.load(request.args.to_dict())
        except ValidationError as error:
            flaws = list(flaws_of(error.messages))
            _refuse([{"parameter": flaw.pop("pointer").lstrip("/"), **flaw} for flaw in flaws])

    return read


def _refuse(flaws: Sequence[Mapping[str, str]]) -> NoReturn:
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(self._prepare_contract_doc)

    def arguments(self, schema: Any, **options: Any) -> Callable[[F], F]:
        """Read a body or query by a schema, made once and not anew for every request."""
        made = schema() if isinstance(schema, type) else schema
        read = self.ARGUMENTS_PARSER.use_args(made, options.get("location", "json"))
        noted = _noted(super().arguments(made, **options))
        return lambda view: read(noted(view))

    def response(self, status: int, *args: Any, **options: Any) -> Callable[[F], F]:
        """Document an answer; views make theirs, so that nothing is to be done to it."""
        return _noted(super().response(status, *args, **options))

    def alt_response(self, status: int, **options: Any) -> Callable[[F], F]:
        """Document another answer."""
        return _noted(super().alt_response(status, **options))

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
