"""The yardstick: endpoints with nothing but Flask, marshmallow and one Lua append."""

from __future__ import annotations

import json
import os
from pathlib import Path

import redis
from flask import Flask, Response, jsonify, request
from marshmallow import Schema, fields, validate

APPEND = """
local version = redis.call('LLEN', KEYS[1])
if version ~= tonumber(ARGV[1]) then return {'conflict', version} end
for index = 2, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[index]) end
return {'ok', version + #ARGV - 1}
"""

app = Flask(__name__)
client = redis.Redis.from_url(os.environ["REDIS_URL"])
append = client.register_script(APPEND)
BODIES = json.loads(Path(os.environ["BENCH_BODIES"]).read_text())
"""Bodies to answer with, by name: those of the endpoints this is compared with."""


class Step(Schema):
    """One step of a request."""

    type = fields.String(required=True, validate=validate.OneOf(("move", "build")))
    origin = fields.String(data_key="from", required=True, validate=validate.Length(equal=2))
    to = fields.String(validate=validate.Length(equal=2))
    at = fields.String(validate=validate.Length(equal=2))
    piece = fields.String(validate=validate.OneOf(("block", "dome")))


class Steps(Schema):
    """A request."""

    steps = fields.List(fields.Nested(Step), required=True, validate=validate.Length(1, 10))


SCHEMA = Steps()


@app.post("/<name>/<int:version>")
def play(name: str, version: int) -> tuple[Response, int]:
    """Append the steps to a list and say where it stands; 409 when it stands elsewhere."""
    steps = SCHEMA.load(request.get_json())["steps"]
    verdict, now = append(keys=[name], args=[version, *map(str, steps)])
    status = 201 if verdict == b"ok" else 409
    return jsonify({"verdict": verdict.decode(), "version": now, "events": steps}), status


@app.get("/bodies/<name>")
def body(name: str) -> Response:
    """Answer with a body that is ready."""
    return jsonify(BODIES[name])
