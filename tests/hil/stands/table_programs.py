"""The programs of a simulated table, as its power starts them: buses, guard, service."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from controller.config.device_sections import DeviceSections
from tests.hil.dealt.table_lights import MCP23017, PCA9685, PINS, STRIP
from tests.hil.rig import buses
from tests.hil.stands.simulated import SimulatedRig
from tests.hil.stands.table_settings import NODES
from tests.hil.ways import BenchWay
from tests.support.processes.wired_program import CHIPS, DMX_S, SACN

#: A program of the table's; and where the kernel's answers for nodes of input and HID and for buses
#: are the test's.
_RUN: Final = ("-m",)
_RUN_WIRED: Final = ("-m", "tests.support.processes.wired_program")
#: So long may a DMX interface take to answer on a busy machine. It was asked first when nobody
#: listened yet, and is asked again after that.
ANSWERS_S: Final = 5.0
#: Lights whose far ends are in a process of their own.
_ON_A_BUS: Final = (PCA9685, MCP23017, STRIP)


class TableProgram(NamedTuple):
    """One of them: its name, and what Python is given."""

    name: str
    arguments: Sequence[str]


class TablePrograms(NamedTuple):
    """All of them in order, the service last, and the environment that they have besides."""

    each: Sequence[TableProgram]
    environment: dict[str, str]


def table_programs(
    rig: SimulatedRig, way: BenchWay, devices: DeviceSections, config: Path
) -> TablePrograms:
    """Those of a table with that configuration, whose devices end at the rig's lines."""
    guard, wired = str(config.parent / "guard.sock"), way.scanner in NODES or way.lights != PINS
    run = _RUN_WIRED if wired else _RUN
    around = {**rig.environment, "TABLECTL_GUARD": guard}
    if wired:
        around |= {SACN: str(rig.fixtures), DMX_S: str(ANSWERS_S)}
    each = [
        TableProgram("guard", [*run, "drivers.panel.guard", "--allow-simulated", guard]),
        TableProgram(
            "service", [*run, "controller.__main__", "run", "--allow-simulated", str(config)]
        ),
    ]
    if way.lights in _ON_A_BUS:
        channels = 0 if devices.strip is None else len(devices.strip.order)
        far = ["tests.hil.rig.buses", str(rig.folder), way.lights, str(channels)]
        each.insert(0, TableProgram("buses", [*_RUN, *far]))
    if way.lights in (PCA9685, MCP23017):
        (rig.folder / "i2c").touch()
        around[CHIPS] = str(rig.folder / buses.CHIPS)
    return TablePrograms(each, around)
