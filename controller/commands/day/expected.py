"""`tablectl day expected`: what the players won, against what their wagers and plays were worth."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from controller.commands.day.record_of_table import Names, add_record, answered_of
from controller.commands.terminal.parsers import add_command
from controller.odds.live.leak_watch import ALARM
from controller.record.reading.expected import Results, results_of
from controller.rules.money import amount_text
from controller.table.roles import PersonId, called


def add_expected(doing: Any) -> None:
    """Add `expected` to the actions of `tablectl day`."""
    one = add_command(
        doing, "expected",
        "Hold the rounds of the newest gaming days against what their wagers and plays were worth,"
        " by day, rules and dealer. A test that warns of a leak once in ten years by chance looks"
        " at each of them. The page /odds shows the same.",
        "tablectl day expected /etc/tablectl/table.toml",
        summary="what the players won, against what it should be",
    )  # fmt: skip
    add_record(one)
    one.add_argument(
        "--before", type=int, default=0, metavar="NUMBER", help="rounds before this one alone"
    )
    one.add_argument("--json", action="store_true", help="as data")
    one.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures; the exit status."""
    return answered_of(_print, arguments)


def _print(arguments: argparse.Namespace, folder: Path, names: Names) -> int:
    found = results_of(folder, arguments.before)
    print(json.dumps(found.as_data()) if arguments.json else as_text(found, names))
    return 0


def as_text(found: Results, names: Names) -> str:
    """The figures as lines: the house's side, as the pit counts."""
    head = f"{'day':11}{'rules':22}{'dealer':16}{'rounds':>7}{'wagered':>15}{'house won':>15}"
    lines = [f"{head}{'expected':>15}{'difference':>15}"]
    for kind, line in found.lines.items():
        who = called(PersonId(kind.dealer), names) if kind.dealer else "-"
        won, due = -line.net, -line.expected
        lines.append(
            f"{kind.day:11}{kind.rules:22}{who[:15]:16}{line.rounds:7}"
            f"{amount_text(line.wagered):>15}{amount_text(won):>15}{amount_text(round(due)):>15}"
            f"{amount_text(round(won - due)):>15}"
        )
        if kind.options:
            lines.append(f"{'':11}{kind.options}")
        if line.not_held:
            lines.append(f"{'':11}{line.not_held} rounds have no expectation (options, wagers)")
    for each in found.warnings:
        who = called(PersonId(each.dealer), names) if each.dealer else "the table"
        whose = "players win" if each.for_players else "the house wins"
        lines.append(f"WARNING, {each.day}, round {each.round}: {whose} too much at {who}")
    lines.append(
        f"early warning: {found.test.level:,.0f} of {ALARM:,.0f}"
        " (reached by chance once in ten years of a round a minute)"
    )
    return "\n".join(lines)
