"""A database for each test of alerts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from controller.pit.archive.database import open_database
from tests.pit.alerts.http_receiver import ReceiverServer
from tests.pit.archive.databases import postgres


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        found = open_database(f"sqlite:///{tmp_path / 'pit.db'}")
        yield found
        found.dispose()
        return
    with postgres() as server:
        found = open_database(server.url)
        yield found
        found.dispose()


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
