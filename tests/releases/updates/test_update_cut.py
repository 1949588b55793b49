"""A power cut at each step of an update, and of its way back."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from systemd.releases.update.layout import Installation
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack
from tests.releases.bench_machine import (
    NEW,
    OLD,
    UNITS,
    CutFiles,
    PowerCut,
)
from tests.releases.updates.update_bench import UpdateBench
from tests.support.forms import quick_first


def _steps(tmp_path: Path, fault: str) -> list[str]:
    """Every step that an update takes on a disk."""
    bench = UpdateBench(tmp_path / "counted")
    power = CutFiles()
    bench.layout.disk = power
    bench.machine.faulty[NEW] = fault
    try:
        bench.update()
    except WentBack:
        assert fault
    shutil.rmtree(tmp_path / "counted")
    return power.steps


def _cut(folder: Path, fault: str, cut: int) -> str:
    """Cut the power before that step, start the machine again; what runs then."""
    bench = UpdateBench(folder)
    bench.layout.disk = CutFiles(cut)
    bench.machine.faulty[NEW] = fault
    with pytest.raises(PowerCut):
        bench.update()
    bench.machine.cut_off(bench.root)
    layout = bench.machine.layout
    bench.machine.boot(partial(recover, layout, bench.machine, bench.said.append, at_boot=True))
    running = bench.machine.running
    assert running == layout.build_of(layout.current)
    assert layout.is_complete(running)
    assert layout.pending() is None
    assert (layout.units / UNITS[0]).read_text() == running
    # And it can be tried again, which leads where it would have led without the cut.
    bench.layout = layout
    if running == OLD and not fault:
        bench.update()
        assert bench.machine.running == NEW
    return running


@pytest.mark.parametrize("fault", quick_first(("", "mute", "dies"), ("", "dies")))
def test_a_power_cut_at_any_step_leaves_one_of_the_two_running(tmp_path: Path, fault: str) -> None:
    steps = _steps(tmp_path, fault)
    assert len(steps) >= 30
    found = [_cut(tmp_path / str(cut), fault, cut) for cut in range(1, len(steps) + 1)]
    confirmed = steps.index("remove update.json") + 1
    if fault:
        assert set(found) == {OLD}
    else:
        assert set(found[:confirmed]) == {OLD}
        assert set(found[confirmed:]) == {NEW}


def test_a_cut_while_it_goes_back_at_boot_is_no_harm_either(tmp_path: Path) -> None:
    steps = _steps(tmp_path, "")
    switched = steps.index("rename current") + 3
    for second in range(1, 40):
        bench = UpdateBench(tmp_path / f"second{second}")
        bench.layout.disk = CutFiles(switched)
        with pytest.raises(PowerCut):
            bench.update()
        again = CutFiles(second)
        bench.machine.cut_off(bench.root)
        layout = bench.machine.layout = Installation(bench.root, again)
        try:
            recover(layout, bench.machine, bench.said.append, at_boot=True)
        except PowerCut:
            bench.machine.cut_off(bench.root)
            layout = bench.machine.layout
            bench.machine.boot(partial(recover, layout, bench.machine, print, at_boot=True))
            assert bench.machine.running == OLD
        else:
            assert second > 5, "going back takes steps"
            return
    raise AssertionError("going back never ended")
