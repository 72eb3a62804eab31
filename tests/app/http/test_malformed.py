"""A table of malformed requests: each answers its documented refusal and changes no log."""

import pytest

from tests.app.http.malformed import CASES, Case


@pytest.fixture(scope="module")
def games(app):
    """Ids and tokens the table of cases names."""
    client = app.test_client()

    def create(**settings):
        body = client.post("/v1/games", json=settings).json
        return body["game"]["id"], body["token"]

    def join(game_id):
        return client.post(f"/v1/games/{game_id}/seats", json={}).json["token"]

    open_id, creator = create()
    private_id, _ = create(visibility="private")
    _, foreign = create()
    playing_id, host = create(seat=None, start_seat=1)
    tokens = {
        "creator": creator,
        "host": host,
        "one": join(playing_id),
        "two": join(playing_id),
        "foreign": foreign,
    }
    return {"open": open_id, "playing": playing_id, "private": private_id}, tokens


def send(client, case: Case, ids, tokens):
    headers = dict(case.headers)
    if case.token:
        headers["Authorization"] = f"Bearer {tokens[case.token]}"
    path = case.path
    for name, game_id in ids.items():
        path = path.replace(f"{{{name}}}", game_id)
    environ = {f"HTTP_{k.upper().replace('-', '_')}": v for k, v in headers.items()}
    return client.open(
        path,
        method=case.method,
        data=case.body,
        content_type=case.content_type,
        environ_overrides=environ,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_malformed_request_is_refused_as_documented(app, games, case):
    ids, tokens = games
    client = app.test_client()
    response = send(client, case, ids, tokens)
    assert (response.status_code, response.json["code"]) == (case.status, case.code), response.text
    if case.at is not None:
        flaw = response.json["errors"][0]
        assert flaw.get("pointer", flaw.get("parameter")) == case.at


def test_no_log_has_changed(app, games):
    ids, _ = games
    client = app.test_client()
    heads = {}
    for name, game_id in ids.items():
        if name != "private":
            heads[name] = client.get(f"/v1/games/{game_id}").json["version"]
    assert heads == {"open": 2, "playing": 5}
