"""The ``santorini`` command.

Exit codes: 0 done; 1 the answer is no (a refusal, a log that does not verify, trouble found);
2 the command was not understood; 3 something needed cannot be reached or started; 130 interrupted.
"""

from __future__ import annotations

import sys

import click

from app.cli import care, demo, games, rules, serve
from app.cli.client import Refused
from app.config import ConfigError
from app.launch.trouble import LaunchError
from app.services import StoreUnavailable
from app.version import __version__
from domain.game.errors import Refusal

NO = 1
MISUSED = 2
UNREACHABLE = 3
INTERRUPTED = 130


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 the answer is no; 2 the command was not understood; "
    "3 something needed cannot be reached or started; 130 interrupted.",
)
@click.version_option(__version__, prog_name="santorini")
def santorini() -> None:
    """Santorini, served: run the service, look after its games, ask the rules."""


for command in (
    serve.up,
    serve.web,
    serve.worker,
    games.games,
    care.pause,
    care.resume,
    care.compact,
    care.doctor,
    rules.perft,
    rules.openapi,
    demo.demo,
):
    santorini.add_command(command)


def main() -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; what goes wrong is told on standard error."""
    try:
        return int(santorini.main(arguments, "santorini", standalone_mode=False) or 0)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        return _tell("Interrupted.", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ConfigError as error:
        return _tell(f"The configuration is wrong:\n{error}", MISUSED)
    except Refusal as refusal:
        flaws = [flaw.detail for flaw in refusal.flaws if flaw.detail != refusal.detail]
        return _tell("\n  ".join([f"{refusal.code}: {refusal.detail}", *flaws]), NO)
    except Refused as refused:
        return _tell(str(refused), NO)
    except LaunchError as error:
        return _tell(str(error), UNREACHABLE)
    except StoreUnavailable as error:
        return _tell(f"Redis cannot be used: {error}", UNREACHABLE)
    except OSError as error:
        return _tell(f"{error.filename or 'A file'} cannot be used: {error.strerror}", UNREACHABLE)


def _tell(text: str, code: int) -> int:
    click.echo(text, err=True)
    return code
