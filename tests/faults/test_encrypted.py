"""A cluster and a primary under sentinels that speak TLS only and ask for a password."""

from __future__ import annotations

import datetime as dt
import ipaddress
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.adapters import connections
from app.adapters.queue_length import QUEUE_TAG
from app.config import Config
from app.wiring import build_services
from domain.game.settings import Settings
from tests.faults.replicated import NAME, SLOTS, require_server, until
from tests.servers import HIGHEST_CLUSTER_PORT, free_port

pytestmark = pytest.mark.end_to_end
PASSWORD = "p@ss"  # a URL writes it %40


def certify(folder: Path) -> dict[str, str]:
    """Write a certificate for this machine; return the settings that make a server use it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now, day = dt.datetime.now(dt.UTC), dt.timedelta(days=1)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now - day, now + day)
    builder = builder.add_extension(here, critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    (folder / "cert.pem").write_bytes(
        builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return {
        "tls-cert-file": f"{folder}/cert.pem",
        "tls-key-file": f"{folder}/key.pem",
        "tls-ca-cert-file": f"{folder}/cert.pem",
        "tls-auth-clients": "no",
        "port": "0",
    }


class Servers:
    """Servers by their settings, each a process that ends with the test."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self._tls = certify(folder)

    def run(self, name: str, *words: str, **settings: str) -> int:
        port = next(p for p in iter(free_port, 0) if p < HIGHEST_CLUSTER_PORT)
        home = self.folder / name
        home.mkdir()
        every = self._tls | {"dir": str(home), "tls-port": str(port)}
        every |= {key.replace("_", "-"): value for key, value in settings.items()}
        lines = [*(f"{key} {value}" for key, value in every.items()), *words]
        (home / "server.conf").write_text("\n".join(lines))
        sentinel = ["--sentinel"] if words else []
        command = ["redis-server", f"{home}/server.conf", *sentinel]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        password = None if words else PASSWORD

        def answers() -> bool:
            if process.poll() is not None:
                pytest.skip("this redis-server was built without TLS")
            with redis.Redis("127.0.0.1", port, ssl=True, password=password) as client:
                return bool(client.ping())

        until(answers)
        return port


@pytest.fixture(params=["cluster", "sentinel"])
def url(request, tmp_path, monkeypatch) -> Iterator[str]:
    require_server()
    with ExitStack() as stack:
        servers = Servers(tmp_path, stack)
        monkeypatch.setenv("SSL_CERT_FILE", f"{tmp_path}/cert.pem")
        if request.param == "cluster":
            settings = {"cluster_enabled": "yes", "tls_cluster": "yes", "requirepass": PASSWORD}
            port = servers.run("one", **settings)
            with redis.Redis("127.0.0.1", port, ssl=True, password=PASSWORD) as client:
                client.execute_command("CLUSTER ADDSLOTS", *range(SLOTS))
                until(lambda: client.cluster("info")["cluster_state"] == "ok")
            yield f"rediss+cluster://:p%40ss@127.0.0.1:{port}"
        else:
            primary = servers.run("one", tls_replication="yes", requirepass=PASSWORD)
            watch = f"sentinel monitor {NAME} 127.0.0.1 {primary} 1"
            password = f"sentinel auth-pass {NAME} {PASSWORD}"
            port = servers.run("two", watch, password, tls_replication="yes")
            yield f"rediss+sentinel://:p%40ss@127.0.0.1:{port}/{NAME}"


def test_everything_speaks_tls(url):
    """Store, tickets and the workers' queue all reach the server, with its password."""
    services = build_services(Config(redis_url=url))
    seated = services.games.create(Settings())
    game_id = seated.snapshot.game_id
    services.games.join(game_id)
    assert services.archive.verify(game_id).ok
    ticket, _ = services.tickets.issue(game_id, seated.token)
    assert services.tickets.redeem(game_id, ticket) == seated.token
    with connections.client(url, QUEUE_TAG) as client:
        assert client.ping()
