"""A measurement: what was measured, in which unit, within which limits, and its status.

One that could not be taken is never "good": its status is "not measured", with the reason.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class MeasurementStatus(Enum):
    """Whether a measurement is within its limits."""

    GOOD = "good"
    BAD = "bad"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement. `at_most` and `at_least` are limits in `unit`; None: no limit that way.

    `value` is None when it could not be taken; `remedy` says what to do unless it is good.
    """

    name: str
    value: float | None
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    remedy: str = ""

    def __post_init__(self) -> None:
        if self.value is not None and math.isnan(self.value):
            # What came to no number was not measured: no limit would refuse it.
            object.__setattr__(self, "value", None)

    @property
    def status(self) -> MeasurementStatus:
        """Good within the limits, bad outside of them, and honest about what is not known."""
        if self.value is None:
            return MeasurementStatus.NOT_MEASURED
        if self.at_least is not None and self.value < self.at_least:
            return MeasurementStatus.BAD
        if self.at_most is not None and self.value > self.at_most:
            return MeasurementStatus.BAD
        return MeasurementStatus.GOOD

    @property
    def good(self) -> bool:
        """Whether it was measured and is within its limits."""
        return self.status is MeasurementStatus.GOOD

    @property
    def limits(self) -> str:
        """Within what it must be, in words; empty without limits."""
        if self.at_least is not None and self.at_least == self.at_most:
            return f"must be {self.at_least:g}"
        least = "" if self.at_least is None else f"at least {self.at_least:g}"
        most = "" if self.at_most is None else f"at most {self.at_most:g}"
        return ", ".join(filter(None, (least, most)))

    @property
    def refusal(self) -> str:
        """Why it is not good, as a sentence: what, how far off, what to do."""
        value = "not measured" if self.value is None else f"{self.value:g} {self.unit}".strip()
        limits = f" ({self.limits})" if self.limits else ""
        return f"{self.name[0].upper()}{self.name[1:]}: {value}{limits}. {self.remedy}".strip()

    def __str__(self) -> str:
        value = "-" if self.value is None else f"{self.value:g} {self.unit}".strip()
        line = f"{self.status.value:12}  {self.name}: {value}"
        return line if self.good or not self.remedy else f"{line}. {self.remedy}"
