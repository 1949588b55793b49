"""The two forms of the tests: what is of the long one is left out of the quick, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import forms


class PytestStub:
    """A pytest that was asked for one form, and what it was told to leave out."""

    def __init__(self, *, long: bool) -> None:
        self._long = long
        self.hook = self
        self.left_out: list[Any] = []

    def getoption(self, name: str) -> bool:
        assert name == "--long"
        return self._long

    def pytest_deselected(self, items: list[Any]) -> None:
        self.left_out += items


def nothing() -> None:
    """What a test here does."""


@pytest.fixture
def items(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Three tests, the second of them marked."""
    found = [
        pytest.Function.from_parent(request.node.parent, name=f"test_{name}", callobj=nothing)
        for name in ("first", "second", "third")
    ]
    found[1].add_marker(pytest.mark.long)
    return [*found]


def run_of(items: list[pytest.Item], *, long: bool) -> tuple[list[str], list[str]]:
    """The names of what runs in that form, and of what is left out."""
    asked: Any = PytestStub(long=long)
    forms.pytest_collection_modifyitems(asked, items)
    return [each.name for each in items], [each.name for each in asked.left_out]


def test_the_long_form_leaves_nothing_out(items: list[pytest.Item]) -> None:
    assert run_of(items, long=True) == (["test_first", "test_second", "test_third"], [])


def test_the_quick_form_leaves_out_what_is_of_the_long_one(items: list[pytest.Item]) -> None:
    assert run_of(items, long=False) == (["test_first", "test_third"], ["test_second"])


def test_parameters_are_of_both_forms_or_of_the_long_one() -> None:
    """None is lost: those that are not asked for first are marked, in their order."""
    found = forms.quick_first("abc", "b")
    assert [each.values for each in found] == [("a",), ("b",), ("c",)]
    marks = [[mark.name for mark in each.marks] for each in found]
    assert marks == [["long"], [], ["long"]]
    row = forms.long_only(1, "two")
    assert (row.values, [mark.name for mark in row.marks]) == ((1, "two"), ["long"])
