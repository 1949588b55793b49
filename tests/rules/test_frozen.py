"""`@frozen` makes what the library's own dataclass makes, to compare, look up, print and keep."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any, Final

import msgspec
import pytest

from controller.rules.frozen import frozen

Make = Callable[[type[Any]], type[Any]]


def _none(make: Make) -> Any:
    @make
    class Nothing:
        pass

    return Nothing


def _one(make: Make) -> Any:
    @make
    class One:
        left: Any = 1

    return One


def _three(make: Make) -> Any:
    @make
    class Three:
        left: Any = 1
        middle: str = "m"
        right: tuple[int, ...] = (1, 2)

    return Three


def _partly(make: Make) -> Any:
    @make
    class Partly:
        left: Any = 1
        noted: str = field(default="a note", compare=False)
        pin: str = field(default="1234", repr=False)

    return Partly


def _told(make: Make) -> Any:
    @make
    class SaysItself:
        left: Any = 1

        def __repr__(self) -> str:
            return "<told>"

    return SaysItself


def _only(make: Make) -> Any:
    @make
    class Only:
        left: Any = 1
        __hash__ = object.__hash__

    return Only


LIBRARY: Final = dataclass(frozen=True, slots=True)
KINDS: Final = (_none, _one, _three, _partly, _told, _only)


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_compares_and_keeps_as_the_library_does(kind: Callable[[Make], Any]) -> None:
    ours, theirs = kind(frozen), kind(LIBRARY)
    one, its = ours(), theirs()
    assert repr(one) == repr(its)
    assert one == ours()
    assert one != its
    assert one != object()
    assert one == copy.copy(one)
    assert one.__eq__(its) is NotImplemented
    assert vars(ours).get("__slots__") == vars(theirs).get("__slots__")
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__doc__ == theirs.__doc__
    assert msgspec.json.encode(one) == msgspec.json.encode(its)
    for each in fields(ours):
        other, their_other = (replace(whole, **{each.name: "other"}) for whole in (one, its))
        assert repr(other) == repr(their_other)
        assert (one == other) is (its == their_other) is not each.compare
        with pytest.raises(FrozenInstanceError):
            setattr(one, each.name, 2)
        with pytest.raises(FrozenInstanceError):
            delattr(one, each.name)


@pytest.mark.parametrize("kind", [_none, _one, _three, _partly, _told])
def test_a_set_of_them_has_the_order_that_the_librarys_has(kind: Callable[[Make], Any]) -> None:
    ours, theirs = kind(frozen), kind(LIBRARY)
    assert hash(ours()) == hash(theirs()) == hash(ours())


def test_one_that_is_looked_up_as_the_object_that_it_is_stays_so() -> None:
    only = _only(frozen)
    one, same = only(), only()
    assert one == same
    assert hash(one) == object.__hash__(one) != hash(same)


def test_one_of_values_that_no_table_looks_up_cannot_be_looked_up() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(_one(frozen)([1]))


#: Of a whole table's modules: which of our frozen slotted classes the library made itself.
_MADE_OTHERWISE: Final = """
import controller.commands.run, sys
for name, module in list(sys.modules.items()):
    for each in vars(module).values() if name.startswith("controller.") else ():
        if isinstance(each, type) and each.__module__ == name and "__slots__" in vars(each):
            made = vars(each).get("__dataclass_params__")
            if made and made.frozen and made.eq and made.repr:
                print(f"{name}.{each.__qualname__}")
"""


def test_a_starting_table_compiles_no_comparison_that_it_could_share() -> None:
    found = subprocess.run(
        [sys.executable, "-c", _MADE_OTHERWISE], capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines() == []
