"""What the loom connects: the JSON file that a bench writes, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class LoomError(ValueError):
    """A loom that makes no sense; the message says what to change."""


@dataclass(frozen=True, slots=True)
class LoomSettings:
    """The wires. Every GPIO number of `outputs`, `inputs`: the rig's first, then the table's.

    `folder` gets `rig.sock`, `table.sock` (the headers), both ends of each line: `rig-serial` and
    `scanner`, `rig-keys` and `keys` (what types; the table has it as an input node), `rig-reports`
    and `reports` (HID POS), `rig-deck` and `deck`, `rig-strip` and `strip-tap`, `rig-oled` and
    `oled-tap` (what a board of the rig's hears on the table's bus), `rig-dmx` and `dmx` (the line
    of a DMX interface, which no relay cuts), `panel` (the framebuffer) and
    `power` (a socket that tells of the table's power). `plug`, `camera_plug` and `power` are the
    rig's pins of the relays, `photodiode` the one that is high while the upper left corner of the
    panel is bright. `kernel_pins`: the headers are chips of the kernel's (gpio-sim), and no
    sockets; `kernel_camera` is the node of a video loopback that shows the panel, too.
    """

    folder: Path
    outputs: tuple[tuple[int, int], ...]
    inputs: tuple[tuple[int, int], ...]
    plug: int
    camera_plug: int
    power: int
    photodiode: int
    panel: tuple[int, int]
    camera_port: int
    kernel_pins: bool = False
    kernel_camera: str = ""

    @classmethod
    def load(cls, path: Path) -> LoomSettings:
        """Read the file. Raises `LoomError`."""
        try:
            data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                folder=path.parent,
                outputs=tuple((int(rig), int(table)) for rig, table in data["outputs"]),
                inputs=tuple((int(rig), int(table)) for rig, table in data["inputs"]),
                plug=int(data["plug"]),
                camera_plug=int(data["camera_plug"]),
                power=int(data["power"]),
                photodiode=int(data["photodiode"]),
                panel=(int(data["panel"][0]), int(data["panel"][1])),
                camera_port=int(data["camera_port"]),
                kernel_pins=bool(data.get("kernel_pins", False)),
                kernel_camera=str(data.get("kernel_camera", "")),
            )
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise LoomError(f"{path} is no loom: {error!r}; the bench writes it anew") from error
