"""Every answer of the tests is held against ``openapi.yaml``: status, headers, media type, body."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

from app.http.contract import template_of

DOCUMENT = "urn:openapi"


def closed(node: Any) -> Any:
    """Close every object schema, so that a member nobody documented is found."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: closed(value) for key, value in node.items()}
    described = node.get("type") == "object" and "properties" in node
    if described and node.get("additionalProperties") in (None, True):
        node["additionalProperties"] = False
    return node


class Judge:
    """Knows the contract of an application and judges its answers."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = closed(deepcopy(document))
        schemas = self.document["components"]["schemas"]
        schemas["Problem"]["additionalProperties"] = True
        resource = Resource(contents=self.document, specification=DRAFT202012)
        self.registry: Registry[Any] = Registry().with_resource(DOCUMENT, resource)
        self.seen: set[tuple[str, str, str]] = set()

    @cache  # noqa: B019 - a judge lives as long as the tests
    def _validator(self, pointer: str) -> Draft202012Validator:
        return Draft202012Validator(
            {"$ref": f"{DOCUMENT}#{pointer}"},
            registry=self.registry,
            format_checker=Draft202012Validator.FORMAT_CHECKER,
        )

    def judge(self, template: str | None, method: str, response: TestResponse) -> None:
        """Fail when an answer is not as documented."""
        assert response.headers.get("X-Request-ID")
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        status, media = str(response.status_code), response.mimetype
        if response.status_code >= 400:
            self._judge_problem(method, response)
        path = self.document["paths"].get(template or "", {})
        operation = path.get("get" if method == "HEAD" else method.lower())
        if operation is None or response.status_code == 405:
            return
        assert status in operation["responses"], f"{method} {template} has no {status}"
        documented = operation["responses"][status]
        self.seen.add((template or "", method, status))
        self._judge_headers(documented, response)
        content = documented.get("content")
        if not content:
            assert response.data == b"", f"{method} {template} {status} has an undocumented body"
            return
        assert media in content, f"{method} {template} {status} answers {media}"
        if method != "HEAD" and media in ("application/json", "application/problem+json"):
            escaped = (template or "").replace("~", "~0").replace("/", "~1")
            pointer = (
                f"/paths/{escaped}/{method.lower()}/responses/{status}/content/"
                f"{media.replace('/', '~1')}/schema"
            )
            self._valid(pointer, response)

    def _judge_headers(self, documented: dict[str, Any], response: TestResponse) -> None:
        told = {"ETag", "Location", "Retry-After", "WWW-Authenticate", "Idempotency-Replayed"}
        known = {name.lower() for name in documented.get("headers", {})}
        for name in told:
            if name in response.headers:
                assert name.lower() in known, f"undocumented header {name}"

    def _judge_problem(self, method: str, response: TestResponse) -> None:
        assert response.mimetype == "application/problem+json", response.data[:200]
        if method == "HEAD":
            return
        self._valid("/components/schemas/Problem", response)
        body = json.loads(response.data)
        assert body["status"] == response.status_code
        assert body["type"].endswith(f"/docs/problems/{body['code']}")
        if response.status_code in (429, 503):
            assert int(response.headers["Retry-After"]) >= 0
        if response.status_code == 401:
            assert response.headers["WWW-Authenticate"].startswith("Bearer")
        if response.status_code == 405:
            assert response.headers["Allow"]

    def _valid(self, pointer: str, response: TestResponse) -> None:
        errors = list(self._validator(pointer).iter_errors(json.loads(response.data)))
        assert not errors, "\n".join(f"{e.json_path}: {e.message[:300]}" for e in errors[:5])


class JudgedClient(FlaskClient):
    """A Flask client that judges every answer before a test sees it."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **kwargs)
        app: Flask = self.application
        judge: Judge = app.extensions["judge"]
        request = response.request
        adapter = app.url_map.bind("localhost")
        try:
            rule, _ = adapter.match(request.path, method=request.method, return_rule=True)
            template: str | None = template_of(rule)
        except Exception:
            template = None
        if request.method != "OPTIONS" and response.mimetype != "text/event-stream":
            judge.judge(template, request.method, response)
        return response
