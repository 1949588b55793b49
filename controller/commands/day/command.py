"""`tablectl day`: the gaming day of a running table, shown and closed; its sheet, its odds."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands.day.expected import add_expected
from controller.commands.day.shift import add_sheet
from controller.commands.terminal.parsers import Subcommands, add_command


def add_parsers(commands: Subcommands) -> None:
    """Add `day` with what can be done: show, close, sheet."""
    parser = add_command(
        commands,
        "day",
        "Show or close the gaming day of a running table, or print its sheet. It ends by itself at"
        " its set time; the floor may close it earlier, between rounds.",
        "tablectl day show /etc/tablectl/table.toml",
        "sudo tablectl day close /etc/tablectl/table.toml --name eino",
    )
    doing = parser.add_subparsers(required=True, metavar="ACTION")
    add_sheet(doing)
    add_expected(doing)
    for name, text, example in (
        ("show", "show the gaming day that is open, and when it ends", "table.toml"),
        ("close", "close the gaming day now, as the floor", "table.toml --name eino"),
    ):
        one = add_command(
            doing, name, f"{text[0].upper()}{text[1:]}.", f"tablectl day {name} {example}",
            summary=text,
        )  # fmt: skip
        one.add_argument("config", type=Path, help="table.toml of the running table")
        one.set_defaults(command=_asked, action=name)
        if name == "close":
            one.add_argument(
                "--name", help="who of the floor closes it; the PIN is asked for, or read"
                " from a pipe"
            )  # fmt: skip
            one.add_argument(
                "--token-file", type=Path, metavar="FILE", help="the API token (as configured)"
            )


def _asked(arguments: argparse.Namespace) -> int:
    """Ask the running table; the exit status."""
    # With what reads a configuration: a table's own process asks for sheet and odds at each start,
    # and has its record's folder.
    from controller.commands.day.open_day import run

    return run(arguments)
