"""`tablectl demo`: the unchanged service on a simulated world, each a process of its own.

The world comes first: it makes the serial line and the pins that the service then opens. Nothing
here is known to the service but a configuration file and three environment variables.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.access.staff import add_person
from controller.access.token import write_token
from controller.rules.games.registry import UnknownGame, game
from controller.rules.options import OptionError
from controller.rules.printed.rulebook import options_from_text
from controller.table.roles import Role

#: The default wiring (drivers/README.md): red, green, blue of each spot; beam, buzzer, buttons.
SPOTS: Final = (
    (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23), (24, 25, 27),
)  # fmt: skip
NEXT, STAND, CALL, BEAM, BUZZER = 2, 3, 4, 5, 26
SEATS_MAX: Final = len(SPOTS)
READERS: Final = ("serial", "camera", "both")
#: The simulated camera: its pace, the time between two cards, and the decks that are drawn.
CAMERA_FPS: Final = 30
CAMERA_GAP_MS: Final = 130
DECKS: Final = ("kotka", "hamina", "oulu", "bristol", "dover")
READY_TIMEOUT_S: Final = 20.0
STOP_TIMEOUT_S: Final = 10.0
#: The world's line where a fault cuts the service's power: it is killed and started again.
POWER_CUT: Final = "power cut\n"
#: The people of a demo with roles; their PINs are made anew each time.
PEOPLE: Final = (("aino", Role.DEALER), ("eino", Role.FLOOR))
PIN_DIGITS: Final = 4
#: So much of the service's log is shown where it fails.
LOG_LINES: Final = 20


class DemoError(Exception):
    """The demo cannot run as asked; the text says what to change."""


@dataclass(frozen=True, slots=True)
class DemoOrder:
    """What was asked of the demo. `speed` is times real time, `rounds` 0 goes on for ever.

    `options` are house options as NAME=VALUE. `people`: the table knows a dealer and the floor.
    `reader` is what reads the cards: serial, camera or both.
    """

    game: str
    seats: int
    seed: int
    speed: float
    rounds: int
    headless: bool
    faults: Path | None
    port: int
    folder: Path | None
    options: tuple[str, ...] = ()
    people: bool = False
    reader: str = "serial"


def run_demo(order: DemoOrder) -> int:
    """Run world and service until the world is done or the user stops. Raises `DemoError`."""
    _check(order)
    # Told to stop like by Ctrl-C: the children must not be left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        if order.folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-")))
        else:
            folder = order.folder.resolve()
            folder.mkdir(parents=True, exist_ok=True)
        service_port = _free_port() if order.headless else order.port - 1
        config = write_files(order, folder, service_port)
        world = stack.enter_context(_Child([sys.executable, "-m", "sim_hw", folder / "world.json"]))
        world.wait_until_ready()
        log, guard_at = folder / "service.log", folder / "guard.sock"
        pins = {
            "GPIOZERO_PIN_FACTORY": "tablectl_sim",
            "TABLECTL_SIM_PINS": str(folder / "pins.sock"),
        }
        # As on a real table, the lights are not the service's own: they outlast it.
        guard = stack.enter_context(
            _Child(
                [sys.executable, "-m", "drivers.panel.guard", "--allow-simulated", guard_at],
                log=folder / "guard.log",
                **pins,
            )
        )
        guard.wait_until_ready()

        def start_service() -> _Child:
            service = stack.enter_context(
                _Child(
                    [sys.executable, "-m", "controller", "run", "--allow-simulated", config],
                    log=log,
                    TABLECTL_GUARD=str(guard_at),
                    MALLOC_ARENA_MAX="2",  # as its unit has it
                    **pins,
                )
            )
            try:
                service.wait_until_ready()
            except DemoError as error:
                raise DemoError(f"{error}:\n{log.read_text()}") from None
            return service

        service = start_service()
        if not order.headless:
            print(f"\n  The table:    http://127.0.0.1:{order.port}/", flush=True)
            token = (folder / "token").read_text().strip()
            print(f"  Dealer:       http://127.0.0.1:{service_port}/dealer#token={token}")
            print(f"  Status page:  http://127.0.0.1:{service_port}/#token={token}")
            print(f"  Service log:  {log}")
            for each in _people_of(folder):
                print(f"  {each['role'].capitalize() + ':':13} {each['name']}, PIN {each['pin']}")
            print("\n  Ctrl-C stops it.\n", flush=True)
        return _watch(world, service, start_service, log)


def _check(order: DemoOrder) -> None:
    try:
        plays = game(order.game)
        plays.with_options(options_from_text(plays, order.options))
    except (UnknownGame, OptionError) as error:
        raise DemoError(str(error)) from None
    if order.seats not in plays.seats or order.seats > SEATS_MAX:
        fewest, most = plays.seats.start, plays.seats.stop - 1
        wired = f"; the demo's table has {SEATS_MAX} spots" if most > SEATS_MAX else ""
        raise DemoError(
            f"--seats: {order.game} is dealt to {fewest} to {most} players{wired}: choose"
            f" {fewest} to {min(most, SEATS_MAX)}"
        )
    if not 0.1 <= order.speed <= 10_000:
        raise DemoError("--speed: from 0.1 to 10000 times real time")
    if order.rounds < 0:
        raise DemoError("--rounds: 0 or more")
    if order.headless and not order.rounds:
        raise DemoError("--headless needs --rounds: say how many rounds to play")
    if order.faults is not None and not order.faults.is_file():
        raise DemoError(f"--faults: there is no file {order.faults}")


def _people_of(folder: Path) -> list[dict[str, str]]:
    """The people whom the demo's world knows, with their PINs; none where it has no roles."""
    told: list[dict[str, str]] = json.loads((folder / "world.json").read_text())["people"]
    return told


def _make_people(folder: Path) -> list[dict[str, str]]:
    """People with fresh PINs in `people.toml`; a demo that goes on gives them new ones."""
    made = []
    for name, role in PEOPLE:
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        add_person(folder / "people.toml", name, role, pin)
        made.append({"name": name, "role": role.value, "pin": pin})
    return made


def write_files(order: DemoOrder, folder: Path, service_port: int) -> Path:
    """Write the service's configuration and token and the world's order; the configuration."""
    token_file = folder / "token"
    if not token_file.exists():
        write_token(token_file)
    page = f"http://127.0.0.1:{order.port}"
    camera_port = 0 if order.reader == "serial" else _free_port()
    spots = SPOTS[: order.seats]
    options = options_from_text(game(order.game), order.options)
    told = "".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items())
    people = _make_people(folder) if order.people else []
    roles = '[people]\nfile = "people.toml"\n' if people else ""
    config = folder / "table.toml"
    config.write_text(
        f"""\
# Written by `tablectl demo`: simulated devices.
[table]
name = "demo"
game = "{order.game}"
seats = {order.seats}

[journal]
path = "journal.db"

[pit]
port = {service_port}
token_file = "token"
frame_ancestors = ["{page}"]

{_readers(order, camera_port)}
[beam]
pin = {BEAM}
late_code_ms = 0

[leds]
spots = {json.dumps(spots)}

[buttons]
next = {NEXT}
stand = {STAND}
call = {CALL}

[buzzer]
pin = {BUZZER}

{roles}
[options]
{told}""",
        encoding="utf-8",
    )
    world: dict[str, Any] = {
        "game": order.game,
        "options": options,
        "seats": order.seats,
        "seed": order.seed,
        "speed": order.speed,
        "rounds": order.rounds,
        "headless": order.headless,
        "faults": str(order.faults.resolve()) if order.faults else None,
        "rundir": str(folder),
        "port": order.port,
        "service_url": f"http://127.0.0.1:{service_port}",
        "token": token_file.read_text(encoding="ascii").strip(),
        "people": people,
        "serial_numbers": False,
        "baud": 115200,
        "reader": order.reader,
        "camera_port": camera_port,
        "deck": DECKS[order.seed % len(DECKS)],
        "card_gap_ms": 30 if order.reader == "serial" else CAMERA_GAP_MS,
        "pins": {
            "spots": spots,
            "beam": BEAM,
            "beam_active_low": True,
            "buttons": {"next": NEXT, "stand": STAND, "call": CALL},
            "buzzer": BUZZER,
        },
    }
    path = folder / "world.json"
    path.write_text(json.dumps(world, indent=1), encoding="utf-8")
    path.chmod(0o600)
    return config


def _readers(order: DemoOrder, camera_port: int) -> str:
    """The sections of what reads the cards."""
    told = []
    if order.reader != "camera":
        told.append(
            """\
[scanner]
port = "scanner"
baud = 115200
terminator = "cr"
codes = "tablectl-1"
"""
        )
    if order.reader != "serial":
        told.append(
            f"""\
[camera]
source = "http://127.0.0.1:{camera_port}/shoe.mjpg"
fps = {CAMERA_FPS}
deck = "deck"
"""
        )
    return "\n".join(told)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _watch(world: _Child, service: _Child, start_service: Callable[[], _Child], log: Path) -> int:
    """Until the world is done; a service that dies first is the world's to notice, and ours."""
    try:
        while True:
            if world.power_cut.wait(0.1):
                world.power_cut.clear()
                service.kill()
                service = start_service()
            status = world.poll()
            if status is not None:
                return status
            if service.poll() is not None:
                said = "".join(log.read_text().splitlines(keepends=True)[-LOG_LINES:])
                raise DemoError(f"the service stopped by itself ({service.poll()}):\n{said}")
    except KeyboardInterrupt:
        return 0


class _Child:
    """A process of the demo, stopped with it; passes its lines on and waits for its `ready`."""

    def __init__(
        self, command: list[str | Path], log: Path | None = None, **environment: str
    ) -> None:
        """Start it; what it says on standard error goes to `log`, or to ours."""
        self._name = str(command[2])
        self._log = log.open("a", encoding="utf-8") if log else None
        self._process = subprocess.Popen(
            [str(part) for part in command],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
        )
        self._ready = threading.Event()
        self.power_cut = threading.Event()
        self._lines = threading.Thread(target=self._pass_on, name=self._name)
        self._lines.start()

    def _pass_on(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("ready"):
                self._ready.set()
            elif line == POWER_CUT:
                self.power_cut.set()
            else:
                print(line, end="", flush=True)
        self._ready.set()

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *unused: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._lines.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._log is not None:
            self._log.close()

    def wait_until_ready(self) -> None:
        """Returns once the process said `ready`. Raises `DemoError`."""
        if not self._ready.wait(READY_TIMEOUT_S):
            raise DemoError(f"{self._name} was not ready within {READY_TIMEOUT_S:g} s")
        if self._process.poll() is not None:
            raise DemoError(f"{self._name} stopped at once (status {self._process.poll()})")

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._process.wait()

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._process.poll()
