"""Types of answers that are described once, for folders of tests that make many apps.

A folder's `conftest.py` imports the fixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi._compat import v2
from pydantic import TypeAdapter


@pytest.fixture(scope="session", autouse=True)
def types_described_once() -> Iterator[None]:
    """Describe a type once for all apps: for each app anew took a tenth of these tests."""
    made: dict[tuple[object, str, str], TypeAdapter[Any]] = {}

    def described(annotated: Any, *, config: Any = None) -> TypeAdapter[Any]:
        key = (annotated.__origin__, repr(annotated.__metadata__), repr(config))
        if key not in made:
            made[key] = TypeAdapter(annotated, config=config)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(v2, "TypeAdapter", described)
        yield
