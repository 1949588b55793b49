"""The options of the kit, and the record that a run writes.

`pytest --pyargs tablectl_conformance --driver pkg.module:DRIVER --settings FILE`
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from .record import ConformanceRecord
from .subject import KitError, Subject, load_subject

SUBJECT: Final = pytest.StashKey[Subject]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without `--driver` the kit does nothing."""
    group = parser.getgroup("tablectl_conformance")
    group.addoption("--driver", metavar="PKG:DRIVER", help="the drivers.driver.Driver to examine")
    group.addoption("--settings", metavar="FILE", type=Path, help="its settings, and whose hands")
    group.addoption(
        "--record", metavar="FILE", type=Path, help="where the record goes (conformance-NAME.json)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the driver. Raises `UsageError` for one that cannot be."""
    name, settings = config.getoption("--driver"), config.getoption("--settings")
    if name is None:
        return
    if settings is None:
        raise pytest.UsageError("--driver needs --settings FILE; see the kit's README")
    try:
        subject = load_subject(name, settings)
    except KitError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[SUBJECT] = subject
    path = config.getoption("--record") or Path(f"conformance-{subject.driver.section}.json")
    config.pluginmanager.register(KitRun(subject, path), "tablectl-conformance-run")


class KitRun:
    """One run of the kit."""

    def __init__(self, subject: Subject, path: Path) -> None:
        self._path = path
        self._subject = subject
        self._record = ConformanceRecord(subject)

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Only what a driver of its role has to keep."""
        here, role = Path(__file__).parent, self._subject.driver.role.name
        ours = [item for item in items if item.path.parent == here and _is_for(item, role)]
        config.hook.pytest_deselected(items=[item for item in items if item not in ours])
        items[:] = ours

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Keep what became of a contract."""
        report = yield
        self._record.take(item.name, report)
        return report

    def pytest_sessionfinish(self) -> None:
        """Write the record."""
        self._record.write(self._path)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say where the record is, and what it says."""
        terminalreporter.write_line(f"{self._path}: {self._record.summary}")


def _is_for(item: pytest.Item, role: str) -> bool:
    mark = item.get_closest_marker("role")
    return mark is None or role in mark.args
