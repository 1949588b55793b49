"""`tablectl drivers`: lists drivers, and writes what those of a table need of its units."""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final

from controller.assembly import outside_drivers
from controller.assembly.wiring import configured, load
from controller.commands.drivers import scanner_rule, units
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.configuration import Config
from controller.config.problems import ConfigError
from drivers.door import BUILT_IN, DriverRefused, built_in, digest_of, installed
from drivers.driver import Driver

#: The guard has the lights, and goes on where the service alone is started anew.
_TAKEN_BY: Final = "systemctl daemon-reload && systemctl restart tablectl-guard tablectl"


def add_parsers(commands: Subcommands) -> None:
    """Add `drivers`."""
    parser = add_command(
        commands,
        "drivers",
        "List the drivers of the table and those that are installed beside it. Nothing of the"
        " latter is loaded before a configuration admits it by name, version and digest. With a"
        " configuration: what it uses, and what that needs of the service's unit.",
        "tablectl drivers",
        "tablectl drivers /etc/tablectl/table.toml",
        "sudo tablectl drivers --install / /etc/tablectl/table.toml",
        "sudo tablectl drivers --scanner 0c2e:0b61    # it gets its stable name",
    )
    parser.add_argument("config", type=Path, nargs="?", help="table.toml")
    parser.add_argument("--units", action="store_true", help="print drop-ins and modules")
    parser.add_argument(
        "--install", type=Path, metavar="ROOT", help="write them below ROOT (/: this machine)"
    )
    parser.add_argument(
        "--scanner", metavar="USB", help="the scanner's numbers by lsusb, VENDOR:PRODUCT[:SERIAL]"
    )
    parser.add_argument(outside_drivers.DESCRIBE, action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """List, print or write; the exit status."""
    if arguments.scanner:
        return _name_scanner(arguments.install or Path("/"), arguments.scanner)
    if arguments.config is None:
        if arguments.units or arguments.install:
            return fail("name the configuration whose drivers are meant", EXIT_USAGE)
        _list()
        return 0
    if arguments.describe:
        # What a driver prints while it is loaded is no part of the answer.
        with redirect_stdout(sys.stderr):
            said = outside_drivers.describe(load, arguments.config)
        print(said)
        return 0
    try:
        config = load(arguments.config)
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    if arguments.install:
        try:
            changed = units.write(arguments.install, config)
        except OSError as error:
            return fail(f"{error.filename} cannot be written ({error.strerror})", EXIT_BAD)
        for path in changed:
            print(f"written: {path}")
        print(_TAKEN_BY if changed else "as they are")
    elif arguments.units:
        for name, text in units.files(config).items():
            print(f"# /{name}\n{text}")
    else:
        _used(config)
    return 0


def _name_scanner(root: Path, numbers: str) -> int:
    try:
        path = scanner_rule.name_scanner(root, numbers)
    except ValueError as error:
        return fail(str(error), EXIT_USAGE)
    except FileNotFoundError as error:
        return fail(f"there is no {error.filename}: sudo make install writes it", EXIT_BAD)
    except OSError as error:
        return fail(f"{error.filename} cannot be written ({error.strerror})", EXIT_BAD)
    print(f"written: {path}")
    print("/dev/tablectl-scanner (-keys, -hid) is that scanner once it is plugged in again")
    return 0


def _list() -> None:
    for name in BUILT_IN:
        driver = built_in(name)
        print(f"[{name}]  {driver.role.value}; comes with tablectl\n    {_keys(driver)}")
    for name, found in sorted(installed().items()):
        package = found.dist
        assert package is not None, "an entry point that is found belongs to a package"
        print(f"[{name}]  of {package.name} {package.version}, not loaded. To admit it:")
        try:
            digest = digest_of(package, found.module)
        except DriverRefused as error:
            print(f"    it cannot be: {error}")
            continue
        print(f'    [drivers.{name}]\n    version = "{package.version}"\n    digest = "{digest}"')


def _used(config: Config) -> None:
    for name, driver in configured(config.devices, config.drivers).items():
        of = "comes with tablectl"
        if (admitted := config.admitted.get(name)) is not None:
            of = "admitted, conformance not shown"
            if admitted.conformance is not None:
                of = f"admitted, conforms by {admitted.conformance}"
        print(f"[{name}]  {driver.role.value}; {of}\n    {_keys(driver)}")
        needs = driver.needs(config.devices.section(name))
        wanted = [*needs.device_classes, *needs.device_nodes, *needs.groups]
        wanted += [*needs.address_families, *needs.addresses]
        print(f"    needs: {', '.join(wanted) or 'nothing of the unit'}")


def _keys(driver: Driver) -> str:
    """Its keys, those that must be there first, the others with their default."""
    settings: Any = driver.settings
    if settings is outside_drivers.SettingsElsewhere:
        return f"(root does not load it: sudo -u {outside_drivers.USER} tablectl drivers says more)"
    must = [each.name for each in fields(settings) if _required(each)]
    may = [f"{each.name} ({each.default})" for each in fields(settings) if not _required(each)]
    return ", ".join([*must, *may])


def _required(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
