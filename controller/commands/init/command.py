"""`tablectl init`: a configuration from questions, or from options alone."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar
from zoneinfo import available_timezones

import click

from controller.access.directory import NAME_MAX, Directory, PeopleError, local_day
from controller.access.pins import PinError
from controller.access.token import TokenError, write_token
from controller.access.write_directory import write_directory
from controller.commands.init import ask
from controller.commands.init.answers import (
    PANEL,
    READERS,
    NewTable,
    needs_beam,
    usual,
    usual_people,
)
from controller.commands.init.machine import SERVICE_FOLDER
from controller.commands.init.write import checked, put, rendered
from controller.commands.terminal.parsers import Subcommands, add_command, complete_with
from controller.commands.terminal.status import EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.configuration import Config
from controller.config.problems import ConfigError
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES, UnknownGame, game
from controller.table.roles import Role
from drivers.settings.panel import DEFAULT_SPOTS

T = TypeVar("T")


def _typed(read: Callable[[str], T]) -> Callable[[str], T]:
    """`read` as an option's type: what is wrong is said by argparse."""

    def convert(text: str) -> T:
        try:
            return read(text)
        except click.UsageError as error:
            raise argparse.ArgumentTypeError(error.message) from None

    return convert


def add_parsers(commands: Subcommands) -> None:
    """Add `init`."""
    parser = add_command(
        commands,
        "init",
        "Ask what a table is, look at this machine's ports, and write a configuration with"
        " comments that `run` takes. It overwrites nothing. What an option says is not asked.",
        "tablectl init",
        "sudo tablectl init /etc/tablectl/table.toml",
        "tablectl init --yes --game blackjack --seats 5 --without buzzer table.toml",
    )
    parser.add_argument(
        "config", nargs="?", type=Path, default=Path("table.toml"),
        help="the file to be written (table.toml)",
    )  # fmt: skip
    option = parser.add_argument
    option("--yes", "-y", action="store_true", help="ask nothing: what is usual, where not given")
    option("--name", help="the table's name (T1)")
    complete_with(option("--game", help=f"the game: {', '.join(GAMES)}"), lambda: GAMES)
    option("--seats", type=int, metavar="N", help="seats (7, or as many as the game has)")
    option("--currency", metavar="CODE", help="ISO 4217, three letters (EUR)")
    option(
        "--index", choices=[each.value for each in IndexStyle],
        help="what the cards print: 1 13 12 11 (finnish) or A K Q J (anglo)",
    )  # fmt: skip
    for bound in ("min", "max"):
        option(
            f"--{bound}-bet", type=_typed(ask.amount), metavar="AMOUNT",
            help=f"{'least' if bound == 'min' else 'largest'} wager, as 10 or 2.50 (the game's)",
        )  # fmt: skip
    option("--reader", choices=READERS, help="what reads the cards (what is found, else scanner)")
    option("--scanner", metavar="PORT", help="serial port of the scanner (the first that is found)")
    option("--camera", metavar="SOURCE", help="device of the camera, or its stream's URL")
    option(
        "--without", action="append", choices=PANEL, dest="panel",
        help="this part of the panel is not there; more than one may be named",
    )  # fmt: skip
    option("--strip", action="store_true", help="the lights are a strip on an SPI bus")
    complete_with(
        option("--zone", type=_typed(ask.zone), help="IANA time zone (this machine's)"),
        available_timezones,
    )
    option("--day-ends", type=_typed(ask.day_ends), metavar="HH:MM", help="local time (06:00)")
    option("--people", metavar="FILE", help="directory of people: the table has roles and PINs")
    option(
        "--floor", metavar="NAME",
        help="somebody of the floor, if FILE is new; the PIN is asked for, or read from a pipe",
    )  # fmt: skip
    option("--record", metavar="FOLDER", help="where the record is kept")
    option("--token-file", metavar="FILE", help="the API token; a new one is made beside it")
    option("--port", type=int, metavar="N", help="port of the pages (8027)")
    parser.set_defaults(command=run)


#: Options whose value is an answer as it stands.
_PLAIN: Final = (
    "name", "game", "seats", "currency", "index", "min_bet", "max_bet", "reader", "scanner",
    "camera", "zone", "day_ends", "people", "record", "token_file", "port",
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Ask, check, write; the exit status."""
    path: Path = arguments.config
    if path.exists():
        return fail(f"{path} exists already: it stays as it is. Name another file", EXIT_USAGE)
    if not path.parent.is_dir():
        return fail(f"there is no folder {path.parent}: make it first", EXIT_USAGE)
    try:
        answers = _answers(arguments, path)
        text = rendered(answers)
        config = checked(text, path)
        person = _first_person(arguments, config)
        _make_secrets(config, person)
        put(text, path)
    except click.Abort:
        return fail("given up: nothing was written. Without questions: --yes", EXIT_USAGE)
    except (UnknownGame, PinError, PeopleError) as error:
        return fail(str(error), EXIT_USAGE)
    except ConfigError as error:
        return fail(f"{error}\nNothing was written.", EXIT_CONFIG)
    except FileExistsError:
        return fail(f"{path} exists already: it stays as it is. Name another file", EXIT_USAGE)
    except (OSError, TokenError) as error:
        return fail(f"{path} cannot be written: {error}", EXIT_CONFIG)
    _say_what_is_next(path, config)
    return 0


def _answers(arguments: argparse.Namespace, path: Path) -> NewTable:
    """What was given as options, and for the rest what is answered, or usual."""
    answered = {name: value for name in _PLAIN if (value := getattr(arguments, name)) is not None}
    start = usual(path, game(answered.get("game", "blackjack")))
    answers: NewTable = replace(start, **answered)
    if arguments.panel is not None:
        answers = replace(answers, panel=answers.panel - {*arguments.panel})
        answered["panel"] = answers.panel
    if arguments.strip:
        answers = replace(answers, panel=answers.panel - {"leds"} | {"strip"})
        answered["panel"] = answers.panel
    if arguments.yes:
        return _as_usual(answers, answered)
    click.secho("A new table. Enter takes what stands in brackets, Ctrl-C gives up.", bold=True)
    return ask.ask(answers, frozenset(answered), usual_people(path))


def _as_usual(answers: NewTable, answered: dict[str, Any]) -> NewTable:
    """Without questions: the panel as far as it goes with the seats and the game."""
    if "panel" not in answered and answers.seats > len(DEFAULT_SPOTS):
        answers = replace(answers, panel=answers.panel - {"leds"})
    if needs_beam(game(answers.game), answers.reader) and "panel" not in answered:
        answers = replace(answers, panel=answers.panel | {"beam"})
    return answers


def _first_person(arguments: argparse.Namespace, config: Config) -> tuple[str, str] | None:
    """Somebody of the floor with a PIN, for a directory of people that is not there yet."""
    if config.people_file is None or config.people_file.exists():
        return None
    name: str | None = arguments.floor
    if name is None and not arguments.yes:
        ask.heading("People")
        name = click.prompt(f"Somebody of the floor (a name of up to {NAME_MAX} letters)")
    if name is None:
        return None
    if not sys.stdin.isatty():
        pin = sys.stdin.readline().rstrip("\n")
        try:
            Directory().add(name, Role.FLOOR, pin, local_day())  # before anything is written
        except PinError as error:
            raise PinError(f"{error}: {name}'s is read from a pipe, one line") from None
        return name, pin

    def taken(typed: str) -> str:
        try:
            Directory().add(name, Role.FLOOR, typed, local_day())
        except (PeopleError, PinError) as error:
            raise click.UsageError(str(error)) from None
        return typed

    return name, click.prompt("PIN", hide_input=True, confirmation_prompt="Again", value_proc=taken)


def _make_secrets(config: Config, person: tuple[str, str] | None) -> None:
    """The token and the directory of people, where they are not there yet."""
    token_file = config.web.token_file
    if not token_file.exists() and token_file.parent.is_dir():
        write_token(token_file)
    if person is not None and config.people_file is not None:
        # Below the service's own folder, which systemd hands to the service when it starts it.
        config.people_file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        directory = Directory()
        directory.add(person[0], Role.FLOOR, person[1], local_day())
        write_directory(config.people_file, directory)


def _say_what_is_next(path: Path, config: Config) -> None:
    shown = shlex.quote(str(path))
    click.secho(f"\nWritten: {path}", fg="green", bold=True)
    if warning := config.game.warning:
        click.secho(f"{config.game.title}: {warning}", fg="red", bold=True)
    next_: list[tuple[str, str]] = []
    if config.people_file is not None and not config.people_file.exists():
        people = shlex.quote(str(config.people_file))
        next_.append((f"tablectl person add {people} NAME --role floor", "somebody of the floor"))
    next_.append((f"tablectl doctor {shown}", "what is still missing on this machine"))
    if config.devices.camera:
        next_.append((f"tablectl calibrate camera {shown}", "before cards are read by it"))
    service = path.resolve().parent == SERVICE_FOLDER and os.path.isdir("/run/systemd/system")
    start = "systemctl enable --now tablectl" if service else f"tablectl run {shown}"
    next_.append((start, "the table"))
    wide = max(len(command) for command, _ in next_)
    click.echo("Next:")
    for command, what in next_:
        click.echo(f"  {command:{wide}}  # {what}")
