"""What of the time between rounds counts as played."""

from __future__ import annotations

import pytest

from controller.pit.archive.books.round_play import IDLE_MS, played_ms


@pytest.mark.parametrize(
    ("began_ms", "ended_ms", "before_ms", "played"),
    [
        (100_000, 160_000, 90_000, 70_000),  # with the time since the round before
        (
            90_000 + IDLE_MS,
            100_000 + IDLE_MS,
            90_000,
            IDLE_MS + 10_000,
        ),  # and at most so much of it
        (90_001 + IDLE_MS, 100_001 + IDLE_MS, 90_000, 10_000),  # the table stood idle
        (1_700_000_000_000, 1_700_000_060_000, 0, 60_000),  # the first round of a table
        (100_000, 90_000, 95_000, 0),  # a clock that was put back
    ],
)
def test_time_that_a_table_stood_idle_is_not_played(
    began_ms: int, ended_ms: int, before_ms: int, played: int
) -> None:
    assert played_ms(began_ms, ended_ms, before_ms) == played
