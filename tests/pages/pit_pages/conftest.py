"""Pages of a pit that ends with its test: its pages are left before it does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pages.browser.tab import Tab
from tests.pit.conftest import (
    _schema_at_hand,
    _statements_compiled_once,
    _templates_compiled_once,
    files_read_once,
    quick_passwords,
    quick_pins,
)

#: What makes pits cheap elsewhere makes them so here: each of these tests has one of its own.
__all__ = [
    "_schema_at_hand", "_statements_compiled_once", "_templates_compiled_once", "files_read_once",
    "quick_passwords", "quick_pins",
]  # fmt: skip


@pytest.fixture(autouse=True)
def left_before_the_pit_ends(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page that asks on while nobody is there complains, where the machine stands still between
    the end of its pit and its own.
    """
    if not {"pit", "tabs"} <= set(request.fixturenames):
        yield
        return
    request.getfixturevalue("pit")
    tabs: list[Tab] = request.getfixturevalue("tabs")
    yield
    for tab in tabs:
        tab.leave()
