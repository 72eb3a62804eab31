"""What can be reached at all: no route, no outgoing call and no function beyond what is meant."""

from __future__ import annotations

import ast
import secrets
from pathlib import Path

import pytest

from app import create_app
from app.config import Config
from app.http.contract import template_of
from app.wiring import build_services
from tests.security.conftest import created, started

ROOT = Path(__file__).resolve().parents[2]
OUTWARD = {
    "requests", "urllib.request", "urllib3", "http.client", "httpx", "aiohttp", "smtplib",
    "ftplib", "telnetlib", "socket", "xmlrpc.client", "subprocess", "pickle", "marshal", "shelve",
    "webbrowser",
}  # fmt: skip
NAMED = {"app/adapters/swift.py": {"socket"}}
"""Files that may name a module for its constants: they set options, and connect to nothing."""
SERVED = ("app/http", "app/services", "app/views", "app/adapters", "workers", "domain")


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_nothing_that_serves_calls_out_or_runs_anything():
    """No request can make the service fetch an address, run a program or unpickle."""
    for folder in SERVED:
        files = list((ROOT / folder).rglob("*.py"))
        assert files
        for path in files:
            assert not imports(path) & OUTWARD - NAMED.get(str(path.relative_to(ROOT)), set()), path


def test_what_sets_options_of_a_socket_makes_none():
    for path in NAMED:
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.Call):
                assert not ast.unparse(node.func).startswith("socket."), path


def test_nothing_that_serves_evaluates_text():
    for folder in SERVED:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in ("eval", "exec", "compile", "__import__"), path


def test_every_route_is_a_version_of_the_api_or_the_service_itself(app):
    document = app.extensions["contract"].document()["paths"]
    for rule in app.url_map.iter_rules():
        template = template_of(rule)
        assert template in document, "no route is hidden"
        itself = ("/docs", "/openapi.yaml", "/healthz", "/readyz", "/metrics", "/version")
        assert template == "/" or template.startswith(("/v1/", *itself))


@pytest.mark.parametrize(
    "path",
    [
        "/v1/pause", "/v1/resume", "/v1/import", "/v1/export", "/v1/admin", "/admin", "/debug",
        "/console", "/static/x", "/v2/games", "/v0/games", "/.git/config", "/.env",
        "/server-status",
        "/v1/games/AAAAAAAAAAAAAAAA/export", "/v1/games/AAAAAAAAAAAAAAAA/import",
        "/v1/games/AAAAAAAAAAAAAAAA/secret", "/v1/games/AAAAAAAAAAAAAAAA/tokens",
    ],
)  # fmt: skip
def test_what_operators_do_has_no_address(client, path):
    for method in ("GET", "POST", "DELETE"):
        assert client.open(path, method=method).status_code == 404


def test_the_application_is_not_in_debug(app):
    assert not app.debug
    assert not app.testing
    assert not app.config.get("SECRET_KEY"), "there are no sessions"
    assert app.static_folder is None


def test_a_role_does_what_it_may_and_no_more(client):
    """The host, the creator, a player and a stranger, each at what the others may do."""
    hosted = created(client, seat=None, start_seat=1)
    hosted.join()
    assert hosted.post("/steps", {"notation": "+a1 +a2"}, hosted.host).json["code"] == (
        "not_a_player"
    )
    assert hosted.post("/resignation", {}, hosted.host).json["code"] == "not_a_player"
    assert hosted.post("/rematch", {}, hosted.host).json["code"] == "not_a_player"
    assert hosted.post("/cancellation", {}, 1).json["code"] == "not_the_creator"
    assert hosted.post("/cancellation", {}).json["code"] == "token_required"
    assert hosted.post("/cancellation", {}, hosted.host).status_code == 201
    table = started(client)
    assert table.post("/cancellation", {}, 2).json["code"] == "not_the_creator"
    assert table.post("/steps", {"notation": "+a1 +a2"}, 2).json["code"] == "not_your_turn"
    for seat in (1, 2):
        other = 3 - seat
        response = client.delete(f"{table.path}/seats/{other}", headers=table.headers(seat))
        assert response.json["code"] == "not_your_seat"
        assert table.post(f"/seats/{other}/token", {}, seat).json["code"] == "not_your_seat"


def test_no_member_of_a_request_sets_what_only_the_server_may(client):
    for member in (
        "id", "status", "version", "imported", "token", "created_at", "log_hash", "result", "turn",
        "seats", "side", "links", "deadline", "board",
    ):  # fmt: skip
        response = client.post("/v1/games", json={member: "x"})
        assert (response.status_code, response.json["errors"][0]["pointer"]) == (422, f"/{member}")


def test_a_store_that_is_away_is_not_described_to_strangers(tmp_path):
    password = secrets.token_hex(8)
    url = f"redis://keeper:{password}@127.0.0.1:1/0"
    config = Config(redis_url=url, redis_timeout=0.05)
    client = create_app(config, build_services(config)).test_client()
    for path in ("/readyz", "/v1/games", "/v1/games/AAAAAAAAAAAAAAAA", "/metrics"):
        response = client.get(path)
        assert response.status_code in (200, 503)
        for secret in (password, "127.0.0.1", "keeper", "Errno", "Connection"):
            assert secret not in response.text
