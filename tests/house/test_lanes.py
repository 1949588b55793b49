"""The runner of the lanes is honest: what did not run whole, or failed, is no pass."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lanes.lane import Lane, LaneResult, ReportCounts, Running, problem_of, read_report, table
from tests.lanes.plan import SUITES, files_of, lanes
from tests.support.forms import long_only
from tests.support.patience import PATIENCE_S

AUTOGROUP = Path("/proc/self/autogroup")
PASSES = "def test_it(): pass\n"
FAILS = "def test_it(): assert False\n"
KILLED = "import os, signal\ndef test_it(): os.kill(os.getpid(), signal.SIGKILL)\n"
HANGS = """
import os, time
def test_it():
    open({0!r} + ".new", "w").write(str(os.getpid()))
    os.rename({0!r} + ".new", {0!r})
    time.sleep(600)
"""
LEAVES = "import os\ndef test_it(): os._exit(0)\n"
SKIPS = "import pytest\ndef test_it(): pytest.skip('not here')\n"


@pytest.fixture(autouse=True)
def _no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take seconds to start


def started(folder: Path, tests: str, *options: str, limit_s: float = PATIENCE_S) -> Running:
    """A lane of one file of tests, run by a pytest that knows nothing of this checkout."""
    file = folder / "test_lane.py"
    file.write_text(tests)
    command = (
        sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(folder),
        "-p", "no:cacheprovider", *options, str(file),
    )  # fmt: skip
    return Running(Lane("one", command, yields=True, limit_s=limit_s), folder)


def lane(folder: Path, tests: str, *options: str) -> LaneResult:
    """How such a lane ended."""
    return started(folder, tests, *options).wait()


def ended(status: Path) -> bool:
    """Whether the process of this `/proc/…/stat` is over, read by its parent or not."""
    try:
        return status.read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def came(condition: Callable[[], bool]) -> bool:
    """Whether it came to be so, in all the time that a test may wait."""
    until = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)  # between two looks
    return condition()


def test_a_lane_passes_where_a_test_ran_and_none_failed(tmp_path: Path) -> None:
    result = lane(tmp_path, PASSES)
    assert (result.counts, result.problem) == (ReportCounts(tests=1), "")
    assert result.wall_s >= 0 < result.cpu_s


@pytest.mark.parametrize(
    ("tests", "says"),
    [
        (FAILS, "1 failed"),
        long_only("", "ran no test"),
        long_only(SKIPS, "ran no test"),
        long_only("a line that is no Python\n", "1 failed"),
    ],
)
def test_a_lane_that_fails_or_runs_nothing_says_so(tmp_path: Path, tests: str, says: str) -> None:
    assert lane(tmp_path, tests).problem == says


def test_a_lane_that_is_killed_has_failed(tmp_path: Path) -> None:
    assert lane(tmp_path, KILLED).problem == "killed by SIGKILL"


@pytest.mark.long
def test_a_worker_that_is_killed_fails_its_lane(tmp_path: Path) -> None:
    assert (
        lane(tmp_path, KILLED + PASSES.replace("it", "other"), "-p", "xdist", "-n", "2").problem
        == "1 failed"
    )


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="the kernel groups no processes by session")
def test_a_lane_that_yields_does_so_to_the_sessions_of_other_lanes(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    command = ("sh", "-c", f"read line < {begun}; cat /proc/self/autogroup")
    running = Running(Lane("one", command, yields=True, is_tests=False), tmp_path)
    begun.write_text("begin\n")
    assert running.wait().problem == ""
    assert (tmp_path / "one.log").read_text().endswith("nice 2\n")


def test_a_lane_that_is_stopped_leaves_no_worker_behind(tmp_path: Path) -> None:
    begun = tmp_path / "pid"
    running = started(tmp_path, HANGS.format(str(begun)), "-p", "xdist", "-n", "1")
    assert came(begun.exists), "the worker did not begin"
    running.stop()
    assert running.wait().problem == "killed by SIGTERM"
    status = Path("/proc", begun.read_text(), "stat")
    assert came(lambda: ended(status)), "the worker goes on"


def test_a_lane_that_hangs_is_ended_and_says_where(tmp_path: Path) -> None:
    begun = tmp_path / "pid"
    running = started(tmp_path, HANGS.format(str(begun)), limit_s=0)
    assert came(begun.exists), "it did not begin"
    assert running.wait().problem == "not at its end after 0 s"
    output = running.output.read_text()
    assert "in test_it" in output, output


def test_a_lane_that_ends_with_0_before_its_time_has_failed(tmp_path: Path) -> None:
    assert lane(tmp_path, LEAVES).problem == "ended with 0 and left no report"


def test_a_report_that_was_cut_off_is_none(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    whole = '<testsuites><testsuite tests="3" failures="1" errors="1" skipped="1"/></testsuites>'
    report.write_text(whole)
    assert read_report(report) == ReportCounts(3, 2, 1)
    report.write_text(whole[:-5])
    assert read_report(report) is None
    assert read_report(tmp_path / "none") is None


@pytest.mark.parametrize(
    ("status", "counts", "says"),
    [
        (1, ReportCounts(5), "ended with 1"),
        (3, None, "ended with 3 and left no report"),
        (-15, ReportCounts(5), "killed by SIGTERM"),
    ],
)
def test_a_status_that_is_not_0_is_no_pass_whatever_was_counted(
    status: int, counts: ReportCounts | None, says: str
) -> None:
    assert problem_of(status, counts, is_tests=True) == says


def test_checks_pass_without_a_report() -> None:
    assert problem_of(0, None, is_tests=False) == ""
    assert problem_of(2, None, is_tests=False) == "ended with 2"


@pytest.mark.parametrize("long", [False, True])
def test_every_file_of_tests_runs_in_one_lane(long: bool) -> None:
    plan = lanes(long=long, seed=1)
    named = Counter(part for each in plan for part in each.command if part.startswith("tests/"))
    every = [each for each in files_of(["."]) if long or not each.startswith(SUITES)]
    assert named == Counter(every)
    assert all(("--long" in each.command) is long for each in plan if each.is_tests)


def test_the_closing_table_has_a_line_for_each_lane() -> None:
    lines = table(
        [
            LaneResult("b", ReportCounts(3, 1, 0), 9, 8, "1 failed"),
            LaneResult("a", ReportCounts(2), 1, 1, ""),
        ]
    )
    assert [line.split()[0] for line in lines.splitlines()] == ["lane", "a", "b"]
    assert lines.endswith("1 failed")
