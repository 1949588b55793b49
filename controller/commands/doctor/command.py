"""`tablectl doctor`: checks an installation and says what to change, or changes what is safe."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.assembly.wiring import load
from controller.commands.doctor import (
    as_service,
    board,
    bundle,
    devices,
    disk,
    header,
    installation,
    record,
    start,
)
from controller.commands.doctor.finding import CheckFinding, bad
from controller.commands.doctor.machine import Machine
from controller.commands.pit.command import is_pit, missing_packages
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.configuration import Config
from controller.config.problems import ConfigError
from controller.service.timekeeping.calendar import clock_synchronised


def add_parsers(commands: Subcommands) -> None:
    """Add `doctor`."""
    parser = add_command(
        commands,
        "doctor",
        "Check what a table needs of this machine before a card is dealt, and say what to change."
        " As root it looks with the eyes of the service that is installed. Nothing that runs is"
        " disturbed.",
        "sudo tablectl doctor /etc/tablectl/table.toml",
        "sudo tablectl doctor --fix /etc/tablectl/table.toml",
        "sudo tablectl doctor /etc/tablectl-pit/pit.toml",
        "sudo tablectl doctor --bundle help.tar.gz /etc/tablectl/table.toml",
        "tablectl doctor --json table.toml | jq '.[] | select(.verdict == \"bad\")'",
    )
    parser.add_argument("config", type=Path, help="table.toml, or pit.toml")
    parser.add_argument("--allow-simulated", action="store_true", help="as for run")
    parser.add_argument("--json", action="store_true", help="every finding as an object")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended safely")
    parser.add_argument(
        "--bundle", type=Path, metavar="FILE",
        help="write findings, settings and log for whoever helps; its contents are listed first",
    )  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="write the bundle without asking")
    parser.add_argument(as_service.PART, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, default=Path("/"), help=argparse.SUPPRESS)
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what was found; 1 when a table should not be started with it."""
    machine = Machine(arguments.root)
    try:
        if is_pit(arguments.config):
            if missing := missing_packages():
                return fail(missing, EXIT_CONFIG)
            return _examine(arguments, _pit(arguments, machine))
        config = load(arguments.config)
    except ConfigError as error:
        return _unreadable(arguments, machine, error)
    return _examine(arguments, _table(arguments, config, machine))


def _unreadable(arguments: argparse.Namespace, machine: Machine, error: ConfigError) -> int:
    """Say why the configuration cannot be read; who helps from afar wants the rest all the more."""
    path: Path = arguments.config
    mend = f"sudoedit {path}" if path.exists() else f"tablectl init {path}"
    found = [bad("config", f"{path}", str(error), mend)]
    if arguments.service_part:
        return _print_json(found)
    if arguments.json:
        _print_json(found)
    if arguments.bundle:
        _write_bundle(arguments, partial(bundle.of_unreadable, machine), machine, found)
    return fail(str(error), EXIT_CONFIG)


@dataclass(frozen=True, slots=True)
class _Examined:
    """A table or a pit: its first line, all findings, those of the service, its bundle."""

    title: Callable[[], str]
    all_: Callable[[], list[CheckFinding]]
    of_the_service: Callable[[], list[CheckFinding]]
    bundle: Callable[[list[CheckFinding]], int]


def _table(arguments: argparse.Namespace, config: Config, machine: Machine) -> _Examined:
    def subject() -> bundle.BundleSubject:
        return bundle.of_table(config, arguments.config)

    return _Examined(
        lambda: f"{config.game.title}, {arguments.config}",
        partial(_all, arguments, config, machine),
        partial(_as_whoever_runs, arguments, config, machine),
        partial(_write_bundle, arguments, subject, machine),
    )


def _pit(arguments: argparse.Namespace, machine: Machine) -> _Examined:
    """Raises `ConfigError`."""
    from controller.commands.doctor import pit  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    config = load_pit(arguments.config)

    def subject() -> bundle.BundleSubject:
        return pit.of_pit(config, arguments.config)

    return _Examined(
        lambda: f"Pit, {arguments.config}",
        partial(pit.findings, config, arguments.config, machine, clock_synchronised),
        partial(pit.as_whoever_runs, config, machine),
        partial(_write_bundle, arguments, subject, machine),
    )


def _examine(arguments: argparse.Namespace, examined: _Examined) -> int:
    if arguments.service_part:
        return _print_json(examined.of_the_service())
    found = examined.all_()
    if arguments.fix and _fix(found):
        found = examined.all_()
    if arguments.json:
        _print_json(found)
    else:
        _print(examined.title(), found)
    if arguments.bundle and (status := examined.bundle(found)):
        return status
    return EXIT_BAD if any(each.verdict.stops for each in found) else 0


def _all(arguments: argparse.Namespace, config: Config, machine: Machine) -> list[CheckFinding]:
    found = [*installation.findings(config, arguments.config, machine)]
    if as_service.wanted(machine):
        words = ["--allow-simulated"] if arguments.allow_simulated else []
        found += as_service.ask(arguments.config.resolve(), machine, *words)
        # The source of the token is root's alone: the service is handed it by systemd.
        found = [each for each in found if each.id != "token"]
        found.append(start.token(config, machine))
    else:
        found += as_service.not_asked(machine)
        found += _as_whoever_runs(arguments, config, machine)
    found += board.findings(config, machine, clock_synchronised)
    return [*found, *header.findings(config, machine)]


def _as_whoever_runs(
    arguments: argparse.Namespace, config: Config, machine: Machine
) -> list[CheckFinding]:
    return [
        *disk.findings(config, machine),
        *record.findings(config, machine),
        *start.findings(config, machine, allow_simulated=arguments.allow_simulated),
        *devices.findings(config, machine, allow_simulated=arguments.allow_simulated),
    ]


def _fix(found: Sequence[CheckFinding]) -> bool:
    """Mend what can be mended; whether there was anything."""
    mended = False
    for each in found:
        if each.fix is not None:
            try:
                each.fix()
            except OSError as error:
                print(f"not mended: {each.mend} ({error.strerror})", file=sys.stderr)
            else:
                print(f"mended: {each.mend}", file=sys.stderr)
                mended = True
    return mended


def _print_json(found: Sequence[CheckFinding]) -> int:
    print(json.dumps([each.plain() for each in found], indent=1))
    return 0


def _print(title: str, found: Sequence[CheckFinding]) -> None:
    print(title)
    for each in found:
        print(each)
    wrong = sum(each.verdict.stops for each in found)
    can = sum(each.fix is not None for each in found)
    print(f"{wrong} of {len(found)} to be changed" if wrong else f"All good: {len(found)} checks")
    if can:
        print(f"{can} of them by itself: tablectl doctor --fix")


def _write_bundle(
    arguments: argparse.Namespace,
    subject: Callable[[], bundle.BundleSubject],
    machine: Machine,
    found: Sequence[CheckFinding],
) -> int:
    """List what would be in the bundle, ask, and write it; 0 when it was written."""
    path: Path = arguments.bundle
    held = bundle.contents(subject(), machine, found)
    say = sys.stderr if arguments.json else sys.stdout
    print(f"\n{path} will hold, and nothing else:", file=say)
    for name, text in held.items():
        print(f"  {len(text.encode()):>8}  {name}", file=say)
    if not arguments.yes:
        if not sys.stdin.isatty():
            return fail("say --yes to write the bundle where nobody can be asked", EXIT_USAGE)
        print("Write it? [y/N] ", end="", file=say, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            return fail("nothing was written", EXIT_USAGE)
    try:
        bundle.write(path, held)
    except OSError as error:
        return fail(f"{path} cannot be written ({error.strerror}): name a new file", EXIT_BAD)
    print(f"Written: {shlex.quote(str(path))}", file=say)
    return 0
