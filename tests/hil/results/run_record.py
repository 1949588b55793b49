"""What a run leaves: `record.json`, `junit.xml`, and a report for people."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.hil.bench_file import TOLD_OF_TABLE
from tests.hil.results.measure import DeclaredMeasurement, Measurements, MeasurementVerdict
from tests.hil.rig.rig_client import RigEdge

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Trace:
    """The levels of some lines over a span of time. `marks` are moments with a name, in ns."""

    title: str
    lines: tuple[str, ...]
    edges: tuple[RigEdge, ...]
    marks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was taken, as PNG."""

    title: str
    png: bytes


@dataclass(slots=True)
class TestRecord:
    """One test of a run. `outcome`: passed, failed, skipped; `why` where it did not pass."""

    __test__ = False

    suite: str
    name: str
    outcome: str = "not run"
    why: str = ""
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    measure: Measurements = field(default_factory=Measurements)
    traces: list[Trace] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)

    def note(self, text: str) -> None:
        """A line for the reader of the report."""
        self.notes.append(text)

    def trace(
        self, title: str, lines: Iterable[str], edges: Iterable[RigEdge],
        marks: Iterable[tuple[int, str]] = (),
    ) -> None:  # fmt: skip
        """Keep what pins did."""
        self.traces.append(Trace(title, tuple(lines), tuple(edges), tuple(marks)))

    def picture(self, title: str, png: bytes) -> None:
        """Keep a picture."""
        self.pictures.append(Picture(title, png))


@dataclass(slots=True)
class RunRecord:
    """One run on one bench. `untold` is what its table did not tell of itself, and why."""

    bench: str
    simulated: bool
    began: datetime
    about: dict[str, Any] = field(default_factory=dict)
    tests: list[TestRecord] = field(default_factory=list)
    ended: datetime | None = None
    untold: dict[str, str] = field(default_factory=dict)

    def tell_of_table(self, told: Mapping[str, tuple[int, str]]) -> None:
        """Keep what commands at the table told of it, by exit status and text.

        What one that failed said is kept, and is nothing told.
        """
        self.about["table"] = {name: said for name, (_, said) in told.items()}
        for name, (status, said) in told.items():
            if status:
                self.untold[name] = f"its command ended with {status}"
            elif not said.strip():
                self.untold[name] = "its command said nothing"

    @property
    def not_recorded(self) -> list[str]:
        """What nobody will be able to say of the table that was measured, with why."""
        asked = () if self.simulated else TOLD_OF_TABLE
        nobody = {name: "nobody asked" for name in asked if name not in self.about.get("table", {})}
        return [f"{name} not recorded: {why}" for name, why in {**nobody, **self.untold}.items()]

    @property
    def measurements(self) -> list[DeclaredMeasurement]:
        """All of them."""
        return [each for test in self.tests for each in test.measure.declared]

    @property
    def good(self) -> bool:
        """Whether everything that was asked of the bench was measured, and is as it should be.

        What was skipped was not asked of it. What was measured has to be told of, too.
        """
        done = [each for each in self.tests if each.outcome != "skipped"]
        return (
            bool(done)
            and not self.not_recorded
            and all(each.outcome == "passed" and not each.measure.bad for each in done)
        )

    def as_json(self) -> dict[str, Any]:
        """The record as it is written; edges are in microseconds from a trace's first."""
        return {
            "version": VERSION,
            "bench": self.bench,
            "simulated": self.simulated,
            "began": self.began.isoformat(),
            "ended": (self.ended or datetime.now(UTC)).isoformat(),
            "good": self.good,
            "about": self.about,
            "not_recorded": self.not_recorded,
            "tests": [_test(each) for each in self.tests],
        }

    def write(self, folder: Path) -> None:
        """Write `record.json`."""
        text = json.dumps(self.as_json(), indent=1) + "\n"
        (folder / "record.json").write_text(text, encoding="utf-8")


def _test(test: TestRecord) -> Mapping[str, Any]:
    return {
        "suite": test.suite,
        "name": test.name,
        "outcome": test.outcome,
        "why": test.why,
        "seconds": round(test.seconds, 3),
        "notes": test.notes,
        "measurements": [_measurement(each) for each in test.measure.declared],
        "traces": [_trace(each) for each in test.traces],
        "pictures": [
            {"title": each.title, "png": base64.b64encode(each.png).decode()}
            for each in test.pictures
        ],
    }


def _measurement(one: DeclaredMeasurement) -> Mapping[str, Any]:
    return {
        "name": one.name, "unit": one.unit, "at_least": one.at_least, "at_most": one.at_most,
        "value": one.value, "verdict": one.verdict.value,
    }  # fmt: skip


def _trace(trace: Trace) -> Mapping[str, Any]:
    first = trace.edges[0].at_ns if trace.edges else 0
    return {
        "title": trace.title,
        "lines": trace.lines,
        "edges": [[(e.at_ns - first) // 1_000, e.line, e.level] for e in trace.edges],
        "marks": [[(at - first) // 1_000, name] for at, name in trace.marks],
    }


def verdict_of(test: TestRecord) -> str:
    """One word for a test: passed, failed, skipped, not measured."""
    if test.outcome == "passed" and any(
        each.verdict is MeasurementVerdict.NOT_MEASURED for each in test.measure.declared
    ):
        return MeasurementVerdict.NOT_MEASURED.value
    return test.outcome
