"""Databases for the tests of directories: a file of SQLite, and one in a PostgreSQL of the run."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from controller.pit.archive.storage.database import open_database
from tests.pit.accounts.known import KnownAccounts
from tests.pit.archive.databases import Postgres, postgres


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    with postgres() as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'pit.db'}"
    cluster: Postgres = request.getfixturevalue("cluster")
    name = f"test_{secrets.token_hex(4)}"
    with psycopg.connect(cluster.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return cluster.url.replace("/postgres", f"/{name}")


@pytest.fixture
def known(database: str) -> Iterator[KnownAccounts]:
    """Accounts in it, by a clock that a test sets."""
    engine = open_database(database)
    yield KnownAccounts(engine)
    engine.dispose()
