"""Values that grow without a copy of all: each stays what it was, whatever is made of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.table.growing import Serials

#: A few numbers, so that they come again; and from which of the values so far the next one grows.
GROWTH = st.lists(st.tuples(st.integers(0, 40), st.sampled_from("abcdef")), max_size=40)


@given(GROWTH)
def test_serial_numbers_are_the_set_that_a_copy_would_be(growth: list[tuple[int, str]]) -> None:
    grown = [Serials()]
    copied: list[frozenset[str]] = [frozenset()]
    for at, serial in growth:
        parent = at % len(grown)
        grown.append(grown[parent].with_one(serial))
        copied.append(copied[parent] | {serial})
    for one, expected in zip(grown, copied, strict=True):
        assert set(one) == expected
        assert len(one) == len(expected)
        assert [each in one for each in "abcdefg"] == [each in expected for each in "abcdefg"]
        assert [one == each for each in grown] == [expected == each for each in copied]


def test_serial_numbers_are_not_printed() -> None:
    assert repr(Serials.of(["000123", "000124"])) == "<2 serial numbers>"
