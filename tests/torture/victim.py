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
_CONTEXT.set_forkserver_preload(["tests.torture.victim", "controller.assemble", "sim_hw.pins"])


def start(config: Path, log: Path) -> ForkServerProcess:
    """Start a service on the simulated world beside its configuration."""
    environment = {
        "GPIOZERO_PIN_FACTORY": "tablectl_sim",
        "TABLECTL_SIM_PINS": str(config.with_name("pins.sock")),
    }
    process = _CONTEXT.Process(target=_serve, args=(str(config), str(log), environment))
    process.start()
    return process


def _serve(config: str, log: str, environment: Mapping[str, str]) -> None:
    from controller.__main__ import main

    os.environ.update(environment)
    told = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(told, 1)
    os.dup2(told, 2)
    os.close(told)
    sys.exit(main(["run", "--allow-simulated", config]))
