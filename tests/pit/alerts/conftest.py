"""A database for each test of alerts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.pit.alerts.http_receiver import ReceiverServer
from tests.pit.archive.databases import KINDS, database_of


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with database_of(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def server() -> Iterator[ReceiverServer]:
    with ReceiverServer() as made:
        thread = threading.Thread(
            target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        thread.start()
        yield made
        made.shutdown()
        thread.join()
