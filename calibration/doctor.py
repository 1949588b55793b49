"""`tablectl doctor`: is everything there that a table needs? Each finding ends with its remedy.

It opens nothing that the running service holds: it looks, and writes only a scratch file of its
own beside the journal.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from statistics import median
from typing import Final

from calibration.measure import Measurement
from drivers.io.pins import PinFactoryError, pin_factory

SYNCS: Final = 20
#: A commit should be well within the time in which a dealer draws the next card.
SYNC_AT_MOST_MS: Final = 50.0
FREE_AT_LEAST_MB: Final = 200.0


def sync_time(folder: Path) -> Measurement:
    """How long the disk under `folder` takes to make a small write durable, in ms (median)."""
    name = "disk, one durable write"
    scratch = folder / f".doctor-{os.getpid()}"
    took: list[float] = []
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            for _ in range(SYNCS):
                began = time.perf_counter()
                os.write(descriptor, b"x" * 1024)
                os.fsync(descriptor)
                took.append((time.perf_counter() - began) * 1000)
        finally:
            os.close(descriptor)
            scratch.unlink()
    except OSError as error:
        return Measurement(name, None, remedy=f"{folder}: {error.strerror}. Make it writable")
    return Measurement(
        name, round(median(took), 2), "ms", at_most=SYNC_AT_MOST_MS,
        remedy="Use a faster disk: an industrial SD card or an SSD",
    )  # fmt: skip


def free_space(folder: Path) -> Measurement:
    """Free space under `folder`, in MB."""
    name = "disk, free space"
    try:
        found = os.statvfs(folder)
    except OSError as error:
        return Measurement(name, None, remedy=f"{folder}: {error.strerror}. Make the folder")
    return Measurement(
        name, round(found.f_bavail * found.f_frsize / 1e6), "MB", at_least=FREE_AT_LEAST_MB,
        remedy="Free some space, or move the record to a larger disk",
    )  # fmt: skip


def serial_port(port: Path) -> Measurement:
    """Whether the scanner's port is a character device that we may read and write."""
    name = f"scanner, {port}"
    try:
        is_device = stat.S_ISCHR(port.stat().st_mode)
    except OSError as error:
        remedy = f"{error.strerror}. Plug the scanner in, or correct scanner.port"
        return Measurement(name, None, remedy=remedy)
    if not is_device:
        return Measurement(name, 0, "device", at_least=1, remedy="Correct scanner.port")
    allowed = os.access(port, os.R_OK | os.W_OK)
    return Measurement(
        name, int(allowed), "device", at_least=1,
        remedy="Add the service's user to the port's group (dialout)",
    )  # fmt: skip


def pins(allow_simulated: bool) -> Measurement:
    """Whether the pins can be driven by the factory that is chosen."""
    name = f"pins, GPIOZERO_PIN_FACTORY={os.environ.get('GPIOZERO_PIN_FACTORY', '')}"
    try:
        pin_factory(allow_simulated=allow_simulated)
    except PinFactoryError as error:
        return Measurement(name, None, remedy=str(error))
    return Measurement(name, 1, "factory", at_least=1)
