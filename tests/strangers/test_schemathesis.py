"""A stranger's tool reads openapi.yaml and holds the running service to it."""

import re
import sys
from pathlib import Path

import pytest

from tests.strangers.tools import ROOT, run

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("strangers")]

HERE = Path(__file__).parent
FEWEST_CASES = 2000
"""So that a run in which most was skipped does not pass for one that found nothing."""


@pytest.mark.timeout(900)
def test_schemathesis_finds_nothing(service, tmp_path):
    """All checks, all phases, the contract's links followed from one operation to the next."""
    command = [
        *(Path(sys.executable).with_name("schemathesis"), "--config-file"),
        *(HERE / "schemathesis.toml", "run", f"{service.url}/openapi.yaml"),
        *("--url", service.url, "--checks", "all", "--no-color"),
    ]
    told = run(
        command,
        tmp_path,
        patience=880,
        SCHEMATHESIS_HOOKS="tests.strangers.schemathesis_hooks",
        PYTHONPATH=str(ROOT),
    )
    (generated,) = re.findall(r"(\d+) generated", told)
    assert int(generated) >= FEWEST_CASES
    followed = re.search(r"API Links: +(\d+) covered", told)
    assert followed is not None
    assert int(followed[1]) >= 10
