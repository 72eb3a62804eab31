"""``santorini games``: the operator's view of games, secrets included."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from app.cli import logs
from app.cli.output import as_json, json_option
from app.config import Config
from app.launch import reach
from app.services import Services, Snapshot, Verification
from app.services.backup import BadLine, proven
from app.services.types import STATUSES, GameQuery
from app.views.games import game_body
from app.views.records import board_text
from app.views.sight import Viewer
from app.wiring import build_services
from domain.board.position import VARIANTS

EYES = Viewer(everything=True)

game_id = click.argument("game_id")
log_file = click.argument("file", type=click.File("rb"))


@contextmanager
def _services() -> Iterator[Services]:
    with reach.redis_at_hand(Config.from_env()) as config:
        yield build_services(config)


@click.group()
def games() -> None:
    """List, show, replay, verify, export and import games, secrets included."""


@games.command("list")
@click.option("--status", type=click.Choice(STATUSES))
@click.option("--variant", type=click.Choice(VARIANTS))
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10_000))
@json_option
def list_games(status: str | None, variant: str | None, limit: int, json: bool) -> None:
    """List public games, the newest first."""
    with _services() as services:
        found = list(_found(services, GameQuery(status=status, variant=variant), limit))
    if json:
        as_json([game_body(snapshot, EYES) for snapshot in found])
        return
    for snapshot in found:
        game = snapshot.game
        names = ", ".join(chair.name or "-" for chair in game.chairs)
        click.echo(
            f"{snapshot.game_id}  {game.settings.variant:11} {game.status:9} "
            f"{game.version:5}  {names}"
        )


def _found(services: Services, query: GameQuery, limit: int) -> Iterator[Snapshot]:
    while limit > 0:
        page = services.reader.list(
            GameQuery(
                status=query.status,
                variant=query.variant,
                limit=min(limit, 100),
                cursor=query.cursor,
            )
        )
        yield from page.games
        limit -= len(page.games)
        if page.next_cursor is None:
            return
        query = GameQuery(status=query.status, variant=query.variant, cursor=page.next_cursor)


@games.command()
@game_id
@json_option
def show(game_id: str, json: bool) -> None:
    """Show a game as it stands, with everything that is hidden from its players."""
    with _services() as services:
        snapshot = logs.snapshot_of([event.body for event in services.archive.export(game_id)])
    if json:
        as_json(game_body(snapshot, EYES))
        return
    game = snapshot.game
    click.echo(f"{game.settings.variant}, {game.status}, version {game.version}")
    for chair in game.chairs:
        click.echo(f"  S{chair.seat} {chair.name or '-'} ({chair.status})")
    for line in game.lines:
        click.echo(f"  {line}")
    if game.line:
        click.echo(f"  ... {game.line}")
    click.echo(board_text(snapshot, EYES))


@games.command()
@log_file
@json_option
def replay(file: Any, json: bool) -> None:
    """Play a log (NDJSON) again from FILE, drawing the board after each turn. Needs no Redis."""
    bodies = logs.read(file.read())
    frames = list(logs.frames(bodies))
    if json:
        as_json([{"version": v, "lines": lines, "board": board} for v, lines, board in frames])
        return
    for _, lines, board in frames:
        click.echo("\n".join(lines))
        click.echo(f"{board}\n")


@games.command()
@click.argument("names", nargs=-1, metavar="[GAME_ID | FILE]...")
@click.option("--all", "every", is_flag=True, help="Verify all games.")
@json_option
def verify(names: tuple[str, ...], every: bool, json: bool) -> None:
    """Check logs: hashes, order, and every step by the rules. Ends with 1 if one is bad.

    An exported log is checked where it lies, without any Redis.
    """
    if not names and not every:
        raise click.UsageError("Name games or files, or say --all.")
    files = {name: logs.verification(Path(name)) for name in names if Path(name).is_file()}
    found = files | _verified([name for name in names if name not in files], every)
    if json:
        as_json(found)
    else:
        for one, result in found.items():
            verdict = "ok" if result.ok else f"bad at {result.first_bad_version}: {result.problem}"
            click.echo(f"{one}  version {result.version}  {result.log_hash}  {verdict}")
    if not all(result.ok for result in found.values()):
        raise click.exceptions.Exit(1)


def _verified(game_ids: list[str], every: bool) -> dict[str, Verification]:
    if not game_ids and not every:
        return {}
    with _services() as services:
        if every:
            game_ids += services.backup.games()
        return {one: services.archive.verify(one) for one in game_ids}


@games.command()
@click.argument("game_id", required=False)
@click.option("--all", "every", is_flag=True, help="Write all games, one a line, to restore them.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write a file.")
def export(game_id: str | None, every: bool, output: Path | None) -> None:
    """Write the whole log of a game as NDJSON, secrets included; or all games, with --all.

    The copy of all games holds token hashes and secrets too. Keep it as you keep the games.
    """
    if (game_id is None) != every:
        raise click.UsageError("Name a game, or say --all.")
    count, damaged = 0, list[str]()
    with _services() as services, _sink(output) as sink:
        lines = services.backup.lines(damaged) if game_id is None else _log(services, game_id)
        for line in lines:
            sink.write(line)
            count += 1
    if output is not None:
        click.echo(f"{count} {'games' if every else 'events'} in {output}")
    if damaged:
        raise click.ClickException("\n".join(["These games are left out:", *damaged]))


def _log(services: Services, game_id: str) -> Iterator[bytes]:
    for event in services.archive.export(game_id):
        yield logs.ndjson([event.body])


@contextmanager
def _sink(output: Path | None) -> Iterator[IO[bytes]]:
    """Open a file that takes its name only once everything is in it and on the disk."""
    if output is None:
        yield sys.stdout.buffer
        return
    unfinished = output.with_name(f"{output.name}.unfinished")
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as sink:
        yield sink
        sink.flush()
        os.fsync(sink.fileno())
    unfinished.replace(output)


@games.command("import")
@log_file
@click.option("--restore", is_flag=True, help="Put all games of an export --all back as they were.")
@json_option
def import_game(file: Any, restore: bool, json: bool) -> None:
    """Store the log (NDJSON) or record in FILE as a new game, flagged imported, once it replays.

    With --restore, FILE is a copy of all games: they keep ids, hashes and tokens. All of it is
    checked before anything is written, and it may be repeated.
    """
    if restore:
        _restore(file.read().splitlines(), json)
        return
    content = file.read()
    with _services() as services:
        if content.lstrip().startswith(b"{"):
            snapshot = services.archive.import_events(logs.read(content))
        else:
            snapshot = services.archive.import_record(logs.text(content))
    if json:
        as_json(game_body(snapshot, EYES))
    else:
        click.echo(f"{snapshot.game_id}  {snapshot.game.status}, version {snapshot.version}")


def _restore(lines: list[bytes], json: bool) -> None:
    try:
        count = proven(lines)
        with _services() as services:
            restored = sum(services.backup.restore(line) for line in lines)
    except BadLine as error:
        raise click.ClickException(str(error)) from error
    if json:
        as_json({"games": count, "restored": restored})
    else:
        click.echo(f"{restored} of {count} games restored; the others were there already.")
