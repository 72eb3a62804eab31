"""Export of ``openapi.yaml``: ``python -m app.http.export > openapi.yaml``."""

from __future__ import annotations

import sys
from typing import Any

from flask import Flask

from app.http.application import assemble
from app.http.contract import to_yaml


def openapi_document() -> dict[str, Any]:
    """Return the contract of this build as plain data; needs no store."""
    return assemble(Flask(__name__, static_folder=None)).document()


def openapi_yaml() -> str:
    """Return the contract of this build as it stands in ``openapi.yaml``."""
    return to_yaml(openapi_document())


if __name__ == "__main__":
    sys.stdout.write(openapi_yaml())
