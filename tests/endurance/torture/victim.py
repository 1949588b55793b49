"""The service as a process that can be killed and is there again at once.

Each one is forked from a process that has imported the service already; from the command line on
it runs what `tablectl run` runs. Nothing of one service is left in the next but its files.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "tests.endurance.torture.victim",
        "controller.assembly.assemble",
        "drivers.panel.guard",
        "sim_hw.devices.pin_factory",
    ]
)


def start(config: Path, log: Path, guard: Path | None = None) -> ForkServerProcess:
    """Start a service on the simulated world beside its configuration.

    `guard` is where the guard of the lights listens; None: the service has the pins itself.
    """
    environment = _pins(config.parent)
    if guard is not None:
        environment["TABLECTL_GUARD"] = str(guard)
    process = _CONTEXT.Process(target=_serve, args=(str(config), str(log), environment))
    process.start()
    return process


def start_guard(socket: Path, log: Path) -> ForkServerProcess:
    """Start a guard of the lights in the folder of a simulated world."""
    process = _CONTEXT.Process(target=_guard, args=(str(socket), str(log), _pins(socket.parent)))
    process.start()
    return process


def _pins(folder: Path) -> dict[str, str]:
    return {
        "GPIOZERO_PIN_FACTORY": "tablectl_sim",
        "TABLECTL_SIM_PINS": str(folder / "pins.sock"),
    }


def _serve(config: str, log: str, environment: Mapping[str, str]) -> None:
    from controller.__main__ import main

    _become(log, environment)
    sys.exit(main(["run", "--allow-simulated", config]))


def _guard(socket: str, log: str, environment: Mapping[str, str]) -> None:
    from drivers.panel.guard import main

    _become(log, environment)
    sys.exit(main(["--allow-simulated", socket]))


def _become(log: str, environment: Mapping[str, str]) -> None:
    """Take this environment, and say everything into the log."""
    os.environ.update(environment)
    log_file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log_file, 1)
    os.dup2(log_file, 2)
    os.close(log_file)
