"""The panel before the table's camera: pictures that were sent beforehand, shown in one write."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from .protocol import RigError
from .settings import PanelSettings

#: This many pictures are kept: a deck, its back, and an empty exit.
PICTURES_MAX: Final = 64
BLANK: Final = "blank"
#: What the kernel says of its framebuffers.
GRAPHICS: Final = Path("/sys/class/graphics")


class Panel:
    """A framebuffer of 32 bits a pixel. Pictures come as rows of red, green and blue bytes.

    Raises `RigError` for one that has other pixels than rig.toml says.
    """

    def __init__(self, settings: PanelSettings) -> None:
        _refuse_another(settings)
        self._settings = settings
        self.picture_bytes = 3 * settings.width * settings.height
        self._pictures = {BLANK: bytes(4 * settings.width * settings.height)}

    @property
    def size(self) -> str:
        """Width and height, as `lines` says them."""
        return f"{self._settings.width}x{self._settings.height}"

    def keep(self, name: str, rgb: bytes) -> None:
        """Keep a picture under a name. Raises `RigError` where there is no more room."""
        if name not in self._pictures and len(self._pictures) >= PICTURES_MAX:
            raise RigError(f"the panel keeps {PICTURES_MAX} pictures: use a name again")
        pixels = bytearray(len(rgb) // 3 * 4)
        pixels[0::4], pixels[1::4], pixels[2::4] = rgb[2::3], rgb[1::3], rgb[0::3]
        self._pictures[name] = bytes(pixels)

    def show(self, name: str) -> int:
        """Show a kept picture; when it was written. The photodiode says when it was seen."""
        if name not in self._pictures:
            known = ", ".join(sorted(self._pictures))
            raise RigError(f"no picture is called {name!r} (there are: {known})")
        try:
            fd = os.open(self._settings.device, os.O_WRONLY)
            try:
                written = os.pwrite(fd, self._pictures[name], 0)
            finally:
                os.close(fd)
        except OSError as error:
            raise RigError(f"the panel cannot be written: {error}") from error
        if written != len(self._pictures[name]):
            raise RigError(f"the panel took {written} bytes of {len(self._pictures[name])}")
        return time.monotonic_ns()


def _refuse_another(settings: PanelSettings) -> None:
    """Pictures would be shown torn or in other colours, and every card misread for it."""
    folder = GRAPHICS / settings.device.name
    try:
        bits, stride = (int((folder / each).read_text()) for each in ("bits_per_pixel", "stride"))
        width, height = map(int, (folder / "virtual_size").read_text().split(","))
    except FileNotFoundError:
        return  # a file in its place
    except (OSError, ValueError) as error:
        raise RigError(f"the panel cannot be asked what it is: {error}") from error
    if (bits, width, stride) != (32, settings.width, 4 * settings.width) or (
        height < settings.height
    ):
        raise RigError(
            f"the panel has {width}x{height} pixels of {bits} bits in rows of {stride} bytes, not"
            f" {settings.width}x{settings.height} of 32: correct [panel], or the mode of its screen"
        )
