"""Creating, listing, reading, joining, leaving and calling off games (contract, sections 2-4)."""

import random
import re

import pytest

SETTINGS = {
    "variant": "duel",
    "powers": {"mode": "none"},
    "placement": "free",
    "start_seat": "random",
    "turn_seconds": 86400,
    "visibility": "public",
}


def test_an_empty_object_is_a_complete_request(client):
    response = client.post("/v1/games", json={})
    assert response.status_code == 201
    body = response.json
    game = body["game"]
    assert game["settings"] == SETTINGS
    assert (body["seat"], game["status"], game["turn"]) == (1, "open", None)
    assert response.headers["Location"] == f"/v1/games/{game['id']}"
    assert response.headers["ETag"] == f'"{game["version"]}"'
    assert [seat["status"] for seat in game["seats"]] == ["active", "free"]
    assert [seat["name"] for seat in game["seats"]] == ["Player 1", None]
    assert len(body["token"]) >= 43


def test_no_body_is_a_complete_request_too(client):
    assert client.post("/v1/games").status_code == 201


def test_ids_and_tokens_carry_enough_random_bits(create):
    tables = [create() for _ in range(20)]
    assert len({table.id for table in tables}) == 20
    assert all(len(table.id) >= 16 and len(table.tokens[1]) >= 43 for table in tables)


def test_the_host_does_not_play(create):
    table = create(seat=None)
    assert table.host
    assert [seat["status"] for seat in table.game()["seats"]] == ["free", "free"]


NAMES = ["Zo\u00eb", "\u5f35\u4e09", "\u0645\u0631\u06cc\u0645", "a" * 40, "<b>&amp;"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_kept_as_they_are(create, name):
    assert create(name=name).game()["seats"][0]["name"] == name


def test_joining_takes_the_lowest_free_seat(create):
    table = create(variant="trio", seat=2)
    assert table.join(name="Ada") == 1
    assert table.join() == 3
    names = [seat["name"] for seat in table.game()["seats"]]
    assert names == ["Ada", "Player 2", "Player 3"]


def test_joining_a_seat_of_ones_choice(create):
    table = create(variant="solo4")
    assert table.join(seat=3) == 3
    assert table.post("/seats", {"seat": 3}).json["code"] == "seat_taken"


def test_the_last_seat_starts_the_game(create):
    table = create(start_seat=2)
    table.join()
    game = table.game()
    assert game["status"] == "placing"
    assert game["turn"]["seat"] == 2
    assert (game["turn"]["kind"], game["turn"]["phase"], game["turn"]["number"]) == (
        "placement",
        "place",
        0,
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", game["turn"]["deadline"])
    assert game["position"] is None


def test_a_game_without_a_clock_has_no_deadline(started):
    assert started(turn_seconds=None).game()["turn"]["deadline"] is None


def test_recommended_placement_needs_no_request(started):
    game = started(placement="recommended").game()
    assert game["status"] == "playing"
    squares = {worker["square"] for worker in game["board"]["workers"]}
    assert squares == {"b1", "d1", "b5", "d5"}
    assert game["position"] == "duel/none|00000/00000/00000/00000/00000|b1,d1;b5,d5|S1n|;||"


def test_a_private_game_exists_only_for_its_own(create, client):
    table = create(visibility="private")
    assert table.invite
    assert table.get().status_code == 404
    assert table.get(seat=1).status_code == 200
    assert client.post(f"{table.path}/seats", json={}).status_code == 404
    assert table.join() == 2
    assert table.get(seat=2).status_code == 200
    assert table.get(seat="nobody").status_code == 404
    assert table.get(seat=1).headers["Cache-Control"] == "private, no-cache"


def test_an_invite_is_shown_to_the_creator_of_a_private_game_only(client):
    assert "invite" not in client.post("/v1/games", json={}).json
    assert "invite" not in client.post("/v1/games", json={"visibility": "unlisted"}).json


def listed(client, query="", **headers):
    response = client.get(f"/v1/games{query}", headers=headers)
    assert response.status_code == 200, response.text
    return [game["id"] for game in response.json["games"]]


def test_the_list_holds_public_games_newest_first(create, client):
    tables = [create() for _ in range(3)]
    hidden = [create(visibility=kind).id for kind in ("unlisted", "private")]
    found = listed(client, "?limit=100")
    assert {table.id for table in tables} <= set(found)
    assert not set(hidden) & set(found)


def test_the_list_is_followed_page_by_page(create, client):
    made = {create(variant="trio").id for _ in range(7)}
    found, path, pages = [], "/v1/games?variant=trio&limit=3", 0
    while path:
        response = client.get(path)
        found += [game["id"] for game in response.json["games"]]
        link = re.match(r'<([^>]*)>; rel="next"', response.headers.get("Link", ""))
        path, pages = (link[1] if link else None), pages + 1
    assert len(found) == len(set(found))
    assert made <= set(found)
    assert pages >= 3


def test_the_list_can_be_filtered(create, started, client):
    open_one, running = create(), started()
    assert open_one.id in listed(client, "?status=open&limit=100")
    assert running.id not in listed(client, "?status=open&limit=100")
    assert running.id in listed(client, "?status=placing&limit=100")
    split = started(variant="team4_split")
    assert listed(client, "?variant=team4_split") == [split.id]


def test_leaving_frees_the_seat_and_kills_the_token(create, client):
    table = create()
    token = table.tokens[1]
    response = client.delete(f"{table.path}/seats/1", headers=table.headers(1))
    assert response.status_code == 204
    assert table.game()["seats"][0]["status"] == "free"
    assert table.get(seat=token).json["code"] == "token_unknown"
    assert table.join() == 1


def test_the_creator_calls_a_game_off(create):
    table = create()
    response = table.post("/cancellation", seat=1)
    assert response.status_code == 201
    assert response.json["game"]["status"] == "cancelled"
    assert [event["type"] for event in response.json["events"]] == ["cancelled"]
    assert table.post("/seats", {}).json["code"] == "game_over"


def test_only_the_creator_calls_a_game_off(create):
    table = create(variant="trio")
    table.join()
    assert table.post("/cancellation", seat=2).json["code"] == "not_the_creator"


@pytest.mark.parametrize("variant", ["duel", "trio", "solo4", "team4_split"])
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_by_random_legal_steps(started, variant, seed):
    """Every step offered is accepted; the game ends with a result and a log that verifies."""
    dice = random.Random(f"{variant}{seed}")
    table = started(variant=variant)
    game = table.game()
    for _ in range(1000):
        if game["status"] == "finished":
            break
        seat = game["turn"]["seat"]
        offered = table.get("/legal-steps", seat).json
        assert (offered["seat"], offered["version"]) == (seat, game["version"])
        step = dice.choice(offered["steps"])
        response = table.post("/steps", {"steps": [step]}, seat)
        assert response.status_code == 201, response.text
        game = response.json["game"]
    assert game["status"] == "finished"
    assert game["turn"] is None
    winners, losers = game["result"]["winners"], game["result"]["losers"]
    assert sorted([*winners, *(loser["seat"] for loser in losers)]) == list(
        range(1, len(game["seats"]) + 1)
    )
    assert table.get("/verification").json["ok"] is True
    for path in ("/record", "/board.svg", "/board.txt", "/events"):
        assert table.get(path).status_code == 200


def test_old_versions_stay_readable(duel):
    newest = duel.game()
    for version in range(1, newest["version"] + 1):
        game = duel.get(f"?version={version}").json
        assert game["version"] == version
        event = duel.get(f"/events/{version}").json
        assert game["log_hash"] == event["hash"]
    assert duel.get(f"?version={newest['version'] + 1}").status_code == 404


def test_rematch_gives_all_callers_the_same_game(duel):
    assert duel.post("/rematch", seat=1).json["code"] == "game_not_over"
    duel.post("/resignation", seat=1)
    first = duel.post("/rematch", seat=1)
    assert first.status_code == 201
    second = duel.post("/rematch", seat=2)
    assert second.status_code == 200
    assert first.json["game"]["id"] == second.json["game"]["id"]
    assert (first.json["seat"], second.json["seat"]) == (1, 2)
    assert duel.game()["links"]["next_game"] == f"/v1/games/{first.json['game']['id']}"
    again = duel.post("/rematch", seat=1)
    assert (again.status_code, again.json["game"]["id"]) == (200, first.json["game"]["id"])


def test_a_new_token_replaces_the_old_one(create):
    table = create()
    old = table.tokens[1]
    response = table.post("/seats/1/token", seat=1)
    assert response.status_code == 201
    new = response.json["token"]
    assert new != old
    assert table.get(seat=old).json["code"] == "token_unknown"
    assert table.get(seat=new).status_code == 200
