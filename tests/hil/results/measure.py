"""Declared measurements: a name, a unit and limits before a value is taken; one value each.

A measurement that was declared and not taken is "not measured", which is never fine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class MeasurementVerdict(Enum):
    """What became of a measurement."""

    WITHIN = "within limits"
    OUTSIDE = "outside limits"
    NOT_MEASURED = "not measured"


@dataclass(slots=True)
class DeclaredMeasurement:
    """One value to be taken. `at_most`, `at_least`: limits that it may reach.

    `of` says of what, where the same is taken of several: a game, a scanner, lights.
    """

    kind: str
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    of: str = ""
    value: float | None = None

    @property
    def name(self) -> str:
        """What is measured, and of what."""
        return f"{self.kind}, {self.of}" if self.of else self.kind

    def take(self, value: float) -> None:
        """Set the value. Raises `ValueError` for a second one, or for one that is no number."""
        if self.value is not None:
            raise ValueError(f"{self.name} was measured already: declare another one")
        if not math.isfinite(value):
            raise ValueError(f"{self.name}: {value} is no value")
        self.value = value

    @property
    def verdict(self) -> MeasurementVerdict:
        """Whether the value is within its limits."""
        if self.value is None:
            return MeasurementVerdict.NOT_MEASURED
        low = self.at_least is not None and self.value < self.at_least
        high = self.at_most is not None and self.value > self.at_most
        return MeasurementVerdict.OUTSIDE if low or high else MeasurementVerdict.WITHIN

    @property
    def limits(self) -> str:
        """The limits in words."""
        low = "" if self.at_least is None else f"at least {number(self.at_least)}"
        high = "" if self.at_most is None else f"at most {number(self.at_most)}"
        if self.at_least is not None and self.at_least == self.at_most:
            return f"exactly {number(self.at_least)}"
        return ", ".join(filter(None, (low, high)))

    def __str__(self) -> str:
        said = "" if self.value is None else f" {number(self.value)} {self.unit}".rstrip()
        return f"{self.name}:{said} {self.verdict.value} ({self.limits} {self.unit})".strip()


class Measurements:
    """The measurements of one test, in the order in which they were declared."""

    def __init__(self) -> None:
        self.declared: list[DeclaredMeasurement] = []

    def __call__(
        self, kind: str, *, unit: str, at_most: float | None = None, at_least: float | None = None,
        of: str = "",
    ) -> DeclaredMeasurement:  # fmt: skip
        """Declare a measurement. Raises `ValueError` without a limit, and for a name twice."""
        made = DeclaredMeasurement(kind, unit, at_most, at_least, of)
        if at_most is None and at_least is None:
            raise ValueError(f"{made.name} has no limit: say at_most or at_least")
        if any(each.name == made.name for each in self.declared):
            raise ValueError(f"{made.name} is declared already")
        self.declared.append(made)
        return made

    @property
    def bad(self) -> list[DeclaredMeasurement]:
        """Those that are not within their limits, or not measured."""
        return [each for each in self.declared if each.verdict is not MeasurementVerdict.WITHIN]


def number(value: float) -> str:
    """A value as people write it: three digits that count, whole numbers whole."""
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value):,}"
    return f"{value:.3g}" if abs(value) < 1_000 else f"{value:,.0f}"


def quantile(values: list[float], share: float) -> float:
    """The smallest value that so many of all are no larger than."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
