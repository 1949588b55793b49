"""An update, step by step: what is refused, and what goes back."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.record.files.folder_lock import lock
from controller.table.queries.device_failures import SOFTWARE
from systemd.releases.build.sign import new_key
from systemd.releases.update import examine, package
from systemd.releases.update.install import install, uninstall
from systemd.releases.update.layout import KEPT_RELEASES
from systemd.releases.update.machine import ProgramOutput, table_of
from systemd.releases.update.manifest import ManifestError, parse
from systemd.releases.update.package import UpdateRefused
from systemd.releases.update.update import WentBack, back
from tests.record.days.dealt_days import dealt, write
from tests.releases.bench_machine import (
    NEW,
    OLD,
    UNITS,
    release_file,
)
from tests.releases.updates.update_bench import UpdateBench
from tests.support.forms import quick_first


def test_a_release_that_does_is_confirmed(bench: UpdateBench) -> None:
    bench.update()
    assert bench.machine.running == bench.current == NEW
    assert bench.layout.build_of(bench.layout.previous) == OLD
    assert bench.layout.pending() is None
    assert bench.machine.clock_s >= 60
    assert [each.name for each in bench.layout.backups.iterdir()] == [OLD]
    assert {(bench.layout.units / name).read_text() for name in UNITS[:2]} == {NEW}
    assert not (bench.layout.units / UNITS[2]).exists(), "nobody wanted a display here"


def test_it_waits_for_the_end_of_the_round(bench: UpdateBench) -> None:
    bench.machine.phases = ["round", "round"]
    bench.update()
    assert "waiting for the end of the round" in bench.said
    assert bench.current == NEW


def test_a_round_that_began_before_the_switch_is_played_under_the_old_release(
    bench: UpdateBench,
) -> None:
    bench.machine.phases = ["betting", "betting", "round"]
    with pytest.raises(WentBack, match="between two rounds"):
        bench.update()
    assert bench.machine.running == bench.current == OLD


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("dies", "its service ended"),
        ("dies later", "its service ended"),
        ("mute", "not ready within 120 s"),
        ("stopped", "its table stopped: a defect"),
        ("deaf", "scanner worked before and does not now"),
    ],
)
def test_a_bad_release_goes_back_by_itself_and_leaves_word(
    bench: UpdateBench, fault: str, why: str
) -> None:
    bench.machine.faulty[NEW] = fault
    with pytest.raises(WentBack, match=why):
        bench.update()
    assert bench.machine.running == bench.current == OLD
    assert bench.layout.pending() is None
    assert (bench.layout.units / UNITS[0]).read_text() == OLD
    assert json.loads(bench.layout.went_back_file.read_text())["new"] == NEW


def test_a_table_without_a_scanner_before_needs_none_after(bench: UpdateBench) -> None:
    bench.machine.faulty = {OLD: "deaf", NEW: "deaf"}
    bench.update()
    assert bench.current == NEW


def test_a_release_on_trial_says_so_and_has_lost_no_device_by_that() -> None:
    def shown(up: bool) -> dict[str, object]:
        devices = [{"name": SOFTWARE, "up": up}, {"name": "shoe", "up": True}]
        return {
            "software": NEW, "phase": "betting", "tone": "calm", "why": "", "devices": devices,
        }  # fmt: skip

    assert table_of(shown(True)).devices_up == table_of(shown(False)).devices_up == {"shoe"}


def test_a_table_that_does_not_run_takes_it_untried(bench: UpdateBench) -> None:
    bench.machine.running = ""
    bench.update()
    assert bench.current == NEW
    assert bench.machine.started == [OLD]
    assert bench.said[-1] == f"the table does not run: {NEW} was not tried"


def test_a_later_update_takes_the_word_away(bench: UpdateBench) -> None:
    bench.machine.faulty[NEW] = "mute"
    with pytest.raises(WentBack):
        bench.update()
    bench.machine.faulty.clear()
    bench.update()
    assert not bench.layout.went_back_file.exists()


def _older(bench: UpdateBench, file: Path) -> Path:
    return release_file(file, "0.0.9+00000003", bench.key)


REFUSED: dict[str, tuple[Callable[[UpdateBench, Path], Path], str]] = {
    "unsigned": (lambda b, f: release_file(f, NEW, None), "no signed release"),
    "another's": (lambda b, f: release_file(f, NEW, new_key()), "does not know"),
    "spoilt": (lambda b, f: release_file(f, NEW, b.key, spoilt=True), "not what was signed"),
    "machine": (lambda b, f: release_file(f, NEW, b.key, machine="aarch64"), "is for aarch64"),
    "python": (lambda b, f: release_file(f, NEW, b.key, python="3.13"), "is for Python 3.13"),
    "older": (_older, "is older than"),
    "older than the record": (
        lambda b, f: release_file(f, NEW, b.key, facts=("BetsClosed/1",)),
        "does not read CardDealt",
    ),
    "format": (
        lambda b, f: release_file(f, NEW, b.key, record_format=3),
        f"format 3, {re.escape(OLD)} of 2.*systemd/UPGRADE.md says how",
    ),
    "no space": (lambda b, f: release_file(f, NEW, b.key, size_bytes=1 << 60), "needs"),
    "the same": (lambda b, f: release_file(f, OLD, b.key), "runs here already"),
    "no file": (lambda b, f: f, "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_changes_nothing(bench: UpdateBench, tmp_path: Path, name: str) -> None:
    make, why = REFUSED[name]
    before = bench.files()
    with pytest.raises(UpdateRefused, match=why):
        bench.update(make(bench, tmp_path / "refused.tar"))
    assert bench.files() == before
    assert bench.machine.running == OLD
    assert bench.machine.started == [OLD], "the table was never stopped"


def test_a_release_of_another_record_format_is_installed_beside_a_record_that_stays(
    bench: UpdateBench, tmp_path: Path
) -> None:
    """The way of UPGRADE.md: no release reads both, so the old one is taken off first."""
    file = release_file(tmp_path / "format.tar", NEW, bench.key, record_format=3)
    (day,) = (bench.root / "var/lib/tablectl/record").iterdir()
    uninstall(bench.layout, bench.machine, bench.said.append)
    # The program makes its home, for its lock.
    bench.layout.home.mkdir()
    assert install(bench.layout, bench.machine, file, bench.keys, bench.said.append)
    assert bench.current == NEW
    assert day.read_text() == "cards"


def test_what_the_new_doctor_finds_is_refused(bench: UpdateBench) -> None:
    same = {"id": "disk", "what": "disk", "why": "full", "verdict": "bad"}
    fresh = {"id": "reader", "what": "scanner", "why": "codes unknown", "verdict": "bad"}
    bench.machine.doctors = {OLD: [same], NEW: [same, fresh]}
    before = bench.files()
    with pytest.raises(UpdateRefused, match="scanner: codes unknown"):
        bench.update()
    assert bench.files() == before
    assert bench.machine.running == OLD


def test_what_the_new_verify_does_not_read_is_refused(bench: UpdateBench) -> None:
    bench.machine.verifies[NEW] = ProgramOutput(
        3, "", "record: written by tablectl 0.3.0: start that"
    )
    before = bench.files()
    with pytest.raises(UpdateRefused, match="start that"):
        bench.update()
    assert bench.files() == before
    bench.machine.verifies[NEW] = ProgramOutput(3, "not judged: rules 1\nhead 2 00", "")
    bench.update()
    assert bench.current == NEW


def test_a_dry_run_changes_nothing(bench: UpdateBench) -> None:
    before = bench.files()
    bench.update(dry_run=True)
    assert bench.files() == before
    assert bench.machine.started == [OLD]
    assert bench.said[-1] == f"{NEW} would do: nothing was changed"


def test_three_releases_are_kept(bench: UpdateBench, tmp_path: Path) -> None:
    builds = [f"0.{n}.0+0000000{n}" for n in range(2, 7)]
    for build in builds:
        bench.update(release_file(tmp_path / f"{build}.tar", build, bench.key))
    installed = {each.name for each in bench.layout.releases.iterdir()}
    assert len(installed) == KEPT_RELEASES
    assert {builds[-1], builds[-2]} <= installed


def test_back_goes_to_the_release_before(bench: UpdateBench) -> None:
    bench.update()
    back(bench.layout, bench.machine, bench.keys, bench.said.append)
    assert bench.machine.running == bench.current == OLD
    assert bench.layout.build_of(bench.layout.previous) == NEW


@pytest.mark.parametrize("dry_run", [False, True])
def test_the_release_before_is_not_unpacked_anew(bench: UpdateBench, dry_run: bool) -> None:
    bench.update()
    back(bench.layout, bench.machine, bench.keys, bench.said.append)
    with pytest.raises(UpdateRefused, match="tablectl-update --back tries it"):
        bench.update(dry_run=dry_run)
    assert bench.layout.is_complete(NEW)
    back(bench.layout, bench.machine, bench.keys, bench.said.append)
    assert bench.current == NEW


@pytest.mark.parametrize("full_at", ["unpack", "environment"])
def test_a_disk_that_fills_up_on_the_way_has_its_room_again(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, full_at: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if full_at == "unpack":
        monkeypatch.setattr(package, "_extract", full)
    else:
        monkeypatch.setattr(bench.machine, "make_environment", full)
    before = bench.files()
    with pytest.raises(OSError, match="No space left"):
        bench.update()
    assert bench.files() == before
    assert [each.name for each in bench.layout.releases.iterdir()] == [OLD]
    assert bench.machine.started == [OLD], "the table was never stopped"


def test_a_service_that_failed_is_no_reason_to_keep_the_release_that_it_fails_with(
    bench: UpdateBench,
) -> None:
    """The doctor of an older release may call that a note."""
    failed = {"id": "service.running", "what": "it failed", "why": "", "verdict": "bad"}
    bench.machine.doctors = {OLD: [], NEW: [failed]}
    bench.update()
    assert bench.current == NEW


@pytest.mark.parametrize("room_days", quick_first((3, 0), (3,)))
def test_of_a_long_record_the_newest_days_are_tried_and_backed_up(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    room_days: int,
) -> None:  # fmt: skip
    """All of a record of years would take hours, and the table is stopped meanwhile."""
    record = bench.root / "var/lib/tablectl/record"
    shutil.rmtree(record)
    write(record, dealt(days=5).records)
    days = sorted(record.glob("*.day"))
    one = max(sum(map(os.path.getsize, record.glob(f"{each.name}*"))) for each in days)
    monkeypatch.setattr(examine, "NEWEST_BYTES", room_days * one)
    real = bench.machine.tablectl

    def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        if words[0] not in ("backup", "verify"):
            return real(build, *words, as_service=as_service)
        status = main(list(words))
        return ProgramOutput(status, *capsys.readouterr())

    monkeypatch.setattr(bench.machine, "tablectl", tablectl)
    bench.update()
    assert bench.current == NEW
    there = [each.name for each in sorted((bench.layout.backups / OLD).glob("*.day"))]
    assert there == [each.name for each in days][-max(2, room_days) :]
    # The way back: what the backup lacks comes from the record.
    days[-1].write_bytes(bytes(4_096))
    assert main(["restore", str(bench.layout.backups / OLD), str(record)]) == 0
    assert main(["verify", str(record)]) == 0
    assert [each.name for each in sorted(record.glob("*.day"))] == [each.name for each in days]


def test_a_table_that_was_calibrated_and_never_dealt_on_is_updated(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record is a folder with the file of a lock: nothing can be backed up."""
    record = bench.root / "var/lib/tablectl/record"
    shutil.rmtree(record)
    lock(record).close()
    real = bench.machine.tablectl

    def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        if words[0] == "backup":
            return ProgramOutput(main(list(words)), "", "there is no record")
        return real(build, *words, as_service=as_service)

    monkeypatch.setattr(bench.machine, "tablectl", tablectl)
    bench.update()
    assert bench.current == NEW


def test_what_a_broken_off_update_left_takes_no_room_from_the_next_one(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut as it was unpacked: on a small card the same file was refused from then on."""
    half = bench.layout.release(NEW)
    half.mkdir()
    (half / "half").write_bytes(b"")
    room = bench.layout.free_bytes()
    monkeypatch.setattr(bench.layout, "free_bytes", lambda: 0 if half.exists() else room)
    with pytest.raises(UpdateRefused, match="MB are free"):
        bench.update(dry_run=True)
    assert half.exists(), "a dry run changes nothing"
    bench.update()
    assert bench.current == NEW


class _Interrupted(BaseException):
    """A signal, or a disk without room."""


@pytest.mark.parametrize("runs", [True, False])
def test_a_table_that_was_stopped_runs_again_whatever_ends_the_backup(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, runs: bool
) -> None:
    if not runs:
        bench.machine.running = ""
    real = bench.machine.tablectl

    def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        if words[0] == "backup" and words[2].endswith(OLD):
            assert not bench.machine.running
            raise _Interrupted
        return real(build, *words, as_service=as_service)

    monkeypatch.setattr(bench.machine, "tablectl", tablectl)
    with pytest.raises(_Interrupted):
        bench.update()
    assert bench.machine.running == (OLD if runs else "")
    assert bench.current == OLD


def _drivers_fail(bench: UpdateBench, monkeypatch: pytest.MonkeyPatch, *builds: str) -> None:
    real = bench.machine.tablectl

    def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        if words[0] == "drivers" and build in builds:
            return ProgramOutput(1, "", "/etc/systemd cannot be written")
        return real(build, *words, as_service=as_service)

    monkeypatch.setattr(bench.machine, "tablectl", tablectl)


def test_a_release_whose_drivers_lack_something_goes_back(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    _drivers_fail(bench, monkeypatch, NEW)
    with pytest.raises(WentBack, match="/etc/systemd cannot be written"):
        bench.update()
    assert bench.machine.started == [OLD, OLD]
    assert json.loads(bench.layout.went_back_file.read_text())["why"] == "update-not-settled"
    assert not any("could not be installed" in each for each in bench.said)


def test_a_table_that_does_not_run_is_not_given_such_a_release_either(
    bench: UpdateBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.machine.running = ""
    _drivers_fail(bench, monkeypatch, NEW)
    with pytest.raises(UpdateRefused, match="/etc/systemd cannot be written"):
        bench.update()
    assert bench.current == OLD
    assert bench.layout.pending() is None
    assert (bench.layout.units / UNITS[0]).read_text() == OLD


def test_on_the_way_back_it_is_said(bench: UpdateBench, monkeypatch: pytest.MonkeyPatch) -> None:
    _drivers_fail(bench, monkeypatch, OLD)
    bench.machine.faulty[NEW] = "dies"
    with pytest.raises(WentBack, match="its service ended"):
        bench.update()
    assert bench.machine.running == OLD
    assert any(f"drivers of {OLD} need could not be installed" in each for each in bench.said)


def test_back_is_refused_where_the_record_is_newer(bench: UpdateBench) -> None:
    bench.update()
    bench.machine.verifies[OLD] = ProgramOutput(
        3, "", "written by tablectl 0.2.0+00000002: start that"
    )
    with pytest.raises(UpdateRefused, match="start that"):
        back(bench.layout, bench.machine, bench.keys, bench.said.append)
    assert bench.machine.running == NEW


def test_a_file_that_points_out_of_its_folder_is_refused(
    bench: UpdateBench, tmp_path: Path
) -> None:
    file = release_file(tmp_path / "out.tar", NEW, bench.key)
    found = package.open_package(file, bench.keys)
    text = found.manifest_bytes.replace(b"systemd/units/tablectl.service", b"../../etc/passwd")
    with pytest.raises(ManifestError, match="passwd"):
        parse(text)


@pytest.mark.parametrize("fault", ["", "dies"])
def test_a_release_of_before_the_units_had_a_folder_is_one_to_go_back_to(
    bench: UpdateBench, tmp_path: Path, fault: str
) -> None:
    """The updater came with the newer release; what it may have to put back is the older one's."""
    flat = "0.1.5+00000005"
    bench.update(release_file(tmp_path / "flat.tar", flat, bench.key, units="systemd"))
    assert (bench.layout.units / UNITS[0]).read_text() == flat
    bench.machine.faulty[NEW] = fault
    if fault:
        with pytest.raises(WentBack, match="service ended"):
            bench.update()
    else:
        bench.update()
        back(bench.layout, bench.machine, bench.keys, bench.said.append)
    assert bench.machine.running == bench.current == flat
    assert (bench.layout.units / UNITS[0]).read_text() == flat
    assert bench.layout.pending() is None
