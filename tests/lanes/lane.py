"""One lane: a command, its priority, what it reported, and whether that is a pass.

A lane passes only if its process ended with 0 and, for tests, its report is there, whole, names at
least one test and no failure. A lane that was killed, or found nothing to run, has failed. One that
has not ended in its time is ended, and says what it was at: a test's own time (pytest-timeout)
ends no test that hangs while it is taken down, or tried again by hypothesis.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

#: Libraries that start a thread for each core would take a lane's neighbours' time. Bytecode is
#: written even where the shell says otherwise: else every worker, and every process that a test
#: starts, compiles all of our modules once more, which took a quarter of the run.
ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1",
    "PYTHONDONTWRITEBYTECODE": "",
}  # fmt: skip


#: What only computes yields to what keeps time: it gets the smaller share of a core, and the kernel
#: wakes others sooner. Not so small that a busy neighbour could starve it.
YIELDING: Final = ("nice", "-n", "2", "chrt", "--batch", "0")


#: The same, of a session against others: where the kernel groups processes by session (autogroup,
#: sched(7)), as on a desktop or in a container, a process's own counts within its session alone.
YIELDING_SESSION: Final = b"2"


#: How long a lane of the quick form may take; some four minutes are usual, ten beside a neighbour.
QUICK_LIMIT_S: Final = 1800
#: How long Python may take to write all stacks (faulthandler, of pytest) once it is aborted.
DUMP_S: Final = 30


@dataclass(frozen=True, slots=True)
class Lane:
    """What runs in one lane. `is_tests`: the command is pytest, and it writes a report; `limit_s`:
    when it is ended, and has failed.
    """

    name: str
    command: tuple[str, ...]
    yields: bool = False
    is_tests: bool = True
    limit_s: float = QUICK_LIMIT_S


@dataclass(frozen=True, slots=True)
class ReportCounts:
    """How many tests a report names."""

    tests: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class LaneResult:
    """How a lane ended. `problem` is empty if it passed; times are in seconds."""

    name: str
    counts: ReportCounts
    wall_s: float
    cpu_s: float
    problem: str


def read_report(path: Path) -> ReportCounts | None:
    """The counts of a JUnit report; None where there is no whole one."""
    try:
        suites = list(ElementTree.parse(path).iter("testsuite"))
    except (OSError, ElementTree.ParseError):
        return None

    def total(name: str) -> int:
        return sum(int(suite.get(name, "0")) for suite in suites)

    return ReportCounts(total("tests"), total("failures") + total("errors"), total("skipped"))


def problem_of(status: int, counts: ReportCounts | None, *, is_tests: bool) -> str:
    """Why a lane has not passed; empty if it has. `status` is as `subprocess` reports it."""
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    if is_tests and counts is None:
        return f"ended with {status} and left no report"
    if is_tests and counts is not None and counts.tests == counts.skipped:
        return "ran no test"
    if counts is not None and counts.failed:
        return f"{counts.failed} failed"
    return f"ended with {status}" if status else ""


class Running:
    """A lane that has been started. Its output, and all that it writes, is in `folder` until it
    is over.
    """

    def __init__(self, lane: Lane, folder: Path) -> None:
        self.lane = lane
        self.output = folder / f"{lane.name}.log"
        self._report = folder / f"{lane.name}.xml"
        command = [*YIELDING] if lane.yields else []
        command += lane.command
        if lane.is_tests:
            command += [f"--junitxml={self._report}", f"--basetemp={folder / lane.name}"]
        self._began_s = time.monotonic()
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **ENVIRONMENT, "TMPDIR": str(folder)},
                start_new_session=True,  # so that its workers can be ended with it
            )
        if lane.yields:
            # Not where there are no such groups, or a hurried kernel wants it asked later.
            with suppress(OSError), open(f"/proc/{self._process.pid}/autogroup", "r+b") as group:
                group.write(YIELDING_SESSION)

    def wait(self) -> LaneResult:
        """Wait for its end, and judge it."""
        in_time = self._ends_within(self.lane.limit_s)
        if not in_time:
            self._abort()
        _, status, used = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        counts = read_report(self._report) if self.lane.is_tests else None
        ended = problem_of(self._process.returncode, counts, is_tests=self.lane.is_tests)
        return LaneResult(
            self.lane.name,
            counts or ReportCounts(),
            time.monotonic() - self._began_s,
            used.ru_utime + used.ru_stime,
            ended if in_time else f"not at its end after {self.lane.limit_s:.0f} s",
        )

    def stop(self) -> None:
        """End it and its workers before its time; nothing happens where it has ended."""
        if self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGTERM)

    def _ends_within(self, seconds: float) -> bool:
        """Wait for its end; whether it came. It is left to be read by `wait4`."""
        process = os.pidfd_open(self._process.pid)
        try:
            return bool(select.select([process], [], [], seconds)[0])
        finally:
            os.close(process)

    def _abort(self) -> None:
        """Add its processes and all stacks to its output, then end it and its workers."""
        with self.output.open("ab") as output:
            output.write(b"\n\nNot at its end in time. Its processes, then their stacks:\n")
            output.flush()
            columns = "pid,ppid,stat,wchan:24,etimes,args"
            group = ("--forest", "-o", columns, "-s", str(self._process.pid))
            subprocess.run(["ps", *group], stdout=output, stderr=output, check=False)
        os.killpg(self._process.pid, signal.SIGABRT)
        self._ends_within(DUMP_S)
        os.killpg(self._process.pid, signal.SIGKILL)


def table(results: list[LaneResult]) -> str:
    """The closing table: a line for each lane, and the sum."""
    lines = [f"{'lane':<12}{'tests':>7}{'skipped':>9}{'wall s':>9}{'CPU s':>9}  status"]
    lines += [
        f"{each.name:<12}{each.counts.tests:>7}{each.counts.skipped:>9}{each.wall_s:>9.0f}"
        f"{each.cpu_s:>9.0f}  {each.problem or 'passed'}"
        for each in sorted(results, key=lambda each: each.name)
    ]
    return "\n".join(lines)
