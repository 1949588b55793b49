"""`@frozen`: a frozen slotted dataclass; how it compares, hashes and prints is not compiled anew.

`dataclass` writes six methods of each class as text and compiles them: a table loads three hundred
such classes, and a third of its start's processor time went there. Three of the six are the same
for every class but for the names of its fields, and are shared here: a tenth of a start and a
megabyte. What a table loads at its start is made so; elsewhere the library's own serves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

_Made = TypeVar("_Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_Made]) -> type[_Made]:
    """`cls` as `dataclass(frozen=True, slots=True)` makes it, which says and compares the same."""
    own = vars(cls)
    # Before the dataclass is made: one with slots is another class than the one that was written.
    written = {name for name in ("__repr__", "__eq__", "__hash__") if own.get(name) is not None}
    made: Any = dataclass(frozen=True, slots=True, repr=False, eq=False)(cls)
    compared = _values([each.name for each in fields(made) if each.compare])

    def equal(self: Any, other: Any) -> bool:
        return (
            compared(self) == compared(other)
            if other.__class__ is self.__class__
            else NotImplemented
        )

    def hashed(self: Any) -> int:
        return hash(compared(self))

    for name, method in (("__repr__", _said), ("__eq__", equal), ("__hash__", hashed)):
        if name not in written:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What takes the values of these fields of an object, as a tuple: of two and more in C."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    only = attrgetter(names[0])
    return lambda value: (only(value),)


def _said(self: Any) -> str:
    """The class and its fields, but for those that it does not print: a hidden card's, a PIN's."""
    said = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(said)})"
