"""The updater is killed, and the machine runs on: somebody stands by, and the table plays again."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path

import pytest

from systemd.releases.update.layout import Installation, Pending
from systemd.releases.update.machine import PIT, SERVICE
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack
from tests.releases.bench_machine import NEW, OLD, UNITS, CutFiles, PowerCut, release_file
from tests.releases.updates.update_bench import UpdateBench
from tests.support.forms import quick_first


def _broken_off(folder: Path, fault: str, step: int) -> UpdateBench:
    """A machine whose updater is killed before that step; 0: it is not."""
    bench = UpdateBench(folder)
    bench.layout.disk = CutFiles(step)
    bench.machine.faulty[NEW] = fault
    try:
        bench.update()
    except WentBack:
        assert fault
    except PowerCut:
        bench.machine.kill_updater(bench.root)
    return bench


def _steps(folder: Path, fault: str) -> list[str]:
    disk = _broken_off(folder, fault, 0).layout.disk
    shutil.rmtree(folder)
    assert isinstance(disk, CutFiles)
    return disk.steps


def _plays(bench: UpdateBench) -> str:
    """The release that runs, whole and with its own unit; nothing is on trial, none is stopped."""
    layout, running = bench.machine.layout, bench.machine.running
    assert running == layout.build_of(layout.current), "the table does not run"
    assert layout.is_complete(running)
    assert layout.pending() is None, "the table accepts no play"
    assert layout.stopped() == ()
    assert (layout.units / UNITS[0]).read_text() == running
    return running


@pytest.mark.parametrize("fault", quick_first(("", "mute", "dies"), ("", "dies")))
def test_an_updater_that_is_killed_at_any_step_leaves_a_table_that_plays(
    tmp_path: Path, fault: str
) -> None:
    steps = _steps(tmp_path / "counted", fault)
    ran, stood_by = [], 0
    for step in range(1, len(steps) + 1):
        bench = _broken_off(tmp_path / str(step), fault, step)
        stood_by += bench.machine.stands_by
        if bench.machine.stands_by:
            recover(bench.machine.layout, bench.machine, bench.said.append)
        else:
            # Before it stopped anything, or with everything done: a note may be left.
            assert bench.machine.layout.pending() is None
            bench.machine.layout.forget_stopped()
        ran.append(_plays(bench))
    assert stood_by > len(steps) // 3
    confirmed = len(steps) if fault else steps.index("remove update.json") + 1
    assert set(ran[:confirmed]) == {OLD}
    assert set(ran[confirmed:]) <= {NEW}


def test_what_stands_by_may_be_killed_as_well(tmp_path: Path) -> None:
    switched = _steps(tmp_path / "counted", "").index("rename current") + 3
    for step in range(1, 40):
        bench = _broken_off(tmp_path / str(step), "", switched)
        assert bench.machine.running == OLD or not bench.machine.running
        layout = bench.machine.layout = Installation(bench.root, CutFiles(step))
        try:
            recover(layout, bench.machine, bench.said.append)
        except PowerCut:
            bench.machine.kill_updater(bench.root)
            recover(bench.machine.layout, bench.machine, bench.said.append)
            assert _plays(bench) == OLD
        else:
            assert step > 5, "going back takes steps"
            return
    raise AssertionError("going back never ended")


def test_killed_in_its_minute_it_is_on_record_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = UpdateBench(tmp_path)
    real = bench.machine.pause

    def pause(seconds: float) -> None:
        if bench.machine.running == NEW and bench.machine.clock_s > 30:
            killed = bench.layout.disk = CutFiles(1)
            killed.make_folder(bench.root)
        real(seconds)

    monkeypatch.setattr(bench.machine, "pause", pause)
    with pytest.raises(PowerCut):
        bench.update()
    bench.machine.kill_updater(bench.root)
    assert bench.machine.running == NEW
    assert bench.machine.stands_by
    assert bench.machine.layout.pending() is not None, "on trial: no play"
    assert recover(bench.machine.layout, bench.machine, bench.said.append)
    assert _plays(bench) == OLD
    assert json.loads(bench.layout.went_back_file.read_text())["why"] == "update-broken-off"
    assert not recover(bench.machine.layout, bench.machine, bench.said.append)


def test_the_boot_unit_that_somebody_starts_later_ends_a_trial_too(
    bench: UpdateBench,
) -> None:
    """As the doctor advises: the new release runs then, and may not go on as if confirmed."""
    bench.layout.begin(Pending(NEW, OLD, "", (), (SERVICE,)))
    bench.machine.running = NEW
    recover(bench.layout, bench.machine, bench.said.append, at_boot=True)
    assert _plays(bench) == OLD


def test_an_update_that_ended_leaves_nobody_standing_by(bench: UpdateBench) -> None:
    bench.update()
    assert not bench.machine.stands_by
    assert bench.layout.stopped() == ()


def test_what_the_update_could_not_end_is_tried_once_more(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.machine.faulty[NEW] = "dies"
    monkeypatch.setattr(bench.layout, "note_went_back", _no_room)
    with pytest.raises(OSError, match="No space left"):
        bench.update()
    assert bench.machine.stands_by
    assert bench.layout.pending() is not None
    monkeypatch.undo()
    assert recover(bench.layout, bench.machine, bench.said.append)
    assert _plays(bench) == OLD


def _no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_nobody_to_stand_by_is_said_and_stops_no_update(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench.machine, "start_standby", lambda: "no room for a unit")
    bench.update()
    assert bench.machine.running == NEW
    assert any("no room for a unit" in each for each in bench.said)


def test_a_release_that_was_being_mended_is_started_by_whoever_mends_it(
    bench: UpdateBench, tmp_path: Path
) -> None:
    """Killed while it is unpacked anew, there is nothing to start yet."""
    file = release_file(tmp_path / "again.tar", OLD, bench.key)
    (bench.layout.release(OLD) / "systemd/units" / UNITS[0]).write_text("changed")
    bench.layout.disk = CutFiles(12)
    with pytest.raises(PowerCut):
        bench.update(file)
    bench.machine.kill_updater(bench.root)
    bench.layout = bench.machine.layout
    assert bench.machine.stands_by
    assert not bench.layout.is_complete(OLD)
    assert not recover(bench.layout, bench.machine, bench.said.append)
    assert bench.layout.stopped() == (SERVICE,)
    bench.update(file)
    assert _plays(bench) == OLD


def test_a_pit_that_was_stopped_runs_again_too(bench: UpdateBench) -> None:
    bench.machine.running = ""
    (bench.layout.units / PIT).write_text(OLD)
    bench.layout.note_stopped((SERVICE, PIT))
    assert recover(bench.layout, bench.machine, bench.said.append)
    assert bench.machine.running == bench.machine.pit == OLD


@pytest.mark.parametrize("text", ["", "{", "3", "null", "[", "\0"])
def test_a_note_that_is_none_starts_nothing(bench: UpdateBench, text: str) -> None:
    bench.layout.stopped_file.parent.mkdir()
    bench.layout.stopped_file.write_text(text)
    assert not recover(bench.layout, bench.machine, bench.said.append)
    assert bench.machine.started == [OLD]
