"""``santorini demo``: a whole game between random clients, over HTTP, drawn turn by turn."""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from app.cli.client import Client
from app.config import Config
from app.launch import claim, supervisor
from app.launch.supervisor import Plan, Supervisor

NAMES = ("Ada", "Bob", "Cleo", "Dan")
SEATS = {"duel": 2, "trio": 3, "solo4": 4, "team4": 4, "team4_split": 4}


@click.command()
@click.option("--url", help="A running service; by default the one at PORT, else one of its own.")
@click.option("--variant", type=click.Choice(tuple(SEATS)), default="duel", show_default=True)
@click.option("--powers", is_flag=True, help="Deal powers at random; team4 always does.")
@click.option("--seed", type=int, help="Play the same game again (without powers).")
@click.option("--pause", default=0.0, type=click.FloatRange(0), help="Seconds between two turns.")
def demo(url: str | None, variant: str, powers: bool, seed: int | None, pause: float) -> None:
    """Play a game between random clients and draw the board after each turn.

    Without a running service it starts one of its own, with a folder of its own, and stops it.
    """
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    with contextlib.nullcontext(url) if url else service_at_hand(Config.from_env()) as address:
        click.echo(f"Playing at {address} (seed {seed})\n")
        # Two players at random, repeatable by seed: there is nothing to guess.
        chance = random.Random(seed)  # noqa: S311
        play(address, settings(variant, powers, chance), chance, pause)


@contextlib.contextmanager
def service_at_hand(config: Config) -> Iterator[str]:
    """Yield the address of the configured service if it runs, else of one started for a moment."""
    running = Plan(config.host, config.port, config.data_dir).url
    if supervisor.answers(running):
        yield running
        return
    with tempfile.TemporaryDirectory(prefix="santorini-demo-") as folder:
        plan = Plan("127.0.0.1", claim.free_port(), Path(folder), quiet=True)
        own = Supervisor(plan, lambda text: click.echo(text, err=True))
        try:
            own.start()
            yield plan.url
        finally:
            own.stop()


def settings(variant: str, powers: bool, chance: random.Random) -> dict[str, Any]:
    """Return the body of a request for a game; without powers it decides all that is random."""
    body: dict[str, Any] = {"variant": variant, "name": NAMES[0]}
    if powers or variant == "team4":
        return body | {"powers": {"mode": "random"}}
    return body | {"start_seat": chance.randrange(SEATS[variant]) + 1}


def play(
    url: str, body: dict[str, Any], chance: random.Random, pause: float = 0.0
) -> dict[str, Any]:
    """Play one game to its end and return it; every seat is a client with a token of its own."""
    created = Client(url).post("/v1/games", body)
    game: dict[str, Any] = created["game"]
    path = f"/v1/games/{game['id']}"
    players = {created["seat"]: Client(url, created["token"])}
    for name in NAMES[1 : len(game["seats"])]:
        joined = Client(url).post(f"{path}/seats", {"name": name})
        players[joined["seat"]] = Client(url, joined["token"])
        game = joined["game"]
    if introduction := _introduction(game):
        click.echo(introduction)
    while game["turn"] is not None:
        seat = game["turn"]["seat"]
        game = play_turn(players[seat], path, game, chance)
        click.echo(f"{NAMES[seat - 1]}:\n{players[seat].text(path + '/board.txt')}")
        time.sleep(pause)
    click.echo(_outcome(game))
    for player in players.values():
        player.close()
    return game


def play_turn(
    player: Client, path: str, game: dict[str, Any], chance: random.Random
) -> dict[str, Any]:
    """Choose legal steps at random until the turn is over, and return the game after it."""
    turn = (game["turn"]["number"], game["turn"]["kind"], game["turn"]["seat"])
    while game["turn"] and turn == tuple(game["turn"][key] for key in ("number", "kind", "seat")):
        legal = player.get(f"{path}/legal-steps")["steps"]
        game = player.post(f"{path}/steps", {"steps": [chance.choice(legal)]})["game"]
    return game


def _introduction(game: dict[str, Any]) -> str:
    powers = ((seat["name"], (seat["power"] or {}).get("key")) for seat in game["seats"])
    return "".join(f"{name} is {power}.\n" for name, power in powers if power)


def _outcome(game: dict[str, Any]) -> str:
    names = {seat["seat"]: seat["name"] for seat in game["seats"]}
    winners = " and ".join(names[seat] for seat in game["result"]["winners"])
    return f"{winners} won ({game['result']['reason']}) after {game['version']} events."
