"""Whole games by strangers, many at a time, on real parts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest
import requests

from tests.end_to_end.instance import Instance
from tests.end_to_end.players import SEATS, Table, check_log

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("end_to_end")]


def test_games_of_every_variant_end_in_parallel(service: Instance) -> None:
    """Random legal steps end every game, with a winner and a log that proves itself."""
    variants = [variant for variant in SEATS for _ in range(2)]

    def whole_game(number: int) -> None:
        table = Table(service.url, number, variant=variants[number])
        table.fill()
        game = table.play()
        assert game["status"] == "finished"
        assert game["result"]["winners"]
        check_log(table, game)

    with ThreadPoolExecutor(len(variants)) as pool:
        list(pool.map(whole_game, range(len(variants))))


@pytest.mark.parametrize("variant", ["duel", "team4_split"])
def test_recommended_placement_starts_at_once(service: Instance, variant: str) -> None:
    """C-15: nobody places; the start seat moves."""
    table = Table(service.url, 7, variant=variant, placement="recommended", start_seat=1)
    game = table.fill()
    assert game["status"] == "playing"
    assert game["turn"]["seat"] == 1
    check_log(table, table.play())


def test_two_clients_racing_for_one_turn(service: Instance) -> None:
    """Whatever is sent at once, exactly one turn is played."""
    table = Table(service.url, 1, placement="recommended", start_seat=1)
    table.fill()
    headers = {"Authorization": f"Bearer {table.tokens[1]}"}
    turns = ["b1>b2 b2^b3", "b1>a2 a2^a3", "d1>d2 d2^d3", "d1>e2 e2^e3"] * 2

    def send(line: str) -> int:
        body = {"notation": line, "expected_version": version}
        return table.session.post(
            f"{table.url}/steps", json=body, headers=headers, timeout=10
        ).status_code

    version = table.get()["version"]
    with ThreadPoolExecutor(len(turns)) as pool:
        answers = list(pool.map(send, turns))
    assert min(answers) == 201
    assert answers.count(201) == 1
    assert set(answers) == {201, 409}


def test_whoever_waits_hears_of_it_at_once(service: Instance) -> None:
    """A long poll ends with a step of somebody else, not when its time is over."""
    table = Table(service.url, 3, placement="recommended", start_seat=1)
    game = table.fill()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(
            requests.get, f"{table.url}?wait=30&after={game['version']}", timeout=40
        )
        sleep(1.0)
        played = table.step(game)
        answer = waiting.result()
    assert answer.status_code == 200
    assert answer.json()["version"] == played["version"]
    assert answer.elapsed.total_seconds() < 20
