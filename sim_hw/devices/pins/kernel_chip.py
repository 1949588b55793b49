"""A GPIO chip that Linux makes to order (gpio-sim): a node of its own, lines that can be pulled.

Source: Linux, Documentation/admin-guide/gpio/gpio-sim.rst and drivers/gpio/gpio-sim.c (6.1). It is
in the kernel since 5.17; Debian's kernels have it switched off, those of other makers have it as a
module. Unconfirmed: anything of a real header but the kernel's own interface to it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

#: Where chips are made, and where their lines are pulled and seen.
CONFIGFS: Final = "sys/kernel/config/gpio-sim"
_DEVICES: Final = "sys/devices/platform"
#: A name is this, what the chip is for, and whose it is: a process's number.
_OURS: Final = "tablectl"
_BANK: Final = "bank0"
_PULLS: Final = ("pull-down", "pull-up")


class ChipError(Exception):
    """The kernel makes no chip; the message says what to change."""


class KernelChip:
    """A chip of `lines` lines. `root` is the machine's root folder, of which these are files."""

    def __init__(self, purpose: str, lines: int = 28, root: Path = Path("/")) -> None:
        self._root = root
        self._lines = lines
        self._place = root / CONFIGFS / f"{_OURS}-{purpose}-{os.getpid()}"
        self._folder: Path | None = None
        self._made = False
        self._values: dict[int, int] = {}
        self.number = -1
        """The N of its node, /dev/gpiochipN, while it is open."""

    def open(self) -> None:
        """Make it; those that a killed process left are taken away first. Raises `ChipError`."""
        if not (self._root / CONFIGFS).is_dir():
            raise ChipError(
                "this kernel makes no GPIO chips: sudo modprobe gpio-sim (5.17 or newer, with"
                " CONFIG_GPIO_SIM; Debian's own kernels lack it)"
            )
        with self._explained():
            self._sweep()
            self._place.mkdir()
            self._made = True
            (self._place / _BANK).mkdir()
            self._put(f"{_BANK}/num_lines", str(self._lines))
            self._put("live", "1")
            device, chip = self._said("dev_name"), self._said(f"{_BANK}/chip_name")
        self._folder = self._root / _DEVICES / device / chip
        self.number = int(chip.removeprefix("gpiochip"))
        if not (node := self.node).exists():
            self.close()
            raise ChipError(f"{node} did not come: is devtmpfs, or udev, there?")

    @property
    def node(self) -> Path:
        """Its node, which a pin library opens."""
        return self._root / f"dev/gpiochip{self.number}"

    def pull(self, line: int, level: int) -> None:
        """Pull a line up or down: its level, unless a program drives it. Raises `OSError`."""
        (self._of(line) / "pull").write_text(_PULLS[level])

    def value(self, line: int) -> int:
        """The level of a line now. Raises `OSError`."""
        if line not in self._values:
            self._values[line] = os.open(self._of(line) / "value", os.O_RDONLY)
        return int(os.pread(self._values[line], 1, 0))

    def close(self) -> None:
        """Take it away: pins of programs that have it fail from now on. Safe to do twice."""
        for descriptor in self._values.values():
            os.close(descriptor)
        self._values.clear()
        self._folder, self.number = None, -1
        if self._made:
            self._made = False
            self._take_away(self._place)

    def _of(self, line: int) -> Path:
        assert self._folder is not None, "it is open"
        return self._folder / f"sim_gpio{line}"

    def _put(self, name: str, text: str) -> None:
        (self._place / name).write_text(text)

    def _said(self, name: str) -> str:
        return (self._place / name).read_text().strip()

    def _sweep(self) -> None:
        """Chips of processes that are no more."""
        for place in self._place.parent.glob(f"{_OURS}-*"):
            owner = place.name.rpartition("-")[2]
            if owner.isdecimal() and not _runs(int(owner)):
                self._take_away(place)

    @staticmethod
    def _take_away(place: Path) -> None:
        with suppress(PermissionError):  # it was never live
            (place / "live").write_text("0")
        for folder in (place / _BANK, place):
            with suppress(FileNotFoundError):
                folder.rmdir()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what the kernel answers into what to change; nothing half made stays."""
        try:
            yield
        except OSError as error:
            with suppress(OSError):
                self.close()
            if error.errno in (errno.EACCES, errno.EPERM):
                mend = "run this as root, or give its user this folder (chown)"
            elif error.errno in (errno.EBUSY, errno.EEXIST):
                mend = f"another program makes one there, or left it: look into {CONFIGFS}"
            else:
                mend = "look into the kernel's messages (dmesg)"
            where = error.filename or self._place
            raise ChipError(f"{where}: {error.strerror or error}: {mend}") from error


def _runs(process: int) -> bool:
    """Whether a process of that number is there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
