"""A stranger's tool reads openapi.yaml and holds the running service to it."""

import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from werkzeug.serving import make_server

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.http.waiting import Room
from app.wiring import build_services

SETTINGS = Path(__file__).with_name("schemathesis.toml")


@pytest.fixture
def base():
    """A server on a port of its own: nobody may wait, nobody is slowed down."""
    config = Config(rate_limits="off")
    app = create_app(config, build_services(config, MemoryStore()))
    app.extensions["waiting-room"] = Room(0)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.timeout(600)
def test_schemathesis_finds_nothing(base, tmp_path):
    schemathesis = Path(sys.executable).with_name("schemathesis")
    if not schemathesis.exists():
        pytest.skip("schemathesis is not installed")
    run = subprocess.run(
        [
            *(str(schemathesis), "--config-file", str(SETTINGS), "run", f"{base}/openapi.yaml"),
            *("--url", base, "--checks", "all", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=580,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
