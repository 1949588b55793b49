"""A finding of the doctor: what was looked at, the verdict, why, and the command that mends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from calibration.measure import Measurement


class CheckVerdict(Enum):
    """What a check comes to. Only `GOOD`, `NOTE` and `NOT_YET` let a table start."""

    GOOD = "good"
    NOTE = "note"
    """The table runs; something can be made better."""
    NOT_YET = "not yet"
    """It comes with the first start of the service."""
    BAD = "bad"
    NOT_CHECKED = "not checked"
    """It could not be looked at, which is never good."""

    @property
    def stops(self) -> bool:
        """Whether a table should not be started with it."""
        return self in (CheckVerdict.BAD, CheckVerdict.NOT_CHECKED)


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One finding. `id` stays the same from release to release; `mend` is empty for a good one.

    `fix` mends it where that is safe (`--fix`); None: a person has to.
    """

    id: str
    what: str
    verdict: CheckVerdict
    why: str = ""
    mend: str = ""
    fix: Callable[[], None] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        why = f": {self.why.rstrip('.')}" if self.why else ""
        mend = f"\n{'':14}mend: {self.mend.rstrip('.')}" if self.mend else ""
        return f"{self.verdict.value:12}  {self.what}{why}{mend}"

    def plain(self) -> dict[str, str]:
        """As `--json` prints it."""
        return {
            "id": self.id, "what": self.what, "verdict": self.verdict.value, "why": self.why,
            "mend": self.mend,
        }  # fmt: skip


def good(id_: str, what: str) -> CheckFinding:
    """All is well."""
    return CheckFinding(id_, what, CheckVerdict.GOOD)


def bad(
    id_: str, what: str, why: str, mend: str, fix: Callable[[], None] | None = None
) -> CheckFinding:
    """The table would not start, or not go on well."""
    return CheckFinding(id_, what, CheckVerdict.BAD, why, mend, fix)


def note(
    id_: str, what: str, why: str, mend: str, fix: Callable[[], None] | None = None
) -> CheckFinding:
    """The table runs all the same."""
    return CheckFinding(id_, what, CheckVerdict.NOTE, why, mend, fix)


def not_yet(id_: str, what: str, why: str) -> CheckFinding:
    """The first start of the service brings it."""
    return CheckFinding(id_, what, CheckVerdict.NOT_YET, why)


def not_checked(id_: str, what: str, why: str, mend: str) -> CheckFinding:
    """It could not be looked at."""
    return CheckFinding(id_, what, CheckVerdict.NOT_CHECKED, why, mend)


def measured(id_: str, measurement: Measurement) -> CheckFinding:
    """The finding of a measurement: its value within its declared limits, or its remedy.

    The remedy of one that could not be taken begins with the sentence that says why.
    """
    if measurement.value is None:
        why, _, mend = measurement.remedy.partition(". ")
        return not_checked(id_, measurement.name, why, mend)
    what = f"{measurement.name}: {measurement.value:g} {measurement.unit}".strip()
    if measurement.good:
        return good(id_, what)
    return bad(id_, what, measurement.limits, measurement.remedy)


def from_plain(plain: dict[str, Any]) -> CheckFinding:
    """The finding that another process printed. Raises `ValueError`, `KeyError`, `TypeError`."""
    return CheckFinding(
        plain["id"], plain["what"], CheckVerdict(plain["verdict"]), plain["why"], plain["mend"]
    )
