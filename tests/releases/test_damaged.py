"""A release that is damaged, lost or broken off is mended by the files of releases, in one call."""

from __future__ import annotations

import errno
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from systemd.releases.build.sign import new_key
from systemd.releases.update.compare import changes
from systemd.releases.update.environment import sees_system_packages
from systemd.releases.update.layout import Installation, UpdateDamaged
from systemd.releases.update.machine import ProgramOutput
from systemd.releases.update.manifest import INSTALLED, MANIFEST
from systemd.releases.update.package import AlreadyHere, UpdateRefused
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack, back, update
from tests.releases.bench_machine import (
    NEW,
    OLD,
    UNITS,
    BenchHost,
    CutFiles,
    PowerCut,
    release_file,
    table_with,
)

_KEY: Final = new_key()
_KEYS: Final = (_KEY.public,)


class _DamagedTable:
    """A table that runs the old release, and the files of both."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.files = {
            build: release_file(folder / f"{build}.tar", build, _KEY) for build in (OLD, NEW)
        }
        self.layout = table_with(folder / "root", OLD, _KEYS, self.files[OLD])
        self.machine = BenchHost(self.layout)
        self.machine.systemctl("start", UNITS[0])
        self.said: list[str] = []

    def update(self, build: str, *, dry_run: bool = False) -> None:
        file = self.files[build]
        update(self.layout, self.machine, file, _KEYS, self.said.append, dry_run=dry_run)

    def update_is_refused(self, build: str, said: str) -> None:
        with pytest.raises(UpdateRefused, match=said):
            self.update(build)

    def damage(self, build: str = OLD) -> Path:
        """Change a file of an installed release, as a bad card does."""
        file = self.layout.release(build) / "systemd/units" / UNITS[1]
        file.write_text("spoilt")
        return file

    def start_again(self) -> None:
        self.machine.cut_off(self.layout.root)
        self.layout = self.machine.layout


@pytest.fixture
def table(tmp_path: Path) -> _DamagedTable:
    return _DamagedTable(tmp_path)


def test_a_changed_release_is_installed_again_by_its_own_file(table: _DamagedTable) -> None:
    """What the display asks for where files of the software were changed."""
    changed = table.damage()
    table.machine.phases = ["round"]
    table.update(OLD)
    assert changed.read_text() == OLD
    assert "waiting for the end of the round" in table.said
    assert table.said[-1] == f"{OLD} is installed again"
    assert table.machine.started == [OLD, OLD]
    assert table.layout.is_complete(OLD)


def test_one_that_is_whole_is_not(table: _DamagedTable) -> None:
    with pytest.raises(AlreadyHere, match="runs here already"):
        table.update(OLD)
    assert table.machine.started == [OLD], "the table was never stopped"


def test_the_same_build_with_other_packages_is(table: _DamagedTable) -> None:
    """`make install CAMERA=1` after one without: the sources are the same."""
    more = {"wheels/camera.whl": b"wheel"}
    table.files[OLD] = release_file(table.folder / "more.tar", OLD, _KEY, more=more)
    table.update(OLD)
    assert f"{OLD} is not as this file has it: other packages" in table.said
    installed = (table.layout.release(OLD) / MANIFEST).read_text()
    assert "wheels/camera.whl" in installed


def test_one_whose_machine_got_lgpio_since_is_and_once(table: _DamagedTable) -> None:
    """What `doctor` says then: a release whose environment was changed by hand begins no round."""
    table.machine.has_lgpio = True
    table.update(OLD)
    assert (
        f"{OLD} is not as this file has it: it does not see this machine's own packages"
        in table.said
    )
    assert sees_system_packages(table.layout.release(OLD))
    assert not list(changes(table.layout.release(OLD), _KEYS))
    with pytest.raises(AlreadyHere, match="runs here already"):
        table.update(OLD)


def test_a_dry_run_of_it_changes_nothing(table: _DamagedTable) -> None:
    changed = table.damage()
    table.update(OLD, dry_run=True)
    assert changed.read_text() == "spoilt"
    assert table.said[-1] == f"{OLD} would be installed again: nothing was changed"
    assert table.machine.started == [OLD]


@pytest.mark.parametrize("fault", ["spoilt", "cut off"])
def test_a_file_that_is_not_whole_takes_nothing_away(table: _DamagedTable, fault: str) -> None:
    table.damage()
    if fault == "spoilt":
        release_file(table.files[OLD], OLD, _KEY, spoilt=True)
    else:
        data = table.files[OLD].read_bytes()
        table.files[OLD].write_bytes(data[: -20 * 512])
    with pytest.raises(UpdateRefused):
        table.update(OLD)
    assert table.layout.is_complete(OLD)
    assert table.machine.started == [OLD], "the table was never stopped"


def test_a_power_cut_while_it_is_installed_again_is_mended_by_the_same_call(
    tmp_path: Path,
) -> None:
    for cut in range(1, 100):
        table = _DamagedTable(tmp_path / str(cut))
        changed = table.damage()
        table.layout.disk = CutFiles(cut)
        try:
            table.update(OLD)
        except PowerCut:
            table.start_again()
            assert table.layout.pending() is None
            with suppress(AlreadyHere):
                table.update(OLD)
            assert table.layout.is_complete(OLD)
            assert changed.read_text() == OLD
        else:
            assert cut > 10
            return
    raise AssertionError("it never ended")


def test_a_full_disk_while_it_is_installed_again_is_said(
    table: _DamagedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.damage()
    real = table.machine.make_environment

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(table.machine, "make_environment", full)
    with pytest.raises(UpdateDamaged, match=r"is not whole: .*No space left.*Install it once more"):
        table.update(OLD)
    assert table.machine.running == "", "what is not whole is not started"
    monkeypatch.setattr(table.machine, "make_environment", real)
    table.update(OLD)
    assert table.layout.is_complete(OLD)


@pytest.mark.parametrize("lost", ["all", "inventory"])
def test_a_lost_release_is_replaced_by_a_newer_one(table: _DamagedTable, lost: str) -> None:
    """`current` points to nothing: there is no doctor to compare with, and no way back."""
    table.machine.running = ""
    folder = table.layout.release(OLD)
    if lost == "all":
        shutil.rmtree(folder)
    else:
        (folder / INSTALLED).unlink()
    table.update(NEW)
    assert table.layout.build_of(table.layout.current) == NEW
    assert table.layout.pending() is None
    assert any("there was nothing to go back to" in each for each in table.said)
    assert (table.layout.units / UNITS[0]).read_text() == NEW


def test_a_lost_release_is_replaced_by_its_own_file_too(table: _DamagedTable) -> None:
    shutil.rmtree(table.layout.release(OLD))
    table.machine.running = ""
    table.update(OLD)
    assert table.layout.is_complete(OLD)


@pytest.mark.parametrize("does", [True, False])
def test_one_whose_program_does_not_run_is_left_with_a_trial(
    table: _DamagedTable, does: bool
) -> None:
    table.machine.broken = {OLD}
    table.machine.faulty[NEW] = "" if does else "dies"
    if does:
        table.update(NEW)
    else:
        with pytest.raises(WentBack):
            table.update(NEW)
    assert table.layout.build_of(table.layout.current) == (NEW if does else OLD)
    assert table.layout.pending() is None
    assert any("does not run: its doctor is not asked" in each for each in table.said)


def test_back_leads_out_of_a_release_that_does_not_run(table: _DamagedTable) -> None:
    table.update(NEW)
    table.machine.broken = {NEW}
    back(table.layout, table.machine, _KEYS, table.said.append)
    assert table.machine.running == table.layout.build_of(table.layout.current) == OLD


def test_a_record_that_the_newer_one_wrote_is_looked_at_even_then(table: _DamagedTable) -> None:
    table.update(NEW)
    table.machine.broken = {NEW}
    table.machine.verifies[OLD] = ProgramOutput(3, "", "written by tablectl 0.2.0: start that")
    with pytest.raises(UpdateRefused, match="start that"):
        back(table.layout, table.machine, _KEYS, table.said.append)


@pytest.mark.parametrize("gone", ["link", "folder", "inventory"])
def test_without_a_release_before_there_is_no_back(table: _DamagedTable, gone: str) -> None:
    table.update(NEW)
    if gone == "link":
        table.layout.previous.unlink()
    elif gone == "folder":
        shutil.rmtree(table.layout.release(OLD))
    else:
        (table.layout.release(OLD) / INSTALLED).unlink()
    with pytest.raises(UpdateRefused, match="no release before"):
        back(table.layout, table.machine, _KEYS, table.said.append)
    assert table.machine.running == NEW


def test_a_release_before_that_was_changed_is_no_way_back(table: _DamagedTable) -> None:
    """It would be confirmed, and no round would begin with it."""
    table.update(NEW)
    table.damage(OLD)
    with pytest.raises(UpdateRefused, match=r"no round would begin .*guard.service was changed"):
        back(table.layout, table.machine, _KEYS, table.said.append)
    assert table.machine.running == table.layout.build_of(table.layout.current) == NEW
    assert table.machine.started == [OLD, NEW], "the table was never stopped"


def test_a_newer_release_that_was_left_and_changed_since_comes_by_its_file(
    table: _DamagedTable,
) -> None:
    table.update(NEW)
    back(table.layout, table.machine, _KEYS, table.said.append)
    table.update_is_refused(NEW, "--back tries it")
    changed = table.damage(NEW)
    table.update(NEW)
    assert changed.read_text() == NEW
    assert table.machine.running == table.layout.build_of(table.layout.current) == NEW
    assert not list(changes(table.layout.release(NEW), _KEYS))


@pytest.mark.parametrize("refuser", ["round", "backup"])
def test_what_is_refused_after_it_was_unpacked_is_not_left_there(
    table: _DamagedTable, monkeypatch: pytest.MonkeyPatch, refuser: str
) -> None:
    if refuser == "round":
        table.machine.phases = ["round"] * 10_000
    else:
        real = table.machine.tablectl

        def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
            if words[0] == "backup" and words[2].endswith(OLD):
                return ProgramOutput(1, "", "no")
            return real(build, *words, as_service=as_service)

        monkeypatch.setattr(table.machine, "tablectl", tablectl)
    with pytest.raises(UpdateRefused, match=r"within an hour|cannot be backed up"):
        table.update(NEW)
    assert [each.name for each in table.layout.releases.iterdir()] == [OLD]
    assert table.machine.running == OLD


def test_an_earlier_build_of_the_same_version_is_older(table: _DamagedTable) -> None:
    """Whoever has a signed file of last month's, with its faults, cannot bring it back."""
    build = f"{OLD.partition('+')[0]}+0000000f"
    for time, taken in (("20261122235511", False), ("20261122235513", True)):
        file = release_file(table.folder / "x.tar", build, _KEY, source_time=time)
        table.files[build] = file
        if taken:
            table.update(build)
        else:
            with pytest.raises(UpdateRefused, match="is older than"):
                table.update(build)
    assert table.machine.running == build


def test_one_that_is_built_here_may_be_an_earlier_one(table: _DamagedTable) -> None:
    build = f"{OLD.partition('+')[0]}+0000000f"
    file = release_file(table.folder / "x.tar", build, None, source_time="20200101000000")
    update(table.layout, table.machine, file, None, table.said.append)
    assert table.machine.running == build


def test_an_interrupted_boot_recovery_is_done_again_by_the_next_call(tmp_path: Path) -> None:
    """The power fails on trial, and again at each step of an update that begins with going back."""
    on_trial = _on_trial(tmp_path)
    for cut in range(1, 40):
        table = _DamagedTable(tmp_path / str(cut))
        power = table.layout.disk = CutFiles(on_trial)
        with pytest.raises(PowerCut):
            table.update(NEW)
        assert "update.json" in " ".join(power.steps)
        table.start_again()
        again = table.machine.layout = table.layout = Installation(table.layout.root, CutFiles(cut))
        try:
            recover(again, table.machine, table.said.append)
        except PowerCut:
            table.start_again()
            table.machine.boot(partial(recover, table.layout, table.machine, print, at_boot=True))
            assert table.machine.running == OLD
        else:
            assert cut > 5
            return
    raise AssertionError("it never ended")


def _on_trial(tmp_path: Path) -> int:
    """The step of an update after `current` was switched."""
    counted = _DamagedTable(tmp_path / "counted")
    power = counted.layout.disk = CutFiles()
    counted.update(NEW)
    shutil.rmtree(tmp_path / "counted")
    return power.steps.index("rename current") + 4


@pytest.mark.parametrize("out", ["", "[", "3", "[3]", '[{"id": 1}]', '{"id": "x"}', "null"])
def test_a_doctor_that_says_nothing_of_use_is_refused_in_words(
    table: _DamagedTable, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    real = table.machine.tablectl

    def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        if words[0] == "doctor" and build == NEW:
            return ProgramOutput(1, out, "a defect")
        return real(build, *words, as_service=as_service)

    monkeypatch.setattr(table.machine, "tablectl", tablectl)
    with pytest.raises(UpdateRefused, match=f"doctor of {NEW.replace('+', '.')} failed: a defect"):
        table.update(NEW)
    assert [each.name for each in table.layout.releases.iterdir()] == [OLD]
