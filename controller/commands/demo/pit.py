"""`tablectl demo --pit`: a broker, a pit with its archive, and simulated tables of all games."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Final

from controller.commands.demo.files import made_folder
from controller.commands.demo.order import DemoError, check_no_record
from controller.commands.demo.pit_people import (
    FLOOR,
    DemoPerson,
    DemoTable,
    make_people,
    people_file,
    words_of,
    write_secret,
)
from controller.commands.demo.processes import Child, free_port, port_or_another, show_page
from controller.rules.games.registry import GAMES, game

MOST_TABLES: Final = 40
#: Six tables a floor person.
_SECTION: Final = 6
#: Times what people take, table by table.
_SPEEDS: Final = (1.0, 2.0, 4.0)
#: What goes wrong at every fourth table, again and again.
_FAULTS: Final = ("miss_code", "unplug", "power_cut")
#: How long a plug is out, in seconds.
_UNPLUGGED_S: Final = 15
_FAULT_ROUNDS: Final = range(4, 400, 9)
#: The table whose cards a camera reads, where the libraries for pictures are here: it takes as much
#: of the machine as some seven others.
_FILMED: Final = 1
_PACE: Final = 60
#: Whoever tries it, and may do all of it.
_USER: Final = "you"
_ROLES: Final = "pit_boss,engineer"
LOOK_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Table:
    """One simulated table: its name, game, seats, ports of its drawn table and of its pages.

    `reader` is what reads its cards: a camera's pictures of them are seen in the pit's replay.
    """

    name: str
    game: str
    seats: int
    speed: float
    port: int
    service_port: int
    fault: str
    reader: str


def run_pit_demo(tables: int, seed: int, folder: Path | None, port: int, *, show: bool) -> int:
    """Run all of it until the user stops it; the exit status. Raises `DemoError`."""
    if not 1 <= tables <= MOST_TABLES:
        raise DemoError(f"--tables: 1 to {MOST_TABLES} run on one machine, not {tables}")
    needed = [each for each in ("alembic", "nats", "sim_hw", "sqlalchemy") if not find_spec(each)]
    if needed:
        raise DemoError(f"{', '.join(needed)} cannot be found: in a checkout `make pit` gets all")
    server = shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if server is None:
        raise DemoError("nats-server is not here: sudo apt install nats-server")
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.default_int_handler)
    at_tables = _tables(tables)
    if folder is not None:
        for table in at_tables:
            check_no_record(folder / table.name)
    where = made_folder(folder or Path(tempfile.mkdtemp(prefix="tablectl-pit-")))
    try:
        return _run(at_tables, seed, where, port, server, show=show)
    except KeyboardInterrupt:
        return 0
    finally:
        print(f"  Records and archive stay in {where}.", flush=True)


def _tables(count: int) -> list[_Table]:
    games, speeds = cycle(GAMES), cycle(_SPEEDS)
    found = []
    for number in range(1, count + 1):
        name = next(games)
        port = free_port()
        found.append(
            _Table(
                f"T{number}", name, max(5, game(name).seats.start), next(speeds), port,
                port_or_another(port - 1),
                _FAULTS[number // 4 % len(_FAULTS)] if number % 4 == 3 else "",
                "camera" if number == _FILMED and find_spec("cv2") else "serial",
            )
        )  # fmt: skip
    return found


def _run(
    tables: list[_Table], seed: int, folder: Path, port: int, server: str, *, show: bool
) -> int:
    from controller.bus.commands import public_key  # noqa: PLC0415  (an extra)
    from controller.bus.server_conf import PIT  # noqa: PLC0415  (an extra)
    from controller.commands.pit.user_links import add_user, link_of  # noqa: PLC0415  (an extra)
    from controller.pit.acts.key import made_key  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    bus_port = free_port()
    url = f"nats://127.0.0.1:{bus_port}"
    passwords = {name: secrets.token_urlsafe(18) for name in (PIT, *(t.name for t in tables))}
    _write_broker(folder, bus_port, passwords)
    keys = {each.name: _people_key(folder / each.name) for each in tables}
    _write_pit(folder, url, port, tables, passwords[PIT], keys)
    config = folder / "pit.toml"
    key = public_key(made_key(folder / "acts.key"))
    if not (folder / "archive.db").exists():
        add_user(config, _USER, _ROLES)
    at_tables = [
        DemoTable(each.name, each.speed, FLOOR[at // _SECTION]) for at, each in enumerate(tables)
    ]
    people = make_people(load_pit(config), at_tables, _USER)
    with ExitStack() as stack:
        broker = Child([server, "-c", folder / "nats.conf"], folder / "nats.log", quiet=True)
        stack.enter_context(broker)
        pit = stack.enter_context(
            Child([sys.executable, "-m", "controller", "pit", config], folder / "pit.log")
        )  # fmt: skip
        pit.wait_until_ready()
        page = f"http://127.0.0.1:{port}/"
        print(f"\n  The wall:     {page}\n  The archive:  {page}records", flush=True)
        print(f"  Sign in with: {link_of(config, _USER, enters=True)}", flush=True)
        print(
            f"  Works once, for ten minutes; another: tablectl pit {config} user link {_USER}"
            " --enter",
            flush=True,
        )
        _say_people(people, folder)
        print("  Tables come one after the other. Ctrl-C stops all.\n", flush=True)
        if show:
            show_page(link_of(config, _USER, enters=True))
        for number, table in enumerate(tables):
            command = [
                *_table_command(table, seed + number, folder, url, passwords[table.name]),
                "--pit-key",
                key,
                "--pit-people",
                people_file(folder, table.name),
            ]
            stack.enter_context(Child(command, folder / f"{table.name}.log", quiet=True))
        while pit.poll() is None:
            time.sleep(LOOK_S)
        raise DemoError(f"the pit has stopped: {folder / 'pit.log'} says why")


def _people_key(folder: Path) -> str:
    """The public half of the key to which the pit seals a table's people, made where it is none."""
    from controller.access.sent_files import own_key  # noqa: PLC0415  (an extra)
    from controller.people.sealing import table_public  # noqa: PLC0415  (an extra)

    folder.mkdir(exist_ok=True)
    return table_public(own_key(folder / "people.key"))


def _say_people(people: list[DemoPerson], folder: Path) -> None:
    print(f"\n  People at tables, by name and PIN (also in {folder / 'people.txt'}):", flush=True)
    for line in words_of(people):
        print(f"    {line}", flush=True)
    print("  Who may act where, and what each table has of it: the page People at tables.")
    print("  Of a table the pit's page changes the dealer; so does the next shift.\n", flush=True)


def _write_broker(folder: Path, port: int, passwords: dict[str, str]) -> None:
    from controller.bus.server_conf import ServerFiles, server_conf  # noqa: PLC0415  (an extra)

    conf = folder / "nats.conf"
    files = ServerFiles(str(folder / "jetstream"))
    write_secret(conf, server_conf(f"127.0.0.1:{port}", files, passwords, store_gb=1))


def _write_pit(
    folder: Path, url: str, port: int, tables: list[_Table], password: str, keys: dict[str, str]
) -> None:
    write_secret(folder / "pit.password", password)
    sealed_to = "".join(f'{name} = "{key}"\n' for name, key in keys.items())
    sections = "".join(
        f'[[wall.sections]]\npit = "{"Main" if at < 2 * _SECTION else "High limits"}"\n'
        f'floor = "{FLOOR[at // _SECTION]}"\n'
        f"tables = {json.dumps([each.name for each in tables[at : at + _SECTION]])}\n"
        for at in range(0, len(tables), _SECTION)
    )
    targets = "".join(f'"{each.title}" = {_PACE}\n' for each in GAMES.values())
    pages = "".join(f'{each.name} = "http://127.0.0.1:{each.service_port}/"\n' for each in tables)
    (folder / "pit.toml").write_text(
        f"""\
# Written by `tablectl demo --pit`: simulated tables.
[bus]
servers = ["{url}"]
user = "pit"
password_file = "pit.password"

[archive]
buffer_gb = 0.5

[web]
port = {port}

[people.tables]
{sealed_to}
[wall.target]
{targets}
[wall.pages]
{pages}
{sections}""",
        encoding="utf-8",
    )


def _table_command(
    table: _Table, seed: int, folder: Path, url: str, password: str
) -> list[str | Path]:
    own = folder / table.name
    secret = folder / f"{table.name}.password"
    write_secret(secret, password)
    faults: list[str | Path] = []
    if table.fault:
        file = folder / f"{table.name}.faults.toml"
        file.write_text(faults_text(table.fault))
        faults = ["--faults", file]
    return [
        sys.executable, "-m", "controller", "demo", "--game", table.game, "--seats",
        str(table.seats), "--seed", str(seed), "--speed", str(table.speed), "--port",
        str(table.port), "--dir", own, "--name", table.name, "--bus", url, "--bus-password", secret,
        "--reader", table.reader, *faults,
    ]  # fmt: skip


def faults_text(kind: str) -> str:
    """A file of faults for a world: that one, again and again."""
    lasts = f"for_s = {_UNPLUGGED_S}\n" if kind == "unplug" else ""
    return "".join(
        f'[[fault]]\nround = {at}\ncard = 2\nkind = "{kind}"\n{lasts}' for at in _FAULT_ROUNDS
    )
