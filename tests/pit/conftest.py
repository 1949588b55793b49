"""Archives for the tests of the pit: a new file begins as a copy of one whose schema is made.

Passwords and PINs cost next to nothing here; `accounts/test_tries.py` holds the real cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from controller.pit.accounts import passwords
from controller.pit.archive.storage import connections, database
from controller.pit.archive.storage.database import open_database
from controller.pit.sign_in import pages
from tests.support.quick_pins import quick_pins
from tests.support.quick_types import files_read_once, types_described_once

__all__ = ["files_read_once", "quick_pins", "types_described_once"]


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords by Argon2id with its smallest cost."""
    cheap = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "PasswordHasher", cheap)
        yield


class CompiledTemplates(BytecodeCache):
    """Templates as they were compiled for another pit of this process."""

    def __init__(self) -> None:
        self._made: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._made:
            bucket.bytecode_from_string(self._made[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._made[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def _templates_compiled_once() -> Iterator[None]:
    made = partial(Environment, bytecode_cache=CompiledTemplates())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "Environment", made)
        yield


#: So many statements are kept as they were compiled.
STATEMENTS = 5_000


@pytest.fixture(scope="session", autouse=True)
def _statements_compiled_once() -> Iterator[None]:
    """Compile a statement for the first archive of SQLite: for each anew was a third of these
    tests. What all of them are compiled for is one dialect.
    """
    compiled: LRUCache[object, object] = LRUCache(STATEMENTS)

    def made(*arguments: Any, **options: Any) -> Engine:
        engine: Engine = create_engine(*arguments, **options)
        if isinstance(engine.dialect, SQLiteDialect_pysqlite):
            engine._compiled_cache = compiled  # type: ignore[assignment]
        return engine

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(connections, "create_engine", made)
        patched.setattr(SQLiteDialect_pysqlite, "__eq__", lambda one, two: type(one) is type(two))
        patched.setattr(SQLiteDialect_pysqlite, "__hash__", lambda one: hash(type(one)))
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
