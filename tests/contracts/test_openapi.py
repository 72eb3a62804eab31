"""openapi.yaml is the code's own, is valid, and names exactly the routes there are."""

from pathlib import Path

import pytest
import yaml
from flask import Flask
from openapi_spec_validator import validate

from app.http.application import assemble
from app.http.contract import template_of
from app.http.export import openapi_document, openapi_yaml
from app.http.problems import TABLE

ROOT = Path(__file__).parents[2]
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


@pytest.fixture(scope="module")
def document():
    return openapi_document()


def operations(document):
    return {
        (path, method.upper()): operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method.upper() in METHODS
    }


def test_the_file_equals_the_code():
    """`make openapi` exports it again."""
    assert (ROOT / "openapi.yaml").read_text(encoding="utf-8") == openapi_yaml()


def test_the_yaml_says_what_the_document_says(document):
    assert yaml.safe_load(openapi_yaml()) == document


def test_it_is_valid_openapi_3_1(document):
    assert document["openapi"].startswith("3.1.")
    validate(document)


def test_every_route_is_documented_and_every_path_is_routed(document):
    app = Flask(__name__, static_folder=None)
    assemble(app)
    routed = {
        (template_of(rule), method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) & METHODS
    }
    assert routed == set(operations(document))


def test_operations_have_names_summaries_and_problems(document):
    found = operations(document)
    names = [operation["operationId"] for operation in found.values()]
    assert len(names) == len(set(names))
    for (path, method), operation in found.items():
        assert operation["summary"], (path, method)
        assert "500" in operation["responses"], (path, method)
        assert any(status.startswith("2") for status in operation["responses"]), (path, method)


def test_every_problem_code_is_documented_somewhere(document):
    text = " ".join(
        response["description"]
        for operation in operations(document).values()
        for response in operation["responses"].values()
        if "description" in response
    )
    missing = [code for code in TABLE if f"`{code}`" not in text]
    assert set(missing) <= {"method_not_allowed", "too_many_streams"}


def test_request_objects_are_closed(document):
    """Unknown members are refused, and the schema says so."""
    for operation in operations(document).values():
        body = operation.get("requestBody")
        if body is None:
            continue
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert document["components"]["schemas"][name]["additionalProperties"] is False
