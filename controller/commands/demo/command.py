"""`tablectl demo`: the unchanged service on a simulated world, each a process of its own.

The world comes first: it makes the serial line and the pins that the service then opens. Nothing
here is known to the service but a configuration file and three environment variables.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from controller.commands.demo.files import people_of, write_files
from controller.commands.demo.order import (
    READERS,
    SPEED_MAX,
    DemoError,
    DemoOrder,
    check_order,
)
from controller.commands.demo.processes import Child, free_port, port_beside, show_page
from controller.commands.parsers import Subcommands, add_command, complete_with
from controller.commands.status import EXIT_USAGE, fail
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES

#: This much of the service's log is shown where it fails.
LOG_LINES: Final = 20


def add_parsers(commands: Subcommands) -> None:
    """Add `demo`."""
    parser = add_command(
        commands,
        "demo",
        "Run a table on simulated devices: cards, lights, buttons and people come from"
        " a simulated world, everything else is the real service.",
        "tablectl demo",
        "tablectl demo --game blackjack --seats 7 --people --reader both",
        "tablectl demo --headless --rounds 20 --seed 7   # prints the rounds, opens nothing",
    )
    complete_with(
        parser.add_argument(
            "--game", default="21-24-27", help=f"the game to deal: {', '.join(GAMES)} (21-24-27)"
        ),
        lambda: GAMES,
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house option"
    )
    parser.add_argument(
        "--seats", type=int, default=5, help="seats in play, 1 to 7, or as the game says (5)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the day: same seed, same rounds (1)")
    parser.add_argument("--speed", type=float, help="times real time (1; headless: no waiting)")
    parser.add_argument(
        "--rounds", type=int, default=0, help="stop after that many rounds (0: never)"
    )
    parser.add_argument("--headless", action="store_true", help="no browser: print the rounds")
    parser.add_argument("--faults", type=Path, help="device faults to play, from a file")
    parser.add_argument(
        "--reader", choices=READERS, default="serial", help="what reads the cards (serial)"
    )
    parser.add_argument(
        "--index", choices=[each.value for each in IndexStyle], default="finnish",
        help="what the cards print: 1 13 12 11 (finnish) or A K Q J (anglo)",
    )  # fmt: skip
    parser.add_argument(
        "--people", action="store_true", help="a table that knows a dealer and the floor by PIN"
    )
    parser.add_argument("--port", type=int, default=8028, help="port of the drawn table (8028)")
    parser.add_argument(
        "--open", action="store_true", help="open the table in a browser, where there is a desktop"
    )
    parser.add_argument("--dir", type=Path, help="where the demo keeps its files (a new one)")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the demo; the exit status."""
    speed = arguments.speed
    if speed is None:
        speed = SPEED_MAX if arguments.headless else 1.0
    order = DemoOrder(
        game=arguments.game,
        seats=arguments.seats,
        seed=arguments.seed,
        speed=speed,
        rounds=arguments.rounds,
        headless=arguments.headless,
        show=arguments.open,
        faults=arguments.faults,
        port=arguments.port,
        folder=arguments.dir,
        options=tuple(arguments.option),
        people=arguments.people,
        reader=arguments.reader,
        index=IndexStyle(arguments.index),
    )
    try:
        return run_demo(order)
    except DemoError as error:
        return fail(str(error), EXIT_USAGE)


def run_demo(order: DemoOrder) -> int:
    """Run world and service until the world is done or the user stops. Raises `DemoError`."""
    check_order(order)
    # Told to stop like by Ctrl-C: the children must not be left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        if order.folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-")))
        else:
            folder = order.folder.resolve()
            folder.mkdir(parents=True, exist_ok=True)
        service_port = free_port() if order.headless else port_beside(order.port)
        config = write_files(order, folder, service_port)
        world = stack.enter_context(Child([sys.executable, "-m", "sim_hw", folder / "world.json"]))
        world.wait_until_ready()
        log, guard_at = folder / "service.log", folder / "guard.sock"
        pins = {
            "GPIOZERO_PIN_FACTORY": "tablectl_sim",
            "TABLECTL_SIM_PINS": str(folder / "pins.sock"),
        }
        # As on a real table, the lights are not the service's own: they outlast it.
        guard = stack.enter_context(
            Child(
                [sys.executable, "-m", "drivers.panel.guard", "--allow-simulated", guard_at],
                log=folder / "guard.log",
                **pins,
            )
        )
        guard.wait_until_ready()

        def start_service() -> Child:
            service = stack.enter_context(
                Child(
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
            page = f"http://127.0.0.1:{order.port}/"
            print(f"\n  The table:    {page}", flush=True)
            token = (folder / "token").read_text().strip()
            print(f"  Dealer:       http://127.0.0.1:{service_port}/dealer#token={token}")
            print(f"  Status page:  http://127.0.0.1:{service_port}/#token={token}")
            print(f"  Service log:  {log}")
            for each in people_of(folder):
                print(f"  {each['role'].capitalize() + ':':13} {each['name']}, PIN {each['pin']}")
            print("\n  Ctrl-C stops it.\n", flush=True)
            if order.show:
                show_page(page)
        return _watch(world, service, start_service, log)


def _watch(world: Child, service: Child, start_service: Callable[[], Child], log: Path) -> int:
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
