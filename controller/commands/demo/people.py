"""The people of a demo's table: made for it alone, or those whom its pit sends."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any, Final

from controller.access.directory import Directory, local_day
from controller.access.read_directory import read_directory
from controller.access.write_directory import write_directory
from controller.commands.demo.order import DemoError, DemoOrder
from controller.table.roles import Role

#: The people of a demo with roles; their PINs are made anew each time.
PEOPLE: Final = (("aino", Role.DEALER), ("eino", Role.FLOOR))
PIN_DIGITS: Final = 4


def people_of(folder: Path) -> list[dict[str, str]]:
    """The people whom the demo's world knows, with their PINs; none where it has no roles."""
    people: list[dict[str, str]] = json.loads((folder / "world.json").read_text())["people"]
    return people


def _make_people(folder: Path) -> list[dict[str, str]]:
    """People with fresh PINs in `people.toml`; a demo that goes on gives them new ones."""
    path = folder / "people.toml"
    directory = read_directory(path) if path.exists() else Directory()
    made = []
    for name, role in PEOPLE:
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        directory.add(name, role, pin, local_day())
        made.append({"name": name, "role": role.value, "pin": pin})
    write_directory(path, directory)
    return made


def world_people(
    order: DemoOrder, folder: Path
) -> tuple[list[dict[str, str]], dict[str, Any] | None]:
    """The people whom the world knows, and which of them deals when. Raises `DemoError`."""
    if order.pit_people is None:
        return _make_people(folder) if order.people else [], None
    try:
        found: dict[str, Any] = json.loads(order.pit_people.read_text(encoding="utf-8"))
        return found["people"], found["rota"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise DemoError(f"--pit-people: {order.pit_people} cannot be read ({error})") from None
