"""The door for drivers: which are there, which a table admits, and proof that it is those.

A driver of a third party is a package that is installed beside the table, with an entry point of
the group `tablectl.drivers`. Nothing of it is loaded before the configuration has named it with its
version and the digest of its files, and both are right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import PurePosixPath
from typing import Any, Final

from drivers.driver import Driver

GROUP: Final = "tablectl.drivers"
#: Ours, by the same kind of name as others' entry points.
#: In this order pins are given out: where two want one, the later is the one to be changed.
BUILT_IN: Final = {
    name: EntryPoint(name, f"drivers.builtin.{file}:{name.upper()}", GROUP)
    for file, names in (
        ("readers", ("scanner", "camera", "shoe", "beam")),
        ("lights", ("leds", "strip", "i2c_leds", "sacn", "dmx")),
        ("buttons", ("buttons", "i2c_buttons", "keypad", "pedal", "stream_deck")),
        ("displays", ("pole_display", "oled")),
        ("lights", ("buzzer",)),
        ("sensors", ("bet_spots",)),
    )
    for name in names
}
#: Files that the installer writes, or Python, and no package brings.
_NOT_OF_THE_PACKAGE: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
#: What a module that is broken raises while it is loaded.
_BROKEN: Final = (
    ImportError, AttributeError, SyntaxError, OSError, RuntimeError, TypeError, NameError,
    ValueError,
)  # fmt: skip
#: The digest of each package of which something was loaded: Python keeps its modules until the end,
#: so that one which was upgraded meanwhile would be admitted, and the old one run.
_HELD: Final[dict[str, str]] = {}


class DriverRefused(ValueError):
    """A driver is not let in; the text says why and what to change."""


def installed() -> dict[str, EntryPoint]:
    """The drivers of third parties that are installed here, by name; none of them is loaded."""
    return {each.name: each for each in entry_points(group=GROUP)}


def built_in(name: str) -> Driver:
    """A driver of ours."""
    return _loaded(BUILT_IN[name])


def admitted(name: str, version: str, digest: str) -> Driver:
    """The driver of a third party, which must be exactly this one. Raises `DriverRefused`."""
    found = installed().get(name)
    if found is None or found.dist is None:
        known = ", ".join(sorted(installed())) or "none"
        raise DriverRefused(
            "no driver of that name is installed: sudo tablectl-update --add-driver WHEEL (in a"
            " checkout: install its wheel into the environment), or remove this (installed here:"
            f" {known})"
        )
    if name in BUILT_IN:
        raise DriverRefused(
            f"{name} is a driver of the table itself: no package may take its place"
        )
    if found.dist.version != version:
        raise DriverRefused(
            f"version {found.dist.version} is installed, not {version}: install that one, or look"
            " at the new one and change this (tablectl drivers)"
        )
    is_now = digest_of(found.dist, found.module)
    if is_now != digest:
        raise DriverRefused(
            f"its files are not those that were admitted (digest {is_now}): install it anew from"
            " where it came, or look at what changed and change this (tablectl drivers)"
        )
    if _HELD.setdefault(found.dist.name, digest) != digest:
        raise DriverRefused(
            "another one of it is loaded in this program: restart that (systemctl restart"
            " tablectl-guard tablectl)"
        )
    driver = _loaded(found)
    if driver.section != name:
        raise DriverRefused(f"it is of a section [{driver.section}]: its maker has to mend that")
    return driver


def _loaded(found: EntryPoint) -> Driver:
    try:
        driver = found.load()
    except _BROKEN as error:
        raise DriverRefused(f"it cannot be loaded ({type(error).__name__}: {error})") from error
    if not isinstance(driver, Driver):
        raise DriverRefused(
            f"{found.value} is no drivers.driver.Driver: its maker has to mend that"
        )
    return driver


def digest_of(package: Distribution, module: str) -> str:
    """The SHA-256 over every file of an installed package, with its name, as `sha256:…`.

    Not over `__pycache__`, which Python writes anew.

    Raises `DriverRefused` where `module` is not among them: an editable installation has its code
    elsewhere, and may change at any time.
    """
    whole = hashlib.sha256()
    wanted = PurePosixPath(*module.split("."))
    held = False
    for file in sorted(package.files or (), key=str):
        if file.name in _NOT_OF_THE_PACKAGE or "__pycache__" in file.parts:
            continue
        held = held or file.with_suffix("") in (wanted, wanted / "__init__")
        try:
            data = file.read_binary()
        except OSError as error:
            raise DriverRefused(f"{file} of it cannot be read ({error.strerror})") from error
        whole.update(f"{file} {len(data)}\n".encode() + data)
    if not held:
        raise DriverRefused(
            f"the files of {package.name} do not hold {module}: install it from a wheel, not"
            " editable"
        )
    return f"sha256:{whole.hexdigest()}"


def settings_of(driver: Driver, plain: Mapping[str, Any]) -> Any:
    """The settings of a driver from JSON. Raises what the settings raise, and `TypeError`."""
    return driver.settings(**{name: _tuples(value) for name, value in plain.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
