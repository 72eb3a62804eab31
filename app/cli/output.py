"""How commands print data."""

from __future__ import annotations

from typing import Any

import click
import msgspec

json_option = click.option("--json", is_flag=True, help="Print JSON instead of text.")


def as_json(value: Any) -> None:
    """Print a value as JSON, indented by two."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
