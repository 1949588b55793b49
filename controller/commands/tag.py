"""`tablectl tag`: reads the RFID tag on a bet spot, or writes its amount."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from controller.assembly.wiring import load
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.problems import ConfigError
from controller.devices.contracts import DeviceError
from controller.rules.money import amount_text
from drivers.spots.reader import NotWritten, Reader, reader_at
from drivers.spots.tag_contents import AMOUNT_MAX, KeyFileError, read_key


def add_parsers(commands: Subcommands) -> None:
    """Add `tag`."""
    parser = add_command(
        commands,
        "tag",
        "Read the RFID tag that lies on a bet spot, or write its amount. Stop the service first:"
        " it has the readers. Tags that hold something else are never written.",
        "tablectl tag table.toml --seat 1",
        "tablectl tag table.toml --seat 1 --amount 2500   # 25.00 in minor units",
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the table's configuration")
    parser.add_argument("--seat", type=int, required=True, help="the spot on which the tag lies")
    parser.add_argument("--amount", type=int, help="write this amount, in minor units")
    parser.add_argument("--replace", action="store_true", help="write over an amount of this house")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Read or write one tag; the exit status."""
    try:
        config = load(arguments.config)
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    settings = config.devices.bet_spots
    if settings is None or settings.key_file is None:
        return fail("the configuration has no [bet_spots] with a key_file", EXIT_CONFIG)
    ports = dict(enumerate(settings.ports, start=1))
    if not ports.get(arguments.seat):
        return fail(f"--seat: seat {arguments.seat} has no reader", EXIT_USAGE)
    if arguments.amount is not None and not 0 < arguments.amount <= AMOUNT_MAX:
        return fail(f"--amount: 1 to {AMOUNT_MAX} minor units", EXIT_USAGE)
    try:
        key = read_key(config.base / settings.key_file)
    except KeyFileError as error:
        return fail(str(error), EXIT_CONFIG)
    reader = reader_at(settings, ports[arguments.seat], config.base)
    try:
        said = asyncio.run(_done(reader, key, arguments.amount, replace=arguments.replace))
    except (DeviceError, NotWritten) as error:
        return fail(str(error), EXIT_BAD)
    print(said)
    return 0


async def _done(reader: Reader, key: bytes, amount: int | None, *, replace: bool) -> str:
    """What was read or written, in a line. Raises `DeviceError`, `NotWritten`."""
    try:
        await reader.open()
        if amount is not None:
            tag = await reader.write(amount, key, replace=replace)
            await reader.quiet()
            return f"{tag.text}: {amount_text(amount)}, written and read back"
        found = await reader.tags()
        lines = []
        for each in found:
            worth = await reader.amount(each, key)
            text = "no amount of this house" if worth is None else amount_text(worth)
            lines.append(f"{each.text}: {text}")
        await reader.quiet()
        return "\n".join(lines) or "no tag lies there"
    finally:
        reader.close()
