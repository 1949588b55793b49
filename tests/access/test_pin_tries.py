"""Counts of wrong PINs over longer than anybody waits: years of tries, by a clock of our own."""

from __future__ import annotations

import pytest

from controller.access.pin_tries import (
    LOCK_MOST_KNOWN_S,
    LOCK_MOST_S,
    PinTries,
    Source,
)

#: More tries in a row than a count of doubled locks can hold as a float.
TRIES_IN_A_ROW = 3_000


@pytest.mark.parametrize(("known", "longest_s"), [(False, LOCK_MOST_S), (True, LOCK_MOST_KNOWN_S)])
@pytest.mark.parametrize("restarts", [False, True])
def test_whoever_tries_for_months_is_locked_for_as_long_as_ever_and_the_person_gets_in(
    known: bool, longest_s: float, restarts: bool
) -> None:
    tries, now_s = PinTries(), 0.0
    source = Source("0a1b", known, "d00dfeed")
    for _ in range(TRIES_IN_A_ROW):
        now_s += tries.wait_s(source, now_s)
        tries.begin(source, now_s)
        tries.wrong(source, now_s)
        if restarts:
            saved, tries = tries.saved(now_s), PinTries()
            tries.load(saved, now_s)
    assert tries.wait_s(source, now_s) == pytest.approx(longest_s)
    now_s += longest_s
    assert tries.wait_s(source, now_s) == 0
    tries.begin(source, now_s)
    tries.right(source)
    assert tries.wait_s(source, now_s) == 0
