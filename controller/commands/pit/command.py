"""`tablectl pit`: many tables on one page and in one archive, until it is stopped."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from controller.commands.parsers import Subcommands, add_command
from controller.commands.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError

_NEEDED = ("alembic", "nats", "sqlalchemy")


def add_parsers(commands: Subcommands) -> None:
    """Add `pit`."""
    parser = add_command(
        commands,
        "pit",
        "Show the tables of a pit and archive their records, each checked link by link, until"
        " SIGTERM or Ctrl-C. It prints `ready` and its address once the pages are served.",
        "tablectl pit /etc/tablectl-pit/pit.toml",
        "sudo tablectl pit --install / /etc/tablectl-pit/pit.toml    # what its unit may reach",
    )
    parser.add_argument("config", type=Path, help="pit.toml")
    parser.add_argument(
        "--install", type=Path, metavar="ROOT",
        help="write the drop-in with the addresses of its servers below ROOT (/: this machine)",
    )  # fmt: skip
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the pit; the exit status."""
    if missing := [each for each in _NEEDED if find_spec(each) is None]:
        text = f"{', '.join(missing)} is not installed: pip install 'tablectl[bus,pit]'"
        return fail(text, EXIT_CONFIG)
    if arguments.install:
        return _install(arguments.install, arguments.config)
    from controller.pit.serve import PitRefused, run_pit  # noqa: PLC0415  (an extra)

    try:
        return run_pit(arguments.config)
    except (ConfigError, PitRefused) as error:
        return fail(str(error), EXIT_CONFIG)


def _install(root: Path, path: Path) -> int:
    from controller.commands.drivers.units import write_files  # noqa: PLC0415  (the drivers)
    from controller.commands.pit.unit import files  # noqa: PLC0415  (an extra)
    from controller.pit.settings import load_pit  # noqa: PLC0415  (an extra)

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
