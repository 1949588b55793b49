"""The people of a demo's pit: its users with PINs for tables, and which of them deals where when.

They come to the tables as everywhere: the pit makes each table's directory, signs and seals it, and
the broker hands it on. The simulated world of a table knows its floor and dealers by PIN.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from controller.pit.server.settings import PitConfig

#: Floor people, six tables each.
FLOOR: Final = ("Aino", "Eino", "Helmi", "Onni", "Siiri", "Toivo", "Venla")
PIT_BOSS: Final = "Martta"
CAGE: Final = "Urho"
#: Enough for forty tables.
DEALERS: Final = (
    "Aada", "Aarne", "Anni", "Antti", "Armas", "Arvo", "Elina", "Ella", "Elli", "Elsa", "Emil",
    "Emma", "Enni", "Eeva", "Hanna", "Heikki", "Helga", "Hilja", "Hilma", "Iida", "Ilona", "Inka",
    "Irja", "Jaakko", "Jalmari", "Janne", "Kaarina", "Kaisa", "Kalle", "Kerttu", "Lauri", "Leena",
    "Lempi", "Liisa", "Lyyli", "Maija", "Matti", "Mauno", "Meeri", "Mikko", "Minna", "Niilo",
    "Oiva", "Oskari", "Outi", "Paavo", "Pekka", "Pirkko", "Raili", "Reino", "Saara", "Saimi",
    "Sakari", "Taimi",
)  # fmt: skip
PIN_DIGITS: Final = 6
#: So many tables of one pace share their dealers, of whom there is one more than tables.
TABLES_TOGETHER: Final = 4
#: How long a dealer is at a table, in the table's own time.
SHIFT_S: Final = 30 * 60.0


class DemoTable(NamedTuple):
    """A table of the demo: its name, how many times faster than people, who has its floor."""

    name: str
    speed: float
    floor: str


@dataclass(frozen=True, slots=True)
class DealersTogether:
    """Tables that share their dealers, and how long it is from one table's change to the next."""

    tables: tuple[str, ...]
    dealers: tuple[str, ...]
    step_s: float


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """A user of the demo's pit: what they are in the pit, where they may act, and by which PIN.

    `id` is who they are on record; empty where they act at no table.
    """

    name: str
    role: str
    tables: tuple[str, ...]
    pin: str = ""
    id: str = ""


def dealers_together(tables: Sequence[DemoTable]) -> list[DealersTogether]:
    """Which tables share their dealers: those of one pace, so that a shift is as long at each."""
    names, found = iter(DEALERS), []
    for speed in dict.fromkeys(each.speed for each in tables):
        alike = [each.name for each in tables if each.speed == speed]
        for at in range(0, len(alike), TABLES_TOGETHER):
            some = tuple(alike[at : at + TABLES_TOGETHER])
            dealers = tuple(next(names) for _ in range(len(some) + 1))
            found.append(DealersTogether(some, dealers, SHIFT_S / speed / len(some)))
    return found


def make_people(config: PitConfig, tables: Sequence[DemoTable], you: str) -> list[DemoPerson]:
    """Make the people known to the pit, each with a fresh PIN, and to the worlds of the tables,
    whose order lies in `people_file`. `you` is a user who is there already.
    """
    shared = dealers_together(tables)
    people = _kept(config, list(_wanted(tables, shared, you)))
    by_name = {each.name: each for each in people}
    for some in shared:
        for place, name in enumerate(some.tables):
            floor = next(each.floor for each in tables if each.name == name)
            known = [(floor, "floor"), *((each, "dealer") for each in some.dealers)]
            order: dict[str, Any] = {
                "people": [
                    {"name": who, "role": role, "pin": by_name[who].pin, "id": by_name[who].id}
                    for who, role in known
                ],
                "rota": {"table": place, "tables": len(some.tables), "step_s": some.step_s},
            }
            write_secret(people_file(config.base, name), json.dumps(order, indent=1))
    write_secret(config.base / "people.txt", "".join(f"{line}\n" for line in words_of(people)))
    return people


def people_file(folder: Path, table: str) -> Path:
    """The file of those whom a table's world knows, and their rota."""
    return folder / f"{table}.people.json"


def words_of(people: Sequence[DemoPerson]) -> list[str]:
    """Names and PINs, in lines for a terminal."""
    lines = []
    for role in dict.fromkeys(each.role for each in people):
        said = [f"{each.name} {each.pin}".strip() for each in people if each.role == role]
        heading = role.replace("_", " ").replace(",", ", ").capitalize()
        for at in range(0, len(said), 5):
            lines.append(f"{heading if not at else '':20} {', '.join(said[at : at + 5])}")
    return lines


def _wanted(
    tables: Sequence[DemoTable], shared: Sequence[DealersTogether], you: str
) -> Iterator[DemoPerson]:
    everywhere = ("*",)
    yield DemoPerson(you, "pit_boss,engineer", everywhere, _new_pin())
    yield DemoPerson(PIT_BOSS, "pit_boss", everywhere, _new_pin())
    for name in dict.fromkeys(each.floor for each in tables):
        yield DemoPerson(name, "floor", everywhere, _new_pin())
    for some in shared:
        for name in some.dealers:
            yield DemoPerson(name, "dealer", some.tables, _new_pin())
    yield DemoPerson(CAGE, "cage", ())


def _new_pin() -> str:
    """A PIN of different digits: none that is tried first."""
    digits = list("0123456789")
    secrets.SystemRandom().shuffle(digits)
    return "".join(digits[:PIN_DIGITS])


def _kept(config: PitConfig, wanted: Sequence[DemoPerson]) -> list[DemoPerson]:
    """The same with their ids, once the pit knows them so."""
    from controller.commands.pit.user_links import people_in  # noqa: PLC0415  (an extra)
    from controller.people.pin_hash import hashed_pin  # noqa: PLC0415  (an extra)
    from controller.pit.accounts.factors.one_time import made_secret_key  # noqa: PLC0415  (an extra)
    from controller.pit.accounts.roles import read_roles  # noqa: PLC0415  (an extra)
    from controller.pit.directories.changes import AtTables  # noqa: PLC0415  (an extra)

    pins, kept = made_secret_key(config.base / config.sign_in.key_file), []
    with people_in(config) as users:
        at_tables = AtTables(users.accounts, users.who)
        there = {each.name: each.id for each in users.listed()}
        for each in wanted:
            number = there.get(each.name) or users.add(each.name, read_roles(each.role))[0].id
            if each.tables:
                at_tables.set_tables(number, frozenset(each.tables))
                at_tables.set_pin(number, pins.sealed(hashed_pin(each.pin).encode(), number))
            kept.append(replace(each, id=at_tables.person(number)))
    return kept


def write_secret(path: Path, text: str) -> None:
    """A file that nobody but its owner reads."""
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
