"""What all apps of one process have in common, made once, for folders of tests that make many apps.

A folder's `conftest.py` imports the fixtures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import routing, utils
from fastapi._compat import v2
from fastapi._compat.v2 import ModelField
from pydantic import TypeAdapter

import controller
from controller.web.static_files import StaticFile, StaticFiles

#: What a test writes is no file of the pages.
OURS = Path(controller.__file__).parent


@pytest.fixture(scope="session", autouse=True)
def types_described_once() -> Iterator[None]:
    """Describe a type, and the answer of a route, once for all apps: for each app anew took a
    fifth of these tests.
    """
    made: dict[tuple[object, str, str], TypeAdapter[Any]] = {}
    fields: dict[tuple[str, object, str], ModelField] = {}
    answer = utils.create_model_field

    def described(annotated: Any, *, config: Any = None) -> TypeAdapter[Any]:
        key = (annotated.__origin__, repr(annotated.__metadata__), repr(config))
        if key not in made:
            made[key] = TypeAdapter(annotated, config=config)
        return made[key]

    def answered(*, name: str, type_: Any, mode: Any) -> ModelField:
        key = (name, type_, mode)
        if key not in fields:
            fields[key] = answer(name=name, type_=type_, mode=mode)
        return fields[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(v2, "TypeAdapter", described)
        patch.setattr(routing, "create_model_field", answered)
        yield


@pytest.fixture(scope="session", autouse=True)
def files_read_once() -> Iterator[None]:
    """Read the files of the pages once for all apps: for each app anew took a tenth of these
    tests.
    """
    made: dict[tuple[Path, ...], dict[str, StaticFile]] = {}
    read = StaticFiles.__init__

    def begun(self: StaticFiles, *folders: Path) -> None:
        if folders not in made or not all(each.is_relative_to(OURS) for each in folders):
            read(self, *folders)
            made[folders] = self._files
        self._files, self._translated = made[folders], {}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFiles, "__init__", begun)
        yield
