"""What the kernel here can play of a bench: GPIO chips (gpio-sim), a camera (v4l2loopback)."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from sim_hw.devices.pins.kernel_chip import CONFIGFS
from sim_hw.loom.loopback import LOAD, loopback_node


class KernelFakes(NamedTuple):
    """Whether the headers can be chips of the kernel's, the node of its camera (empty: none), and
    of each what is to be said of it in a report.
    """

    pins: bool
    camera: str
    says_pins: str
    says_camera: str


#: Sockets and MJPEG over TCP, whatever the kernel has.
WITHOUT: Final = KernelFakes(
    False, "", "gpio-sim is not asked for", "v4l2loopback is not asked for"
)


def kernel_fakes(root: Path = Path("/")) -> KernelFakes:
    """What there is, without making anything."""
    pins = _why_no_pins(root)
    node = loopback_node(root)
    camera = ""
    says = f"no v4l2loopback with our label: {LOAD}"
    if node is not None and os.access(node, os.R_OK | os.W_OK):
        camera, says = str(node), f"v4l2loopback at {node}"
    elif node is not None:
        says = f"v4l2loopback, which is not used: {node} may not be written to (group video)"
    return KernelFakes(not pins, camera, pins or "chips of gpio-sim", says)


def _why_no_pins(root: Path) -> str:
    """Why gpio-sim is not used; empty where it is."""
    folder = root / CONFIGFS
    if not folder.is_dir():
        return f"no gpio-sim (/{CONFIGFS} is not there: sudo modprobe gpio-sim)"
    if not os.access(folder, os.W_OK):
        return f"gpio-sim, which is not used: this user may not write to /{CONFIGFS}"
    if find_spec("lgpio") is None:
        return "gpio-sim, which is not used: the lgpio module is missing (python3-lgpio)"
    return ""
