"""A question that takes too long is broken off, and the connection answers on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from controller.pit.reports.search.time_limit import BrokenOff, broken_off_after
from tests.pit.archive.databases import KINDS, database_of
from tests.support.patience import PATIENCE_S

ENDLESS = """WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
    SELECT count(*) FROM numbers"""


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with database_of(request.param, tmp_path) as found:
        yield found


def test_what_takes_too_long_is_broken_off(engine: Engine) -> None:
    with engine.connect().execution_options(reads_only=True) as connection:
        for _ in range(2):
            with pytest.raises(BrokenOff), broken_off_after(connection, 0.01):
                connection.execute(text(ENDLESS))
            with broken_off_after(connection, PATIENCE_S):
                assert connection.scalar(text("SELECT 7")) == 7
    with (
        engine.connect() as connection,
        pytest.raises(SQLAlchemyError) as failed,
        broken_off_after(connection, PATIENCE_S),
    ):
        connection.execute(text("SELECT * FROM nothing"))
    assert not isinstance(failed.value, BrokenOff), "what fails otherwise says so"
