"""`tablectl pit`: many tables on one page and in one archive, until it is stopped."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from controller.commands.pit.move_people import add_parser as add_move_people
from controller.commands.pit.people import add_parser as add_people
from controller.commands.pit.rename_table import add_parser as add_rename_table
from controller.commands.pit.report import add_parser as add_report
from controller.commands.pit.set_aside import add_parser as add_set_aside
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError
from controller.config.toml_file import read_toml

_NEEDED = ("alembic", "argon2", "jinja2", "nats", "segno", "sqlalchemy", "webauthn", "zxcvbn")


def add_parsers(commands: Subcommands) -> None:
    """Add `pit`."""
    parser = add_command(
        commands,
        "pit",
        "Show the tables of a pit and archive their records, each checked link by link, until"
        " SIGTERM or Ctrl-C. It prints `ready` and its address once the pages are served.",
        "tablectl pit /etc/tablectl-pit/pit.toml",
        "sudo tablectl pit --install / /etc/tablectl-pit/pit.toml    # what its unit may reach",
        "tablectl pit /etc/tablectl-pit/pit.toml --key    # what its tables name in [pit]",
    )
    parser.add_argument("config", type=Path, help="pit.toml")
    parser.add_argument(
        "--install", type=Path, metavar="ROOT",
        help="write the drop-in with the addresses of its servers below ROOT (/: this machine)",
    )  # fmt: skip
    parser.add_argument(
        "--key",
        action="store_true",
        help="print the public key by which tables know this pit's commands; it is made where there"
        " is none, and so is the key under which secrets of apps for codes are kept",
    )
    parser.set_defaults(command=run, user_command=None, pit_command=None)
    parts = parser.add_subparsers(metavar="", title="besides", prog="tablectl pit pit.toml")
    add_report(parts)
    add_set_aside(parts)
    add_rename_table(parts)
    add_people(parts)
    add_move_people(parts)
    users = add_command(
        parts,
        "user",
        "The users of the pit, who sign in on its pages.",
        "tablectl pit pit.toml user add Aino --role engineer",
        summary="add users, and make links for them",
    ).add_subparsers(metavar="COMMAND", required=True)
    add = add_command(
        users, "add", "Add a user, and print the link by which it sets a password; a machine's"
        " token in its place.",
        "tablectl pit pit.toml user add Aino --role engineer",
        "tablectl pit pit.toml user add prometheus --role machine",
        summary="add a user",
    )  # fmt: skip
    add.add_argument("name", help="by which it signs in")
    add.add_argument("--role", required=True, help="one or several, with commas between them")
    add.set_defaults(user_command="add")
    link = add_command(
        users, "link", "Print a link that works once: to set a password, or to sign in. For a"
        " machine another token.",
        "tablectl pit pit.toml user link Aino", "tablectl pit pit.toml user link Aino --enter",
        summary="make a link for a user",
    )  # fmt: skip
    link.add_argument("name", help="of the user")
    link.add_argument("--enter", action="store_true", help="one that signs in, within ten minutes")
    link.set_defaults(user_command="link")
    reset = add_command(
        users, "reset", "Take a user's app, passkeys and recovery codes away, and end the sessions:"
        " a telephone is lost. Whoever has to have a second factor sets up an app at the next"
        " sign-in.",
        "tablectl pit pit.toml user reset Aino",
        summary="take a user's second factors away",
    )  # fmt: skip
    reset.add_argument("name", help="of the user")
    reset.set_defaults(user_command="reset")


def missing_packages() -> str:
    """What of a pit's packages is not installed, and how it is; empty where nothing is missing."""
    missing = [each for each in _NEEDED if find_spec(each) is None]
    if not missing:
        return ""
    return f"{', '.join(missing)} is not installed: pip install 'tablectl[bus,pit]'"


def is_pit(path: Path) -> bool:
    """Whether a configuration is a pit's: it has a bus, and no table."""
    try:
        _, raw = read_toml(path, "there is no configuration {path}")
    except ConfigError:
        return False
    return "bus" in raw and "table" not in raw


def run(arguments: argparse.Namespace) -> int:
    """Run the pit; the exit status."""
    if missing := missing_packages():
        return fail(missing, EXIT_CONFIG)
    if arguments.pit_command is not None:
        return int(arguments.pit_command(arguments))
    if arguments.install:
        return _install(arguments.install, arguments.config)
    if arguments.key:
        return _print_key(arguments.config)
    from controller.commands.pit.user_links import add_user, link_of, reset_user  # noqa: PLC0415  (an extra)
    from controller.pit.server.serve import run_pit  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import PitRefused  # noqa: PLC0415  (an extra)

    config: Path = arguments.config
    try:
        if arguments.user_command == "add":
            print(add_user(config, arguments.name, arguments.role))
        elif arguments.user_command == "link":
            print(link_of(config, arguments.name, enters=arguments.enter))
        elif arguments.user_command == "reset":
            print(reset_user(config, arguments.name))
        else:
            return run_pit(config)
    except (ConfigError, PitRefused) as error:
        return fail(str(error), EXIT_CONFIG)
    return 0


def _print_key(path: Path) -> int:
    from controller.bus.commands import public_key  # noqa: PLC0415  (an extra)
    from controller.pit.accounts.factors.one_time import made_secret_key  # noqa: PLC0415  (an extra)
    from controller.pit.acts.key import made_key  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    try:
        config = load_pit(path)
        made_secret_key(config.base / config.sign_in.key_file)
        print(public_key(made_key(config.base / config.acts.key_file)))
    except (ConfigError, ValueError) as error:
        return fail(str(error), EXIT_CONFIG)
    except OSError as error:
        return fail(
            f"acts.key_file or sign_in.key_file: {error.filename}: {error.strerror}", EXIT_BAD
        )
    return 0


def _install(root: Path, path: Path) -> int:
    from controller.commands.drivers.units import write_files  # noqa: PLC0415  (the drivers)
    from controller.commands.pit.unit import files  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    try:
        changed = write_files(root, files(load_pit(path)))
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    except OSError as error:
        return fail(f"{error.filename} cannot be written ({error.strerror})", EXIT_BAD)
    for each in changed:
        print(f"written: {each}")
    print("systemctl daemon-reload, and a restart of the pit" if changed else "as it is")
    return 0
