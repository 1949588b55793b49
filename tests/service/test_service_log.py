"""The service's log: its forms, what goes to systemd's journal, and how many lines it holds."""

from __future__ import annotations

import io
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.host.service_log import ServiceLog

log = logging.getLogger("drivers.supervision.supervise")


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def service_log(out: io.StringIO) -> Iterator[ServiceLog]:
    made = ServiceLog("text", 3, out)
    made.about = lambda: {"table": "T1", "round": 12, "seat": 3}
    made.start()
    yield made
    made.stop()


def test_a_line_says_where_the_table_was(service_log: ServiceLog, out: io.StringIO) -> None:
    log.warning("%s is down: plug it in", "scanner", extra={"device": "scanner"})
    assert out.getvalue() == (
        "WARNING drivers.supervision.supervise: scanner is down: plug it in"
        " [round 12, seat 3, device scanner]\n"
    )
    service_log.change("json", 3)
    log.warning("again", extra={"device": "scanner"})
    line = json.loads(out.getvalue().splitlines()[-1])
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "warning", "logger": "drivers.supervision.supervise", "message": "again",
        "table": "T1", "round": 12, "seat": 3, "device": "scanner",
    }  # fmt: skip


def test_the_newest_lines_are_kept(service_log: ServiceLog) -> None:
    for number in range(9):
        log.warning("line %d", number)
    newest = [line.split(": ")[1].split(" [")[0] for line in service_log.ring.text.splitlines()]
    assert newest == ["line 6", "line 7", "line 8"]
    service_log.ring.resize(2)
    assert len(service_log.ring.text.splitlines()) == 2
    assert service_log.ring.text.startswith("20"), "a line of text has its time in a download"


def test_the_journal_gets_the_level_of_every_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "journal").open("w") as stream:
        found = os.fstat(stream.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
        made = ServiceLog("text", 100, stream)
        made.start()
        log.error("first\nsecond")
        made.stop()
    written = (tmp_path / "journal").read_text()
    assert written == "<3>ERROR drivers.supervision.supervise: first\n<3>second\n"
