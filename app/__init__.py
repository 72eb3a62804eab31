"""The service: use cases, adapters, views, HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from app.config import Config
    from app.services import Services


def create_app(config: Config | None = None, services: Services | None = None) -> Flask:
    """Build the web application; pass services to run it on other parts than configured.

    Imports happen here, so that the CLI and the workers pay for no more than they use.
    """
    from app.config import Config
    from app.http import cors, journal, limits, metrics
    from app.http.application import assemble
    from app.http.bodies import MAX_BODY_BYTES
    from app.http.framework import Service
    from app.wiring import build_services

    config = config or Config.from_env()
    app = Service(__name__, static_folder=None)
    # One more than is allowed: a body of unknown length is cut here, and seen to be too long.
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES + 1
    app.extensions["santorini"] = services or build_services(config)
    app.extensions["config"] = config
    assemble(app, max(1, config.web_threads * 3 // 4), limits.streams(config.streams))
    metrics.init_app(app)
    journal.init_app(app)
    cors.init_app(app, config.cors_origins)
    if config.rate_limits == "on":
        limits.init_app(app, config.trusted_proxies)
    return app
