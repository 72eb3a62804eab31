"""What is shipped: an image that can do little, of parts that are vouched for."""

from __future__ import annotations

import re

import pytest

from scripts.check_dockerfile import ROOT, compose_flaws, image_flaws

IMAGE = (ROOT / "Dockerfile").read_text()
COMPOSE = (ROOT / "compose.yaml").read_text()


def test_the_image_reads_well():
    assert list(image_flaws(IMAGE)) == []
    assert list(compose_flaws(COMPOSE)) == []


@pytest.mark.parametrize(
    ("right", "wrong", "flaw"),
    [
        ("USER 10001:10001", "USER root", "root"),
        ("USER 10001:10001", "USER 0", "root"),
        ("USER 10001:10001", "", "root"),
        ("WORKDIR /tmp", "RUN apt-get install gcc", "built"),
        ("WORKDIR /tmp", "RUN pip install flask", "built"),
        ("COPY domain domain", "COPY . .", "whole folder"),
        ("COPY domain domain", "ADD domain domain", "ADD"),
        ("PORT=8000", "REDIS_URL=redis://:secret@redis", "secret"),
        ("--require-hashes -r requirements/local.lock", "-r requirements/local.lock", "hash"),
        ('CMD ["web"]', 'CMD "web"', "shell"),
        ("python:3.12-slim-bookworm AS build", "python AS build", "version"),
    ],
)
def test_a_careless_image_is_told(right, wrong, flaw):
    assert right in IMAGE
    assert any(flaw in told for told in image_flaws(IMAGE.replace(right, wrong, 1)))


@pytest.mark.parametrize(
    ("right", "wrong", "flaw"),
    [
        ("read_only: true", "read_only: false", "write"),
        ("cap_drop: [ALL]", "cap_drop: [NET_RAW]", "capabilities"),
        ("no-new-privileges:true", "apparmor:default", "privileges"),
        ("command: [web]", "command: [web]\n    privileged: true", "privileged"),
        ("command: [web]", "command: [web]\n    user: root", "root"),
        ("- games:/data", "- /var/run/docker.sock:/x", "governs"),
    ],
)
def test_a_careless_composition_is_told(right, wrong, flaw):
    assert right in COMPOSE
    assert any(flaw in told for told in compose_flaws(COMPOSE.replace(right, wrong, 1)))


@pytest.mark.parametrize("name", ["service", "local", "dev", "release"])
def test_every_locked_package_is_vouched_for(name):
    text = (ROOT / "requirements" / f"{name}.lock").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip()]
    assert lines
    for line in lines:
        assert re.match(r"[A-Za-z0-9._-]+==\S+ ", line), line[:80]
        assert "--hash=sha256:" in line, line[:80]
    assert "://" not in text


def test_what_the_image_installs_is_what_the_project_needs():
    """No tool of development gets into the image."""
    text = (ROOT / "requirements" / "service.lock").read_text()
    names = set(re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE))
    assert {"flask", "gunicorn", "redis", "rq", "cryptography"} <= names
    assert not names & {"pytest", "hypothesis", "bandit", "mypy", "ruff", "requests", "uv", "pip"}
