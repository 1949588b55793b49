"""An update where there is a pit, beside a table or alone."""

from __future__ import annotations

import json

import pytest

from systemd.releases.update.machine import PIT
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack
from tests.releases.bench_machine import (
    NEW,
    OLD,
    CutFiles,
    PowerCut,
)
from tests.releases.updates.update_bench import UpdateBench


def _with_pit(bench: UpdateBench) -> None:
    (bench.layout.units / PIT).write_text(OLD)
    bench.machine.systemctl("restart", PIT)


@pytest.mark.parametrize("table", [True, False])
def test_a_pit_is_watched_too(bench: UpdateBench, table: bool) -> None:
    _with_pit(bench)
    if not table:
        bench.machine.running = ""
    bench.update()
    assert (bench.machine.pit, bench.machine.running) == (NEW, NEW if table else "")
    assert bench.machine.started == [OLD, NEW][: 1 + table]
    assert 60 <= bench.machine.clock_s < 70


@pytest.mark.parametrize("table", [True, False])
def test_a_release_whose_pit_does_not_stay_up_goes_back(bench: UpdateBench, table: bool) -> None:
    _with_pit(bench)
    if not table:
        bench.machine.running = ""
    bench.machine.faulty[NEW] = "no pit"
    with pytest.raises(WentBack, match="its pit did not stay up"):
        bench.update()
    assert (bench.machine.pit, bench.machine.running) == (OLD, OLD if table else "")
    assert json.loads(bench.layout.went_back_file.read_text())["why"] == "update-pit-ended"


def test_a_power_cut_on_a_machine_with_a_pit_alone_starts_no_table(bench: UpdateBench) -> None:
    _with_pit(bench)
    bench.machine.running = ""
    bench.layout.disk = CutFiles(_steps_to_trial(bench))
    with pytest.raises(PowerCut):
        bench.update()
    bench.machine.cut_off(bench.root)
    recover(bench.machine.layout, bench.machine, bench.said.append, at_boot=True)
    assert (bench.machine.pit, bench.machine.running, bench.current) == (OLD, "", OLD)


def _steps_to_trial(bench: UpdateBench) -> int:
    """The step of an update after `current` was switched, of a bench just like it."""
    other = UpdateBench(bench.root.parent / "counted")
    power = other.layout.disk = CutFiles()
    other.update()
    return power.steps.index("rename current") + 4


def test_a_pit_is_not_installed_by_an_update(bench: UpdateBench) -> None:
    bench.update()
    assert not (bench.layout.units / PIT).exists()
    assert bench.machine.pit == ""
