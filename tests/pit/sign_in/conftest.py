"""A pit's accounts and pages for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.sign_in.pages_of import app_of


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnownAccounts]:
    found = known_in(tmp_path)
    yield found
    found.engine.dispose()


@pytest.fixture
def app(known: KnownAccounts) -> FastAPI:
    return app_of(known)
