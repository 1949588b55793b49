"""The rates that are stated of the test for a leak are those of the test that runs."""

from __future__ import annotations

import numpy as np
import pytest

from controller.odds.live.held import HeldRound
from controller.odds.live.leak_watch import ALARM, LeakWatch
from tests.odds.leak_rates import (
    Excesses,
    LeakSums,
    excesses,
    false_alarms,
    rounds_until_found,
)
from tests.odds.test_held import HOUSE

#: Nine of ten rounds lose a wager, one wins nine: fair, and far from a bell curve.
SKEWED = Excesses(np.array([-1.0] * 9 + [9.0]), 1.0, 27.0)


def test_many_tables_at_once_have_the_sums_of_the_one_that_runs() -> None:
    chance = np.random.default_rng(5)
    watches, one = LeakSums(3, SKEWED), LeakWatch()
    for _ in range(60):
        drawn = chance.choice(SKEWED.values, 3)
        levels = watches.after(drawn)
        held = HeldRound(100, int(100 * drawn[1]), 0.0, 0.0, 1, 0, SKEWED.loss, SKEWED.gain)
        one = one.after(held, "aino")
        assert levels[1] == pytest.approx(one.level, rel=1e-12)


def test_a_fair_table_warns_no_more_often_than_stated_and_one_with_a_wrong_mean_does() -> None:
    alarm, played = 200.0, 400_000
    assert 0 < false_alarms(SKEWED, alarm, played) <= played / alarm
    # Had the expectation been wrong by half a wager, the warnings would tell.
    wrong = SKEWED._replace(values=SKEWED.values + 0.5)
    assert false_alarms(wrong, alarm, played) > played / alarm


def test_what_half_and_nine_of_ten_tables_take_is_in_order() -> None:
    half, most = rounds_until_found(SKEWED, 2.0, 3_000, tables=20)
    assert 0 < half <= most < 3_000


@pytest.mark.long
@pytest.mark.parametrize("name", HOUSE)
def test_in_the_stated_ten_years_there_is_one_false_alarm_or_less(name: str) -> None:
    of = excesses(name, 30_000)
    played = int(20 * ALARM)
    assert false_alarms(of, ALARM, played) <= played / ALARM
    half, _ = rounds_until_found(of, 0.05, 200_000)
    assert half < 100_000
