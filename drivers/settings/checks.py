"""What settings are held against: the header's pins, ranges; all that is wrong, with remedies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

PINS: Final = range(2, 28)
"""The GPIOs of the 40-pin header that are free to use (0 and 1 belong to add-on boards)."""


class Wrong(NamedTuple):
    """A setting that cannot be, by its name in the section, and what to do."""

    name: str
    text: str


class SettingsError(ValueError):
    """Settings that cannot be: `problems` are all that are wrong in one section."""

    def __init__(self, problems: Iterable[Wrong]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{name}: {text}" for name, text in self.problems))


def refuse(problems: Iterable[Wrong]) -> None:
    """Raises `SettingsError` where there are any."""
    if found := tuple(problems):
        raise SettingsError(found)


def within(name: str, value: int, low: int, high: int) -> Iterator[Wrong]:
    """What is wrong with a number outside `low` to `high`."""
    if not low <= value <= high:
        yield Wrong(name, f"{name} is {value}: choose {low} to {high}")


def pin_problem(name: str, pin: int) -> Iterator[Wrong]:
    """What is wrong with a GPIO that is not on the header."""
    if pin not in PINS:
        text = f"{name} is {pin}: choose a GPIO of the header, {PINS[0]} to {PINS[-1]}"
        yield Wrong(name, text)
