"""A run on a bench: which tests belong to it, what each left, and the files at its end."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from tests.hil.bench_file import BenchError, BenchFile, load_bench
from tests.hil.results.report import html
from tests.hil.results.run_record import RunRecord, TestRecord

#: So long may one test of a bench take.
TIMEOUT_S: Final = 4 * 3_600
BENCH: Final = pytest.StashKey[BenchFile]()
RUN: Final = pytest.StashKey[RunRecord]()
TEST: Final = pytest.StashKey[TestRecord]()


def begin(config: pytest.Config, path: Path) -> None:
    """Make this a run on that bench. Raises `UsageError` where it makes no sense."""
    try:
        bench = load_bench(path)
    except BenchError as error:
        raise pytest.UsageError(f"{path}: {error}") from None
    folder = report_folder(bench)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config.option.xmlpath = str(folder / "junit.xml")
    config.stash[BENCH] = bench
    run = RunRecord(bench.run.name, bench.rig.simulated, datetime.now(UTC))
    run.about["this machine"] = {
        "name": platform.node(), "python": platform.python_version(), "kernel": platform.release(),
        "processors": str(os.cpu_count()), "load at the beginning": _load(),
    }  # fmt: skip
    config.stash[RUN] = run
    config.pluginmanager.register(HilSession(bench, run), "tablectl-bench")
    config.pluginmanager.import_plugin("tests.hil.fixtures")


def report_folder(bench: BenchFile) -> Path:
    """Where the files of a run lie: below where pytest was started."""
    return Path(bench.run.report).resolve()


class HilSession:
    """What pytest tells of a run, kept."""

    def __init__(self, bench: BenchFile, run: RunRecord) -> None:
        self._bench = bench
        self._run = run

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Some suites are run for each scanner of this bench, or each way to deal and to light; one
        for each game and way.
        """
        if not metafunc.definition.get_closest_marker("bench"):
            return
        if "scanner" in metafunc.fixturenames:
            metafunc.parametrize("scanner", self._bench.run.scanners)
        if "way" in metafunc.fixturenames:
            ways = self._bench.ways
            metafunc.parametrize("way", ways, ids=[each.words for each in ways])
        if "dealt" in metafunc.fixturenames:
            pairs = self._bench.dealt
            names = [self._bench.config_of(*each) for each in pairs]
            metafunc.parametrize("dealt", pairs, ids=names)

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep the suites that this bench runs, in the bench's order."""
        suites = self._bench.run.suites
        ours = [item for item in items if _suite(item) in suites]
        config.hook.pytest_deselected(items=[item for item in items if item not in ours])
        for item in ours:
            if isinstance(item, pytest.Function):
                # Made before a test looks at what it leaves behind: it outlasts the test.
                item.fixturenames.insert(0, "simulated")
            item.add_marker(pytest.mark.timeout(TIMEOUT_S))
        items[:] = sorted(ours, key=lambda item: suites.index(_suite(item)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Each test has its record from the beginning."""
        item.stash[TEST] = TestRecord(_suite(item), _words(item.name))
        self._run.tests.append(item.stash[TEST])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """A test whose figures are not within their limits, or not there, has failed."""
        try:
            yield
        finally:
            item.user_properties += [
                (each.name, str(each)) for each in item.stash[TEST].measure.declared
            ]
        if bad := item.stash[TEST].measure.bad:
            pytest.fail("\n".join(map(str, bad)), pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Keep what became of it."""
        report = yield
        test = item.stash.get(TEST, None)
        if test is not None:
            test.seconds += report.duration
            if report.failed:
                test.outcome, test.why = "failed", report.longreprtext
            elif report.skipped and isinstance(report.longrepr, tuple):
                test.outcome, test.why = "skipped", report.longrepr[2].removeprefix("Skipped: ")
            elif report.when == "call":
                test.outcome = "passed"
        return report

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the record and the report."""
        self._run.ended = datetime.now(UTC)
        self._run.about["this machine"]["load at the end"] = _load()
        folder = report_folder(self._bench)
        self._run.write(folder)
        (folder / "report.html").write_text(html(self._run), encoding="utf-8")
        if session.exitstatus == pytest.ExitCode.OK and self._run.not_recorded:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say every figure, and where the report is."""
        for test in self._run.tests:
            for each in test.measure.declared:
                terminalreporter.write_line(f"{test.suite}: {each}")
        for untold in self._run.not_recorded:
            terminalreporter.write_line(f"the table: {untold}")
        terminalreporter.write_line(f"report: {report_folder(self._bench) / 'report.html'}")


def _load() -> str:
    """How many programs wanted a processor: a slow figure on a busy machine is that machine's."""
    return " ".join(f"{each:.1f}" for each in os.getloadavg())


def _words(name: str) -> str:
    """A test's name as a sentence, what it was made for after a comma."""
    what, _, made_for = name.partition("[")
    words = what.removeprefix("test_").replace("_", " ")
    return f"{words}, {made_for[:-1]}" if made_for else words


def _suite(item: pytest.Item) -> str:
    """The suite that a test belongs to; empty for one that is none of a bench's."""
    mark = item.get_closest_marker("bench")
    if mark is not None:
        return str(mark.args[0])
    contract = item.path.parent.name == "contracts"
    return "contracts" if contract and "device_name" in getattr(item, "fixturenames", ()) else ""
