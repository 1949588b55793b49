"""The demo at work: world, guard and service, each a process of its own, until the world is done.

The world comes first: it makes the serial line and the pins that the service then opens. Nothing
here is known to the service but a configuration file and three environment variables.
"""

from __future__ import annotations

import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.commands.demo.files import made_folder, write_files
from controller.commands.demo.order import DemoError, DemoOrder, check_order, least_wager
from controller.commands.demo.people import people_of
from controller.commands.demo.processes import Child, free_port, port_or_another, show_page
from controller.commands.demo.restarted import Restarted

if TYPE_CHECKING:
    from controller.commands.demo.training import LiveReport

#: How often the processes are looked at.
LOOK_S: Final = 0.1
#: A studio's robots: this many bet behind others, and this long one thinks at the most.
BEHIND: Final = 40
THINK_S: Final = 3.0


def run_demo(order: DemoOrder) -> int:
    """Run world and service until the world is done or the user stops. Raises `DemoError`.

    A folder that the demo made stays, because of the record in it; it goes with rounds that were
    only printed, where all went well.
    """
    check_order(order)
    # Told to stop, or its terminal closed, like by Ctrl-C: the children must not be left behind.
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.default_int_handler)
    if order.folder is not None:
        return _run(order, made_folder(order.folder))
    folder = Path(tempfile.mkdtemp(prefix="tablectl-"))
    status = None
    try:
        status = _run(order, folder)
        return status
    finally:
        if (order.headless and status == 0) or not (folder / "record").exists():
            shutil.rmtree(folder)
        else:
            with suppress(OSError):  # the terminal may be gone
                print(f"  The record stays in {folder / 'record'}.", flush=True)


def _run(order: DemoOrder, folder: Path) -> int:
    service_port = free_port() if order.headless else port_or_another(order.port - 1)
    join_port = port_or_another(order.port + 1) if order.studio else 0
    config = write_files(order, folder, service_port)
    live = _live_report(order, folder) if order.training else None
    with ExitStack() as stack:
        if live is not None:
            stack.callback(live.finish)  # once service and world have ended
        world = stack.enter_context(Child([sys.executable, "-m", "sim_hw", folder / "world.json"]))
        world.wait_until_ready()
        guard = stack.enter_context(_guard(folder))
        service = stack.enter_context(_service(folder, config))
        restarted = [guard, service]
        if order.studio:
            players = _game_server(order, folder, service_port, join_port)
            restarted.append(stack.enter_context(players))
        if not order.headless:
            _say_where(order, folder, service_port, join_port)
        return _watch(world, service, restarted, live.look if live else _nothing)


def _live_report(order: DemoOrder, folder: Path) -> LiveReport:
    # What reads a whole record, which no other demo does.
    from controller.commands.demo.training import LiveReport  # noqa: PLC0415

    return LiveReport(folder, _token(folder), order.language)


def _pins(folder: Path) -> dict[str, str]:
    """The environment of who has the world's pins."""
    return {
        "GPIOZERO_PIN_FACTORY": "tablectl_sim",
        "TABLECTL_SIM_PINS": str(folder / "pins.sock"),
    }


def _guard(folder: Path) -> Restarted:
    """As on a real table, the lights are not the service's own: they outlast it."""
    command: list[str | Path] = [
        sys.executable, "-m", "drivers.panel.guard", "--allow-simulated", folder / "guard.sock",
    ]  # fmt: skip
    return Restarted("the guard of the lights", command, folder / "guard.log", **_pins(folder))


def _service(folder: Path, config: Path) -> Restarted:
    return Restarted(
        "the service",
        [sys.executable, "-m", "controller", "run", "--allow-simulated", config],
        folder / "service.log",
        TABLECTL_GUARD=str(folder / "guard.sock"),
        MALLOC_ARENA_MAX="2",  # as its unit has it
        **_pins(folder),
    )


def _game_server(order: DemoOrder, folder: Path, service_port: int, join_port: int) -> Restarted:
    """The server of the players at a distance, and the page on which they join."""
    command: list[str | Path] = [
        sys.executable, "-m", "sim_hw.studio", f"http://127.0.0.1:{service_port}", folder / "token",
        "--seats", str(order.seats), "--behind", str(BEHIND), "--seed", str(order.seed),
        "--least", str(least_wager(order)), "--think", str(THINK_S / order.speed),
        "--address", order.join_address, "--port", str(join_port),
        "--camera", f"http://127.0.0.1:{order.port}/table.mjpg",
        "--account", folder / "players.sqlite",
    ]  # fmt: skip
    return Restarted("the game server", command, folder / "game-server.log")


def _say_where(order: DemoOrder, folder: Path, service_port: int, join_port: int) -> None:
    page = f"http://127.0.0.1:{order.port}/"
    token = _token(folder)
    print(f"\n  The table:    {page}", flush=True)
    print(f"  Dealer:       http://127.0.0.1:{service_port}/dealer#token={token}")
    if order.studio:
        print(f"  Players join: http://{_reached(order.join_address)}:{join_port}/")
        print(f"  Overlay:      http://127.0.0.1:{service_port}/overlay")
    print(f"  Status page:  http://127.0.0.1:{service_port}/#token={token}")
    print(f"  Service log:  {folder / 'service.log'}")
    for each in people_of(folder):
        print(f"  {each['role'].capitalize() + ':':13} {each['name']}, PIN {each['pin']}")
    if order.training is not None:
        print(f"  Training:     {page}training", flush=True)
        print("\n  You deal: on the table's page, the dealer's seat is yours.", flush=True)
    print("\n  Ctrl-C stops it.\n", flush=True)
    if order.show:
        show_page(page)


def _reached(address: str) -> str:
    """The name by which others reach a page that is served at that address."""
    return socket.gethostname() if address == "0.0.0.0" else address  # noqa: S104


def _token(folder: Path) -> str:
    return (folder / "token").read_text(encoding="ascii").strip()


def _nothing() -> None:
    """Nobody looks on."""


def _watch(
    world: Child, service: Restarted, restarted: list[Restarted], look: Callable[[], None]
) -> int:
    """Until the world is done or the user stops: the exit status. Raises `DemoError`.

    `look` is called again and again.
    """
    try:
        while True:
            look()
            if world.power_cut.wait(LOOK_S):
                world.power_cut.clear()
                service.cut_power()
            status = world.poll()
            if status is not None and status < 0:
                raise DemoError(f"the simulated world was ended by signal {-status}")
            if status is not None:
                return status
            for each in restarted:
                each.start_if_ended()
    except KeyboardInterrupt:
        return 0
