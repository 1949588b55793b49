"""Archives for the tests of the pit: a new file begins as a copy of one whose schema is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.pit.archive.storage import database
from controller.pit.archive.storage.database import open_database


@pytest.fixture(scope="session", autouse=True)
def _schema_at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every step of the schema for each of hundreds of archives was a tenth of a second each.

    `archive/test_migrations` goes through the steps themselves.
    """
    made = tmp_path_factory.mktemp("schema") / "archive.db"
    open_database(f"sqlite:///{made}").dispose()
    whole = made.read_bytes()
    make_private = database._make_private

    def begun(path: Path, shown: str) -> None:
        make_private(path, shown)
        if not path.stat().st_size:
            path.write_bytes(whole)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "_make_private", begun)
        yield
