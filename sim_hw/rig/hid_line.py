"""A USB HID function on which the rig types or reports: `/dev/hidg0` of the kernel's gadget.

Source: Linux, Documentation/usb/gadget_hid.rst: each write is one report, which the host fetches;
each read is one that the host sent. A report is taken only when the one before was fetched.
"""

from __future__ import annotations

import os
import time

from .node_line import FULL_S, NodeLine
from .protocol import RigError
from .settings import Hid


class HidLine(NodeLine):
    """A HID function by its node; whole reports alone are said."""

    def __init__(self, name: str, settings: Hid) -> None:
        super().__init__(name, settings.device)
        self._report_bytes = settings.report_bytes

    @property
    def kind(self) -> str:
        """HID, and the bytes of its reports."""
        return f"hid:{self._report_bytes}"

    def _put(self, fd: int, data: bytes) -> None:
        size = self._report_bytes
        if len(data) % size:
            raise RigError(f"{self._name}: a report has {size} bytes, and {len(data)} are no whole")
        until_s = time.monotonic() + FULL_S
        for at in range(0, len(data), size):
            self._until_it_takes(fd, until_s, len(data) - at, len(data))
            if os.write(fd, data[at : at + size]) != size:
                raise RigError(f"{self._name}: takes no reports of {size} bytes: see rig.toml")
        # The last one was fetched when the function takes the next.
        self._until_it_takes(fd, until_s, size, len(data))

    def _take(self, fd: int) -> None:
        """A gadget's node needs no setting."""
