"""Writes a configuration with comments, which must be right before it takes its name."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.items import Table

from controller.assembly.wiring import CHECKS
from controller.commands.init.answers import NewTable
from controller.commands.init.machine import scanner_protocol
from controller.config.configuration import Config
from controller.config.load import check_config
from drivers.settings.panel import (
    DEFAULT_BUZZER,
    DEFAULT_CALL,
    DEFAULT_NEXT,
    DEFAULT_SPOTS,
    DEFAULT_STAND,
)
from drivers.settings.shoe import DEFAULT_BEAM

MODE: Final = 0o640
HEADER: Final = (
    "One table, written by `tablectl init`. Every key is explained in controller/config/README.md;",
    "an unknown one is refused with the known ones. `tablectl doctor` says what is still missing.",
)
#: What is written at the head of a section.
ABOUT: Final = {
    "table": "What this table is.",
    "record": "Where its record is. A gaming day ends at the first moment between rounds.",
    "web": "The pages and the API, on this machine alone. The token is what may write.",
    "people": "Who may do what, by name and PIN: `tablectl person` changes this file.",
    "options": "The house's options; `tablectl rules GAME` says what each means. Amounts in cents.",
    "scanner": "The scanner at the shoe. Its settings are those of its manual.",
    "camera": "The camera at the shoe: `tablectl calibrate camera` measures it.",
    "beam": "The light barrier at the exit of the shoe. GPIO numbers: drivers/panel/README.md.",
    "leds": "The lights of the spots: [red, green, blue] of seat 1, of seat 2 and so on.",
    "strip": "The lights of the spots: pixels on an SPI bus, which has to be switched on.",
    "buttons": "The dealer's buttons, between pin and ground.",
    "buzzer": "It calls where a light is not seen.",
}
#: What is written beside a key.
BESIDE: Final = {
    "table.name": "letters, digits, dots, - and _",
    "table.index": "what the cards print: finnish (1 13 12 11) or anglo (A K Q J)",
    "table.reconcile": "how a shoe that is over is added up: count, scan or off",
    "table.procedures": "what is done when something goes wrong: house, strict or south-dakota",
    "record.second_copy": "on another device",
    "record.day_ends": "local time in zone",
    "scanner.terminator": "what it sends after a code: cr, lf, crlf or idle",
    "scanner.codes": "the printed code, or the path of a code book",
}


def rendered(answers: NewTable) -> str:
    """The configuration as text, with comments."""
    document = tomlkit.document()
    for line in HEADER:
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    for name, keys in _sections(answers).items():
        document.add(name, _table(name, keys))
    return tomlkit.dumps(document)


def _table(name: str, keys: dict[str, Any]) -> Table:
    table = tomlkit.table()
    table.add(tomlkit.comment(ABOUT[name]))
    for key, value in keys.items():
        shown = _rows(value) if isinstance(value, tuple) else tomlkit.item(value)
        if beside := BESIDE.get(f"{name}.{key}"):
            shown.comment(beside)
        table.add(key, shown)
    return table


def _rows(spots: Any) -> Any:
    """One spot a line, as people wire them."""
    rows = tomlkit.array().multiline(True)
    rows.extend(list(spot) for spot in spots)
    return rows


def _sections(answers: NewTable) -> dict[str, dict[str, Any]]:
    """Every section that the table has, with its keys."""
    sections: dict[str, dict[str, Any]] = {
        "table": {
            "name": answers.name, "game": answers.game, "seats": answers.seats,
            "currency": answers.currency, "index": answers.index,
        },
        "record": {
            "folder": answers.record, "day_ends": answers.day_ends, "zone": answers.zone,
        },
        "web": {"port": answers.port, "token_file": answers.token_file},
    }  # fmt: skip
    if answers.people is not None:
        sections["people"] = {"file": answers.people}
    bets = {"min_bet": answers.min_bet, "max_bet": answers.max_bet}
    if options := {name: bet for name, bet in bets.items() if bet is not None}:
        sections["options"] = options
    if answers.reader != "camera":
        sections["scanner"] = _scanner(answers.scanner)
    if answers.reader != "scanner":
        sections["camera"] = {"source": answers.camera}
    return sections | _panel(answers)


def _scanner(port: str) -> dict[str, Any]:
    """The scanner at that node: a serial line has a rate, what types or sends reports has none."""
    protocol = scanner_protocol(port)
    if protocol == "plain":
        return {"port": port, "baud": 9_600, "terminator": "cr", "codes": "tablectl-1"}
    return {"port": port, "protocol": protocol, "codes": "tablectl-1"}


def _panel(answers: NewTable) -> dict[str, dict[str, Any]]:
    """The sections of pins, by the default wiring."""
    wired: dict[str, dict[str, Any]] = {
        "beam": {"pin": DEFAULT_BEAM},
        "leds": {"spots": DEFAULT_SPOTS[: answers.seats]},
        "strip": {"device": "/dev/spidev0.0", "spots": answers.seats},
        "buttons": {"next": DEFAULT_NEXT, "stand": DEFAULT_STAND, "call": DEFAULT_CALL},
        "buzzer": {"pin": DEFAULT_BUZZER},
    }
    return {name: keys for name, keys in wired.items() if name in answers.panel}


def checked(text: str, path: Path) -> Config:
    """The configuration as `run` will read it. Raises `ConfigError` with all that is wrong."""
    return check_config(tomllib.loads(text), path, text, CHECKS)


def put(text: str, path: Path) -> None:
    """Write `text` to `path`, whole, where nothing was. Raises `FileExistsError`, `OSError`."""
    part = path.with_name(f".{path.name}.new")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, MODE)
    try:
        os.fchmod(descriptor, MODE)  # whatever the umask of whoever is asked
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.geteuid() == 0:
            # The folder's group is the service's, which must be able to read it.
            os.chown(part, -1, path.parent.stat().st_gid)
        os.link(part, path)  # unlike a rename it fails where there is a file
    finally:
        part.unlink(missing_ok=True)
