"""Values that grow: the same with some fields changed, and serial numbers without a copy of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

ValueT = TypeVar("ValueT")


def changed(value: ValueT, changes: Mapping[str, Any]) -> ValueT:
    """A frozen dataclass, one without slots, with other values for the fields named in `changes`.

    `dataclasses.replace` at a fifth of its cost: this runs for every record of a replay. Nothing
    is judged: the names are those of fields.
    """
    new: ValueT = object.__new__(type(value))
    fields = new.__dict__
    fields |= value.__dict__
    fields |= changes
    return new


class Serials:
    """The serial numbers that have left a shoe, as a value; equal if they are the same numbers.

    One more makes a new value and leaves this one as it was. The two share one dictionary, of
    which each knows its own part: a shoe that only empties is never copied. A value that goes on
    another way than a newer one did takes its part along.
    """

    __slots__ = ("_count", "_shared")

    def __init__(self, shared: dict[str, int] | None = None) -> None:
        """`shared` are the numbers, each with its place, of which a newer value may get more."""
        self._shared = {} if shared is None else shared
        self._count = len(self._shared)

    @staticmethod
    def of(serials: Iterable[str]) -> Serials:
        """These numbers, in their order."""
        return Serials({each: at for at, each in enumerate(dict.fromkeys(serials))})

    def with_one(self, serial: str) -> Serials:
        """These and one more."""
        if serial in self:
            return self
        shared = self._shared
        if len(shared) != self._count:
            shared = dict(islice(shared.items(), self._count))
        shared[serial] = self._count
        return Serials(shared)

    def __contains__(self, serial: str) -> bool:
        return self._shared.get(serial, self._count) < self._count

    def __iter__(self) -> Iterator[str]:
        # A copy in one move first: the table may go on in another thread.
        return islice(list(self._shared), self._count)

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Serials):
            return NotImplemented
        return self._count == other._count and all(each in other for each in self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        # Which they are would tell cards that lie face down.
        return f"<{self._count} serial numbers>"
