"""A rig without hardware: the loom and the rig's own program, each a process of its own."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from controller.commands.demo.processes import free_port
from controller.commands.demo.wiring import BEAM, BUZZER, CALL, NEXT, SPOTS, STAND
from drivers.io.pins import VARIABLE
from sim_hw.devices.pin_factory import SimFactory
from sim_hw.devices.pins.pin_wire import SOCKET_VARIABLE
from tests.hil.kernel_fakes import WITHOUT, KernelFakes
from tests.support.patience import PATIENCE_S

#: A rig has pins for so many spots; the loom of a larger table is plugged to others in turn.
SEATS: Final = 4
PANEL: Final = (640, 480)
COLOURS: Final = ("red", "green", "blue")
#: The rig's pins, as in its README.
OUTPUTS: Final = {"beam": 23, "next": 24, "stand": 25, "call": 26}
PLUG, POWER, PHOTODIODE, BUZZER_IN, FIRST_LAMP, CAMERA_PLUG = 6, 7, 8, 9, 10, 5
UNIVERSE: Final = 7
#: The factory of pins at a chip of the kernel's, and the variable with that chip's number.
KERNEL_PINS: Final = "tablectl_gpio_sim"
CHIP_VARIABLE: Final = "TABLECTL_SIM_CHIP"
#: What each output of the rig pulls to ground at the table.
TABLE: Final = {"beam": BEAM, "next": NEXT, "stand": STAND, "call": CALL}


class SimulatedRig(NamedTuple):
    """Where it is: the rig's port, the folder with the table's ends, the camera's source, and the
    port at which its fixtures on the network are; table's and rig's chip where the kernel has the
    headers, and what else it plays.
    """

    port: int
    folder: Path
    camera: str
    fixtures: int = 0
    chips: tuple[int, ...] = ()
    fakes: KernelFakes = WITHOUT

    @property
    def environment(self) -> dict[str, str]:
        """What the table's programs need to have their pins at the loom."""
        return _pins_at(self.folder / "table.sock", self.chips[:1])

    def pin_factory(self) -> Any:
        """Pins at the loom, in a program that has this environment."""
        if self.chips:
            # lgpio is there where a bench has chips of the kernel's, and only there.
            from sim_hw.devices.kernel_pins import KernelPins

            return KernelPins()
        return SimFactory()


def _pins_at(socket_: Path, chip: tuple[int, ...]) -> dict[str, str]:
    """The environment of a program with its pins at that socket, or at a chip of the kernel's."""
    if chip:
        return {VARIABLE: KERNEL_PINS, CHIP_VARIABLE: str(chip[0])}
    return {VARIABLE: "tablectl_sim", SOCKET_VARIABLE: str(socket_)}


def lamp(seat: int, colour: str) -> str:
    """The name of the rig's line at one lamp of a spot."""
    return f"lamp{seat}_{colour}"


def inputs() -> dict[str, int]:
    """The rig's inputs by name."""
    lamps = [lamp(seat, colour) for seat in range(1, SEATS + 1) for colour in COLOURS]
    return {"buzzer": BUZZER_IN, **{name: FIRST_LAMP + at for at, name in enumerate(lamps)}}


def rig_toml(folder: Path, grab: list[str], fixtures: int) -> str:
    """The rig's own file; `fixtures` is the port of those on the network."""
    pairs = "\n".join(f"{name} = {pin}" for name, pin in OUTPUTS.items())
    sensed = {**inputs(), "photodiode": PHOTODIODE}
    eyes = "\n".join(f"{name} = {pin}" for name, pin in sensed.items())
    return f"""\
name = "simulated"
power = {POWER}
grab = {json.dumps(grab)}
[listen]
port = 0
[serial.scanner]
device = "{folder}/rig-serial"
baud = 115200
[hid.keys]
device = "{folder}/rig-keys"
report_bytes = 8
[hid.reports]
device = "{folder}/rig-reports"
report_bytes = 64
[hid.deck]
device = "{folder}/rig-deck"
report_bytes = 512
[serial.strip]
device = "{folder}/rig-strip"
baud = 115200
[serial.oled]
device = "{folder}/rig-oled"
baud = 115200
[serial.dmx]
device = "{folder}/rig-dmx"
baud = 115200
[sacn.fixtures]
universe = {UNIVERSE}
host = "127.0.0.1"
port = {fixtures}
[outputs]
{pairs}
[inputs]
{eyes}
[plugs]
scanner = {PLUG}
camera = {CAMERA_PLUG}
[panel]
device = "{folder}/panel"
width = {PANEL[0]}
height = {PANEL[1]}
"""


def _free_datagram_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _write(folder: Path, grab: list[str], fakes: KernelFakes) -> tuple[int, int]:
    """Write both programs' files; the ports of camera and fixtures."""
    port, fixtures = free_port(), _free_datagram_port()
    table_pins = [pin for spot in SPOTS[:SEATS] for pin in spot]
    sensed = inputs()
    loom = {
        "outputs": [[OUTPUTS[name], TABLE[name]] for name in OUTPUTS],
        "inputs": list(zip(sensed.values(), [BUZZER, *table_pins], strict=True)),
        "plug": PLUG, "camera_plug": CAMERA_PLUG, "power": POWER, "photodiode": PHOTODIODE,
        "panel": PANEL, "camera_port": port, "kernel_pins": fakes.pins,
        "kernel_camera": fakes.camera,
    }  # fmt: skip
    (folder / "loom.json").write_text(json.dumps(loom))
    (folder / "rig.toml").write_text(rig_toml(folder, grab, fixtures))
    return port, fixtures


def _ended(process: subprocess.Popen[str]) -> None:
    """End it, whatever it hangs at. Raises `TimeoutExpired` where it had to be killed."""
    process.terminate()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


@contextmanager
def _program(command: list[str], folder: Path, name: str, more: Mapping[str, str]) -> Iterator[str]:
    """A program, until it says that it is ready; what it said then."""
    with (
        (folder / f"{name}.log").open("wb") as log,
        subprocess.Popen(
            command, env={**os.environ, **more}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=log, text=True,
        ) as process,
    ):  # fmt: skip
        try:
            assert process.stdout is not None
            said = select.select([process.stdout], [], [], PATIENCE_S)[0]
            ready = process.stdout.readline() if said else ""
            assert ready.startswith("ready"), (folder / f"{name}.log").read_text()
            yield ready
        finally:
            _ended(process)


@contextmanager
def simulated_rig(
    folder: Path, program: tuple[str, ...] = ("-m", "sim_hw.rig"), grab: list[str] | None = None,
    fakes: KernelFakes = WITHOUT,
) -> Iterator[SimulatedRig]:  # fmt: skip
    """The loom and the rig's program, running; the kernel plays what `fakes` says."""
    camera, fixtures = _write(folder, grab or [], fakes)
    loom = [sys.executable, "-m", "sim_hw.loom", str(folder / "loom.json")]
    rig = [sys.executable, *program, str(folder / "rig.toml")]
    with _program(loom, folder, "loom", {}) as ready:
        chips = tuple(map(int, ready.split()[1:]))
        pins = _pins_at(folder / "rig.sock", chips[1:])
        with _program(rig, folder, "rig", pins) as said:
            source = fakes.camera or f"http://127.0.0.1:{camera}/shoe.mjpg"
            yield SimulatedRig(int(said.split()[1]), folder, source, fixtures, chips, fakes)
