"""The GPIO pins: which pin factory is used, and failures of pins as `DeviceError`."""

from __future__ import annotations

import importlib
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import gpiozero
from gpiozero.exc import GPIOPinInUse, GPIOZeroError

from controller.devices.contracts import DeviceBusy, DeviceError
from controller.host.installed import installed_release
from controller.rules.messages import message

VARIABLE: Final = "GPIOZERO_PIN_FACTORY"
REAL: Final = "lgpio"
#: So long after the machine was started its pins may be root's alone still: udev gives them away
#: while the first services start, and waits for none.
BOOT_S: Final = 60.0
_AGAIN_S: Final = 0.5

Factory = Any
"""A gpiozero pin factory. gpiozero has no types; this is its border."""


class PinFactoryError(Exception):
    """There is no pin factory that this table may use: `why`, and what to set or install."""

    def __init__(self, why: str, mend: str) -> None:
        super().__init__(f"{why}: {mend}")
        self.why, self.mend = why, mend


class NoPins(NamedTuple):
    """What stands for a pin factory on a machine that gives none: why, and what to do."""

    why: str


def real_pins() -> bool:
    """Whether the environment names the factory of real pins, or none (a table without pins)."""
    return os.environ.get(VARIABLE, REAL) == REAL


def pin_factory(*, allow_simulated: bool) -> Factory:
    """The pin factory that the environment names; no fall-back, which gpiozero would do silently.

    Raises `PinFactoryError`.
    """
    name = os.environ.get(VARIABLE, "")
    if not name:
        raise PinFactoryError(f"{VARIABLE} is not set", f"set {VARIABLE}={REAL} on a Raspberry Pi")
    if name != REAL and not allow_simulated:
        raise PinFactoryError(
            f"{VARIABLE}={name} gives no real pins",
            f"set {VARIABLE}={REAL}, or allow simulated devices where no money is at stake",
        )
    if name == REAL:
        _need_lgpio()
    try:
        _ensure_factory(name)
    except _pin_errors() as error:
        if name == REAL:
            raise PinFactoryError(
                f"the pin factory {name} cannot be used ({type(error).__name__}: {error})",
                "check that this is a Raspberry Pi and that the service may open /dev/gpiochip0"
                " (group gpio)",
            ) from error
        raise PinFactoryError(
            f"the pin factory {name} cannot be used ({error})",
            f"correct {VARIABLE}, or start what it needs",
        ) from error
    return gpiozero.Device.pin_factory


def pins_or_none(*, allow_simulated: bool) -> Factory | NoPins:
    """The pin factory, as above; none on a machine without pins, whose lights hang elsewhere.

    Raises `PinFactoryError` where the environment names another than that of real pins.
    """
    try:
        return pin_factory(allow_simulated=allow_simulated)
    except PinFactoryError as error:
        if not real_pins():
            raise
        return NoPins(str(error))


def _ensure_factory(name: str) -> None:
    """Have gpiozero make its factory, real ones again and again while the machine starts.

    A service that ended for it would not be started again. Raises `_pin_errors`.
    """
    while True:
        try:
            gpiozero.Device.ensure_pin_factory()
        except _pin_errors():
            if name != REAL or up_s() > BOOT_S:
                raise
        else:
            return
        time.sleep(_AGAIN_S)


def up_s() -> float:
    """How long the machine has been on, in seconds."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _need_lgpio() -> None:
    """Check for the real module: pip may have brought an empty stub of that name."""
    module: ModuleType | None = None
    with suppress(ImportError):
        module = importlib.import_module("lgpio")
    if getattr(module, "gpiochip_open", None) is None:
        steps = ["sudo apt install python3-lgpio"]
        prefix = Path(sys.prefix)
        sees_packages = _sees_system_packages(prefix)
        if installed_release(prefix) is not None:
            # What is changed in a release by hand is found, and no round begins with it.
            if module is not None or not sees_packages:
                steps.append("sudo tablectl-update --install FILE   # of the release that runs")
        else:
            if module is not None:
                steps.append(f"{sys.executable} -m pip uninstall --yes lgpio")
            if not sees_packages:
                # Over an environment that is there: its packages stay.
                steps.append(f"/usr/bin/python3 -m venv --system-site-packages {prefix}")
        what = "is missing" if module is None else "is the empty one of PyPI"
        raise PinFactoryError(f"the lgpio module {what}", " && ".join(steps))


def _sees_system_packages(prefix: Path) -> bool:
    """Whether the Python of that prefix is the machine's own, or may look at its packages."""
    try:
        text = (prefix / "pyvenv.cfg").read_text(encoding="utf-8")
    except FileNotFoundError:
        return True
    return re.search(r"(?mi)^include-system-site-packages\s*=\s*true\s*$", text) is not None


def _pin_errors() -> tuple[type[Exception], ...]:
    """What pins raise: gpiozero's errors, the system's, and lgpio's own where it is in use."""
    errors: list[type[Exception]] = [GPIOZeroError, OSError, ImportError]
    try:
        errors.append(importlib.import_module("lgpio").error)
    except (ImportError, AttributeError):
        return tuple(errors)  # no lgpio here: nothing of it can be raised
    return tuple(errors)


@contextmanager
def pin_errors(device: str) -> Iterator[None]:
    """Turn what the pins of `device` raise into `DeviceError`."""
    try:
        yield
    except GPIOPinInUse as error:
        raise DeviceBusy(message("pins-in-use", device=device, detail=str(error))) from error
    except _pin_errors() as error:
        detail = str(error) or type(error).__name__
        raise DeviceError(message("pins-failed", device=device, detail=detail)) from error
