"""Archives for the tests of the pit: a new file begins as a copy of one whose schema is made.

Passwords and PINs cost next to nothing here; `accounts/test_tries.py` holds the real cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from controller.pit.accounts import passwords
from controller.pit.archive.storage import database
from controller.pit.archive.storage.database import open_database
from tests.support.quick_pins import quick_pins
from tests.support.quick_types import types_described_once

__all__ = ["quick_pins", "types_described_once"]


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords by Argon2id with its smallest cost."""
    cheap = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "PasswordHasher", cheap)
        yield


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
