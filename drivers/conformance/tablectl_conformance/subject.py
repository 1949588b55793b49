"""The driver under examination: from its package, with its settings and whose hands there are."""

from __future__ import annotations

import importlib
import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.metadata import Distribution, packages_distributions
from pathlib import Path
from typing import Any, Final

from controller.devices.contracts import InputDevice, OutputDevice
from controller.rules.cards import Pack
from drivers.door import GROUP, DriverRefused, digest_of, settings_of
from drivers.driver import Driver, DriverContext, DriverRole

from .hands import HANDS_DO, Hands, TerminalHands

SEATS: Final = 3


class KitError(ValueError):
    """The kit cannot begin; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A driver, its settings, and hands on the device."""

    name: str
    driver: Driver
    settings: Any
    plain: Mapping[str, Any]
    seats: int
    base: Path
    hands: Mapping[str, Any]
    package: Distribution | None

    def make(self) -> InputDevice | OutputDevice:
        """A new device of the driver, closed."""
        pins = None
        if any(self.driver.pins(self.settings)):
            # A device on pins has the factory that GPIOZERO_PIN_FACTORY names.
            import gpiozero  # noqa: PLC0415

            gpiozero.Device.ensure_pin_factory()
            pins = gpiozero.Device.pin_factory
        context = DriverContext(self.base, Pack(1, 0), self.seats, factory=pins)
        return self.driver.make(self.settings, context).device

    def new_hands(self) -> Hands:
        """The hands that `[hands]` names. Raises `KitError`."""
        by = self.made_by()
        if by is None:
            return TerminalHands(self.driver.section, words=self.driver.role is DriverRole.DISPLAY)
        made: Hands = by(self.settings, self._keys)
        return made

    def made_by(self) -> Any:
        """The class of hands that `[hands]` names; None where it is a person.

        Raises `KitError` for one that cannot be made, or lacks what hands do.
        """
        by = str(self.hands.get("by", "person"))
        if by == "person":
            return None
        made = _loaded(by, "[hands] by")
        try:
            inspect.signature(made).bind(self.settings, self._keys)
        except (TypeError, ValueError) as error:
            raise KitError(
                f"[hands] by: {by} is made with the settings and a dict of the other keys of"
                f" [hands], def __init__(self, settings, keys): {error}"
            ) from None
        if lacking := [each for each in HANDS_DO if not hasattr(made, each)]:
            raise KitError(
                f"[hands] by: {by} lacks {', '.join(lacking)}; what it cannot do raises"
                " NotImplementedError"
            )
        return made

    @property
    def _keys(self) -> dict[str, Any]:
        return {key: value for key, value in self.hands.items() if key != "by"}

    @property
    def digest(self) -> str:
        """The digest of its package, as `[drivers.NAME]` admits it; empty where it has none."""
        if self.package is None:
            return ""
        try:
            return digest_of(self.package, self.name.partition(":")[0])
        except DriverRefused:
            return ""

    @property
    def named(self) -> bool:
        """Whether the package names the driver at the table's door, under its section."""
        points = () if self.package is None else self.package.entry_points.select(group=GROUP)
        return (self.driver.section, self.name) in {(each.name, each.value) for each in points}


def load_subject(name: str, path: Path) -> Subject:
    """The driver `pkg.module:DRIVER` with the settings in a file. Raises `KitError`."""
    driver = _loaded(name, "--driver")
    if not isinstance(driver, Driver):
        raise KitError(f"--driver: {name} is no drivers.driver.Driver")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KitError(f"--settings: {path} cannot be read: {error}") from None
    plain = data.get("settings", {})
    known = {each.name for each in fields(driver.settings)}
    if strange := plain.keys() - known:
        raise KitError(f"{path}: {min(strange)} is no key of [{driver.section}]: {sorted(known)}")
    try:
        settings = settings_of(driver, plain)
    except (TypeError, ValueError) as error:
        raise KitError(f"{path}: [settings]: {error}") from None
    seats = int(data.get("table", {}).get("seats", driver.spots(settings) or SEATS))
    hands = data.get("hands", {})
    subject = Subject(name, driver, settings, plain, seats, path.parent, hands, _package(name))
    subject.made_by()
    return subject


def _package(name: str) -> Distribution | None:
    """The installed package that a module is of; None where it is of none."""
    top = name.partition(":")[0].partition(".")[0]
    found = packages_distributions().get(top, [])
    return Distribution.from_name(found[0]) if len(found) == 1 else None


def _loaded(name: str, where: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise KitError(f"{where}: {name} cannot be loaded ({error})") from None
