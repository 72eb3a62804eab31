"""The log's line for a request: which game, which seat, what came of it."""

import logging


def test_a_command_is_logged_with_its_game_and_seat(started, caplog):
    """Whoever runs the service sees who acted where, and never a token (operations, section 6)."""
    table = started(placement="recommended", start_seat=1)
    with caplog.at_level(logging.INFO, logger="santorini.requests"):
        table.post("/steps", {"notation": "b1>b2 b2^b3"}, seat=1)
        table.get()
    played, read = (record.getMessage() for record in caplog.records[-2:])
    assert "POST /v1/games/{game_id}/steps status=201" in played
    assert f"game={table.id} seat=1 " in played
    assert f"game={table.id} seat=- " in read
    assert not any(token in caplog.text for token in table.tokens.values())


def test_a_probe_is_logged_once_it_finds_trouble(client, caplog):
    with caplog.at_level(logging.INFO, logger="santorini.requests"):
        client.get("/healthz")
        client.get("/healthz?what")
    said = [record.getMessage() for record in caplog.records if record.name == "santorini.requests"]
    assert [line.partition(" game")[0] for line in said] == ["GET /healthz status=400"]
