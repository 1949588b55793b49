"""The record of a run: which driver, by which kit and table, and what became of each contract."""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from calibration.certificate import digest
from controller.assembly.conformance import CONTRACTS
from controller.record.build import build

from . import __version__
from .subject import Subject

VERSION: Final = 1


class ConformanceRecord:
    """What became of each contract; a contract that was not shown, or not run, is not kept."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._contracts = dict.fromkeys(
            CONTRACTS[subject.driver.role], ("not shown", "was not run")
        )

    def take(self, name: str, report: pytest.TestReport) -> None:
        """Take what pytest says of one phase of a contract."""
        if report.failed:
            self._contracts[name] = "broken", report.longreprtext
        elif report.skipped:
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            self._contracts[name] = "not shown", why.removeprefix("Skipped: ")
        elif report.when == "call":
            self._contracts[name] = "kept", ""

    @property
    def good(self) -> bool:
        """Whether every contract was shown and kept."""
        return {each for each, _ in self._contracts.values()} == {"kept"}

    @property
    def summary(self) -> str:
        """One line."""
        outcomes = [each for each, _ in self._contracts.values()]
        counts = [f"{outcomes.count(each)} {each}" for each in ("kept", "broken", "not shown")]
        word = "conforms" if self.good else "does not conform"
        return f"[{self._subject.driver.section}] {word}: {', '.join(counts)}"

    def as_json(self) -> dict[str, Any]:
        """The record with its seal: a digest of all the rest, which tells of a change by hand."""
        subject, package = self._subject, self._subject.package
        record = {
            "version": VERSION,
            "kit": __version__,
            "tablectl": build(),
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "driver": subject.driver.section,
            "role": subject.driver.role.name,
            "object": subject.name,
            "package": "" if package is None else package.name,
            "package_version": "" if package is None else package.version,
            "digest": subject.digest,
            "settings": dict(subject.plain),
            "hands": str(subject.hands.get("by", "person")),
            "python": platform.python_version(),
            "machine": f"{platform.machine()} {platform.release()}",
            "good": self.good,
            "contracts": [
                {"name": name, "outcome": outcome, "why": why}
                for name, (outcome, why) in sorted(self._contracts.items())
            ],
        }
        return {**record, "seal": seal_of(record)}

    def write(self, path: Path) -> None:
        """Write it."""
        path.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")


def seal_of(record: dict[str, Any]) -> str:
    """The digest of a record without its seal."""
    return digest({key: value for key, value in record.items() if key != "seal"})
