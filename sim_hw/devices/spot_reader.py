"""An RFID reader under a bet spot, on a real pty: it can be plugged in and out."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path

from sim_hw.devices.wire.pn532 import Pn532, Tag


class SpotReader:
    """A PN532 behind `link`, the stable name that udev would give; `lying` are the tags above."""

    def __init__(self, link: Path, lying: Callable[[], list[Tag]], ic: int = 0x32) -> None:
        self.link = link
        self.chip = Pn532(lying, ic)
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        """Appear: a new pty behind the link, and a chip that has just got power."""
        if self._ends is not None:
            return
        ours, theirs = os.openpty()
        # Our hold on the far end keeps the line raw while no service has it open.
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self.chip.power_up()
        fresh = self.link.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(theirs))
        fresh.replace(self.link)
        self._ends = ours, theirs
        asyncio.get_running_loop().add_reader(ours, self._heard)

    def unplug(self) -> None:
        """Disappear as a USB plug that is pulled: the line hangs up and the link is gone."""
        if self._ends is not None:
            asyncio.get_running_loop().remove_reader(self._ends[0])
            self.link.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def _heard(self) -> None:
        assert self._ends is not None
        said = self.chip.hears(os.read(self._ends[0], 4_096))
        if said:
            os.write(self._ends[0], said)
