"""Which wires a run used, and of what they are: what its report says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from tests.hil.kernel_fakes import KernelFakes
from tests.hil.rig.rig_client import RigLineInfo, plug
from tests.hil.stands.simulated import CAMERA_PLUG, OUTPUTS, PHOTODIODE, PLUG, POWER, TABLE, inputs

USED: Final = "used"
UNUSED: Final = "not used"
#: What a board of the rig's listens at.
_TAPPED: Final = {"strip": "SPI", "oled": "I2C"}


def wires(
    lines: Mapping[str, RigLineInfo], used: Collection[str], *, simulated: bool
) -> dict[str, str]:
    """Each line of the rig: its kind, where the simulation has it wired, and whether it was used.

    An input was used where an edge of it came, all else where the bench asked something of it.
    """
    wired = _wired() if simulated else {}
    return {
        name: ", ".join(
            filter(None, (line.kind, wired.get(name), USED if name in used else UNUSED))
        )
        for name, line in lines.items()
    }


def used_before(uses: Mapping[str, str]) -> set[str]:
    """The lines that were used by an earlier test of the run, as `wires` told it."""
    return {name for name, text in uses.items() if text.rpartition(", ")[2] == USED}


def _wired() -> dict[str, str]:
    """Where each pin of the simulated rig goes, as the loom has it."""
    ends = {name: f"rig's GPIO {pin} to the table's {TABLE[name]}" for name, pin in OUTPUTS.items()}
    ends |= {name: f"rig's GPIO {pin} from the table" for name, pin in inputs().items()}
    plugs = {plug("scanner"): PLUG, plug("camera"): CAMERA_PLUG}
    relays = {**plugs, "power": POWER, "photodiode": PHOTODIODE}
    ends |= {name: f"a board at the table's {bus}" for name, bus in _TAPPED.items()}
    return ends | {name: f"rig's GPIO {pin}" for name, pin in relays.items()}


def made_of(fakes: KernelFakes) -> dict[str, str]:
    """Of what the wires of a simulated bench are."""
    pins = "chips of gpio-sim, wired by the loom" if fakes.pins else "headers over a socket"
    stream = "MJPEG of the panel over TCP"
    return {
        "pins": pins if fakes.pins else f"{pins}; {fakes.says_pins}",
        "lines": "two ptys back to back",
        "camera": fakes.says_camera if fakes.camera else f"{stream}; {fakes.says_camera}",
    }
