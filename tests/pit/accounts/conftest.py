"""A pit's accounts for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pit.accounts.known import KnownAccounts, known_in


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnownAccounts]:
    found = known_in(tmp_path)
    yield found
    found.engine.dispose()
