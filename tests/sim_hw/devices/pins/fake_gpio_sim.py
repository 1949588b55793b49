"""A kernel with gpio-sim below a folder: configfs, the lines in sysfs, nodes; and lgpio on them.

Source: Linux 6.1, drivers/gpio/gpio-sim.c. What it does there is done here when a path below the
folder is made, written or taken away: attributes appear with their folder and no other file can be
made, `live` makes and destroys the chip, a pull moves a line that nobody drives.
"""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from sim_hw.devices.pins.kernel_chip import CONFIGFS

#: What a chip of a Raspberry Pi's own machine has before ours.
FIRST = 3
_PATH: Any = type(Path())


def refused(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


class KernelPath(_PATH):  # type: ignore[misc]
    """A path of that machine."""

    #: By the machine's root: who may write, what `live` answers, whether nodes come.
    rules: ClassVar[dict[str, Any]] = {}

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        if CONFIGFS not in str(self):
            super().mkdir(mode, parents, exist_ok)
            return
        if self.rules.get("no rights"):
            raise refused(errno.EACCES, self)
        if parents and not self.parent.exists():
            self.parent.mkdir()
        super().mkdir()
        for name in ("num_lines", "chip_name") if self.name == "bank0" else ("live", "dev_name"):
            Path(self / name).write_text("1\n" if name == "num_lines" else "0\n")

    def write_text(self, data: str, *_: Any, **__: Any) -> int:
        if CONFIGFS in str(self) and not self.exists():
            raise refused(errno.EACCES, self)
        if self.name == "live":
            self._live(int(data))
        elif self.name == "pull":
            line = Path(self.parent)
            if not (line / "driven").exists():
                (line / "value").write_text(f"{int(data == 'pull-up')}\n")
        return int(Path(self).write_text(data))

    def rmdir(self) -> None:
        if CONFIGFS in str(self):
            place = Path(self.parent if self.name == "bank0" else self)
            if (place / "live").read_text().strip() == "1":
                raise refused(errno.EBUSY, self)
            for each in Path(self).iterdir():
                if each.is_file():
                    each.unlink()
        super().rmdir()

    def _live(self, wanted: int) -> None:
        place = Path(self.parent)
        root = place.parents[4]
        if (place / "live").read_text().strip() == str(wanted):
            raise refused(errno.EPERM, self)
        if wanted and (answer := self.rules.get("live")):
            raise refused(answer, self)
        if not wanted:
            chip = (place / "bank0/chip_name").read_text().strip()
            (root / "dev" / chip).unlink(missing_ok=True)
            shutil.rmtree(root / "sys/devices/platform" / (place / "dev_name").read_text().strip())
            return
        number = FIRST + len([*(root / "dev").glob("gpiochip*")])
        device, chip = f"gpio-sim.{number - FIRST}", f"gpiochip{number}"
        (place / "dev_name").write_text(f"{device}\n")
        (place / "bank0/chip_name").write_text(f"{chip}\n")
        for line in range(int((place / "bank0/num_lines").read_text())):
            folder = root / "sys/devices/platform" / device / chip / f"sim_gpio{line}"
            folder.mkdir(parents=True)
            (folder / "pull").write_text("pull-down\n")
            (folder / "value").write_text("0\n")
        if not self.rules.get("no nodes"):
            (root / "dev" / chip).touch()


def kernel(root: Path, **rules: Any) -> KernelPath:
    """A machine whose kernel has gpio-sim, below that folder."""
    (root / CONFIGFS).mkdir(parents=True)
    (root / "dev").mkdir()
    KernelPath.rules = {name.replace("_", " "): value for name, value in rules.items()}
    return KernelPath(root)


class LgpioError(Exception):
    """As lgpio raises it."""


class Lgpio(ModuleType):
    """What of lgpio gpiozero's pins use, on the nodes and lines below a folder."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    error = LgpioError

    def __init__(self, root: Path) -> None:
        super().__init__("lgpio")
        self._root = Path(root)
        self._modes: dict[int, int] = {}

    def gpiochip_open(self, number: int) -> Path:
        if not (self._root / f"dev/gpiochip{number}").exists():
            raise LgpioError("can not open gpiochip")
        (folder,) = (self._root / "sys/devices/platform").glob(f"*/gpiochip{number}")
        return folder

    def gpiochip_close(self, folder: Path) -> None:
        self._modes.clear()

    def gpio_claim_input(self, folder: Path, line: int, flags: int = 0) -> None:
        place = folder / f"sim_gpio{line}"
        (place / "driven").unlink(missing_ok=True)
        if flags in (self.SET_PULL_UP, self.SET_PULL_DOWN):
            KernelPath(place / "pull").write_text(
                "pull-up" if flags == self.SET_PULL_UP else "pull-down"
            )
        self._modes[line] = flags

    def gpio_claim_output(self, folder: Path, line: int, level: int = 0) -> None:
        (folder / f"sim_gpio{line}/driven").touch()
        self._modes[line] = 2
        self.gpio_write(folder, line, level)

    def gpio_write(self, folder: Path, line: int, level: int) -> None:
        (folder / f"sim_gpio{line}/value").write_text(f"{int(level)}\n")

    def gpio_read(self, folder: Path, line: int) -> int:
        return int((folder / f"sim_gpio{line}/value").read_text())

    def gpio_get_mode(self, folder: Path, line: int) -> int:
        return self._modes.get(line, 0)

    def gpio_free(self, folder: Path, line: int) -> None:
        """A line that is let go goes to its pull (gpio-sim.c, gpio_sim_free)."""
        self._modes.pop(line, None)
        place = folder / f"sim_gpio{line}"
        (place / "driven").unlink(missing_ok=True)
        up = (place / "pull").read_text().strip() == "pull-up"
        (place / "value").write_text(f"{int(up)}\n")

    def gpio_set_debounce_micros(self, folder: Path, line: int, micros: int) -> None:
        pass

    def gpio_claim_alert(self, folder: Path, line: int, edges: int, flags: int = 0) -> None:
        self._modes[line] = flags

    def callback(self, *_: Any) -> Lgpio:
        return self

    def cancel(self) -> None:
        pass
