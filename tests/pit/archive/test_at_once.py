"""Two who write the same row of a PostgreSQL at once: one is first, and the other hears of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, text

from controller.pit.archive.findings.finding_rows import add_finding, findings
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.retired import retire, retired
from tests.pit.archive.databases import database_of
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.long
PICTURE = ArchiveFinding(FindingKind.PICTURE, 7, "another file")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with database_of("postgresql", tmp_path) as found:
        yield found


def waits_for_another(engine: Engine) -> bool:
    query = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    with engine.connect() as connection:
        return bool(connection.scalar(query))


def at_once(engine: Engine, write: Callable[[Connection], object]) -> list[object]:
    """What is written by two whose transactions are open at the same time; their answers."""
    answers: list[object] = []

    def second() -> None:
        with engine.begin() as connection:
            answers.append(write(connection))

    with engine.begin() as first:
        answers.append(write(first))
        other = threading.Thread(target=second)
        other.start()
        until_s = time.monotonic() + PATIENCE_S
        while not waits_for_another(engine):
            assert time.monotonic() < until_s
            time.sleep(0.01)
    other.join()
    return answers


def test_a_table_is_taken_out_of_service_once(engine: Engine) -> None:
    names = iter(["Aino", "Bo"])
    said = at_once(engine, lambda it: retire(it, "T1", next(names), "sold", 5_000))
    assert said == [True, False]
    with engine.connect() as connection:
        assert retired(connection)["T1"].who == "Aino"


def test_a_finding_of_both_is_one_and_counted(engine: Engine) -> None:
    moments = iter([5_000, 6_000])
    said = at_once(engine, lambda it: add_finding(it, "T1", PICTURE, next(moments)))
    assert len(said) == 2
    with engine.connect() as connection:
        (found,) = findings(connection, only_open=True, most=9)
    assert (found.count, found.since_ms, found.last_ms) == (2, 5_000, 6_000)
