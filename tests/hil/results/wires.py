"""Which wires a run used, and of what they are: what its report says of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from tests.hil.rig.rig_client import RigLineInfo, plug
from tests.hil.simulated import CAMERA_PLUG, OUTPUTS, PHOTODIODE, PLUG, POWER, TABLE, inputs

USED: Final = "used"
UNUSED: Final = "not used"
#: Where the kernel makes GPIO chips to order: Documentation/admin-guide/gpio/gpio-sim.rst.
_GPIO_SIM: Final = "sys/kernel/config/gpio-sim"
#: The names of video devices, one file each; v4l2loopback's own has the word in it.
_VIDEO_NAMES: Final = "sys/class/video4linux/*/name"
#: What a board of the rig's listens at.
_TAPPED: Final = {"strip": "SPI", "oled": "I2C"}
_LOOPBACK_MODULE: Final = "sys/module/v4l2loopback"


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


def used_before(told: Mapping[str, str]) -> set[str]:
    """The lines that were used by an earlier test of the run, as `wires` told it."""
    return {name for name, text in told.items() if text.rpartition(", ")[2] == USED}


def _wired() -> dict[str, str]:
    """Where each pin of the simulated rig goes, as the loom has it."""
    ends = {name: f"rig's GPIO {pin} to the table's {TABLE[name]}" for name, pin in OUTPUTS.items()}
    ends |= {name: f"rig's GPIO {pin} from the table" for name, pin in inputs().items()}
    plugs = {plug("scanner"): PLUG, plug("camera"): CAMERA_PLUG}
    relays = {**plugs, "power": POWER, "photodiode": PHOTODIODE}
    ends |= {name: f"a board at the table's {bus}" for name, bus in _TAPPED.items()}
    return ends | {name: f"rig's GPIO {pin}" for name, pin in relays.items()}


def made_of(root: Path = Path("/")) -> dict[str, str]:
    """Of what the wires of a simulated bench are, and which fakes of the kernel are not in use."""
    return {
        "pins": f"simulated headers over a socket; {_gpio_sim(root)}",
        "lines": "two ptys back to back",
        "camera": f"MJPEG of the panel over TCP; {_loopback(root)}",
    }


def _gpio_sim(root: Path) -> str:
    if (root / _GPIO_SIM).is_dir():
        return "this kernel has gpio-sim, which is not used"
    return f"no gpio-sim (/{_GPIO_SIM} is not there: sudo modprobe gpio-sim)"


def _loopback(root: Path) -> str:
    if (root / _LOOPBACK_MODULE).is_dir() or any(_loopback_names(root.glob(_VIDEO_NAMES))):
        return "this kernel has v4l2loopback, which is not used"
    return f"no v4l2loopback (/{_LOOPBACK_MODULE} is not there: sudo modprobe v4l2loopback)"


def _loopback_names(files: Iterable[Path]) -> Iterable[bool]:
    return ("loopback" in each.read_text(errors="replace").lower() for each in files)
