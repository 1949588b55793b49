"""A record that many tests begin with."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.record.files.signing import default_key_path
from tests.record.days.dealt_days import dealt, write

PutRecord = Callable[[Path, int], None]


@pytest.fixture(scope="session")
def put_record(tmp_path_factory: pytest.TempPathFactory) -> PutRecord:
    """Puts a record of so many dealt days, and its key beside it, where a test wants them.

    It is written once; what a test gets is the same bytes, with the same modes.
    """
    base = tmp_path_factory.mktemp("dealt")

    def put(folder: Path, days: int) -> None:
        made = base / f"{days}" / "record"
        if not made.exists():
            made.parent.mkdir()
            write(made, dealt(days=days).records)
        shutil.copytree(made, folder)
        shutil.copy2(default_key_path(made), default_key_path(folder))

    return put
