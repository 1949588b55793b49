"""What a power cut took from a record is noticed, also where as much was recorded since."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.hil.bench_file import RunSettings
from tests.hil.results.power_cuts import PowerCuts
from tests.hil.stands.simulated import SimulatedRig
from tests.hil.stands.stand import SimulatedStand
from tests.support.dealt.journals import records, write_journal

pytestmark = pytest.mark.anyio
DAY = records(3, 140)


@pytest.fixture
def power(tmp_path: Path) -> PowerCuts:
    write_journal(tmp_path / "record", DAY[:120])
    return PowerCuts(SimulatedStand(SimulatedRig(0, tmp_path, ""), tmp_path, RunSettings("cuts")))


async def test_a_record_that_only_grew_has_lost_nothing(power: PowerCuts, tmp_path: Path) -> None:
    assert power.survived == 0
    await power.before(shown_seq=120)
    write_journal(tmp_path / "record", DAY[120:])
    await power.after()
    assert (power.survived, power.problems, power.not_on_record) == (1, [], 0)


async def test_a_lost_end_is_noticed_also_in_a_record_that_went_on(
    power: PowerCuts, tmp_path: Path
) -> None:
    await power.before(shown_seq=120)
    shutil.rmtree(tmp_path / "record")
    write_journal(tmp_path / "record", records(4, 140))
    assert (await power.stand.verify()).status == 0
    await power.after()
    (problem,) = power.problems
    assert "120" in problem
    assert power.survived == 1


async def test_what_was_shown_and_not_recorded_is_counted(power: PowerCuts) -> None:
    await power.before(shown_seq=123)
    assert power.not_on_record == 3
