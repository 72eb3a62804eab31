"""The blueprints of the service, put together into one application."""

from __future__ import annotations

from flask import Flask

from app.http import (
    analysis,
    catalogue,
    docs,
    events,
    exchange,
    games,
    metrics,
    pictures,
    problems,
    repeats,
    service,
    turns,
)
from app.http.contract import CONVERTERS, Contract, build_contract
from app.http.waiting import Room

VERSIONED = (games.bp, turns.bp, events.bp, pictures.bp, catalogue.bp, analysis.bp)
UNVERSIONED = (service.bp, docs.bp, metrics.bp)


def assemble(app: Flask, waiting: int = 48, streams: int = 4000) -> Contract:
    """Register routes, checks and problem answers on an application; return its contract.

    ``waiting`` is how many requests may wait at once, each in a thread; ``streams`` how many
    streams the hub carries.
    """
    app.url_map.converters.update(CONVERTERS)
    app.url_map.merge_slashes = False
    contract = build_contract(app)
    for blueprint in VERSIONED:
        contract.register_blueprint(blueprint, url_prefix="/v1")
    for blueprint in UNVERSIONED:
        contract.register_blueprint(blueprint)
    app.extensions["contract"] = contract
    app.extensions["waiting-room"] = Room(waiting, metrics.STREAMS.inc)
    app.extensions["stream-room"] = Room(streams, metrics.STREAMS.inc)
    exchange.init_app(app, contract.operations())
    problems.init_app(app)
    repeats.init_app(app)
    return contract
