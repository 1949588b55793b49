"""`tablectl broker`: writes the configuration of a pit's nats-server, and everybody's password."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError


def add_parsers(commands: Subcommands) -> None:
    """Add `broker`."""
    parser = add_command(
        commands,
        "broker",
        "Write what a nats-server needs to be a pit's broker: its configuration, by which each"
        " table may publish under its own name alone, and a password for the pit, each table and"
        " each site. Passwords that are there stay. `nats-server -c DIR/nats-server.conf` runs it.",
        "tablectl broker broker.toml --to /etc/tablectl-broker",
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="broker.toml")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="where it is written")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the files; the exit status."""
    from controller.bus.broker_files import write_broker  # noqa: PLC0415  (an extra)
    from controller.bus.broker_settings import load_broker  # noqa: PLC0415  (an extra)

    try:
        config = load_broker(arguments.config)
        new = write_broker(config, arguments.to)
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    except UnicodeDecodeError:
        return fail("a password's file holds no text: write it again", EXIT_BAD)
    except OSError as error:
        return fail(f"{error.filename} cannot be used ({error.strerror})", EXIT_BAD)
    for path in new:
        print(f"written: {path}")
    if not new:
        print("as it is")
    return 0
