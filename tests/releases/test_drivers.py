"""Drivers of others beside the releases: each release finds them, and the comparison agrees."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.record.build import ROOT
from systemd.releases.update import drivers
from systemd.releases.update.command import EXIT_REFUSED, main
from systemd.releases.update.compare import compare
from systemd.releases.update.driver_wheel import read_wheel
from systemd.releases.update.environment import complete
from systemd.releases.update.install import uninstall
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import ProgramOutput
from systemd.releases.update.package import UpdateRefused
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack, back
from tests.releases.bench_machine import NEW, OLD, CutFiles, PowerCut, release_file
from tests.releases.chroots.tower import PAGE, build_tower
from tests.releases.driver_wheels import (
    ENTRY_POINTS,
    SECTION,
    SOURCE,
    other_wheel,
    tower_wheel,
)
from tests.releases.updates.update_bench import UpdateBench

TOWER = "tower_light/__init__.py"


def add(bench: UpdateBench, wheel: Path) -> str:
    """Add a driver; what was said."""
    bench.said.clear()
    drivers.add(bench.layout, bench.machine, wheel, bench.said.append)
    return "\n".join(bench.said)


def remove(bench: UpdateBench, name: str) -> None:
    drivers.remove(bench.layout, bench.machine, name, bench.said.append)


def changed(bench: UpdateBench) -> list[str]:
    """What the daily comparison finds."""
    return compare(bench.layout, bench.keys)


def found_by(bench: UpdateBench, build: str) -> str:
    """The tower's source, as a release finds it; empty where it does not."""
    path = bench.layout.release(build) / "drivers" / TOWER
    return path.read_text() if path.exists() else ""


def test_a_driver_is_found_by_every_release_and_the_comparison_agrees(
    bench: UpdateBench, tmp_path: Path
) -> None:
    said = add(bench, tower_wheel(tmp_path))
    assert '[drivers.tower]\nversion = "1.0.0"\ndigest = "sha256:' in said
    assert found_by(bench, OLD) == SOURCE
    assert changed(bench) == []
    bench.update()
    assert (bench.current, found_by(bench, NEW), changed(bench)) == (NEW, SOURCE, [])
    newer = SOURCE + "# mended\n"
    add(bench, tower_wheel(tmp_path, "1.0.1", source=newer))
    assert (found_by(bench, NEW), changed(bench)) == (newer, [])
    back(bench.layout, bench.machine, bench.keys, bench.said.append)
    assert (bench.current, found_by(bench, OLD), changed(bench)) == (OLD, newer, [])
    remove(bench, "Tower.Light")
    assert (found_by(bench, OLD), found_by(bench, NEW), changed(bench)) == ("", "", [])
    assert not bench.layout.drivers.exists()


def test_a_bad_release_that_goes_back_leaves_the_driver_to_the_old_one(
    bench: UpdateBench, tmp_path: Path
) -> None:
    add(bench, tower_wheel(tmp_path))
    bench.machine.faulty[NEW] = "dies"
    with pytest.raises(WentBack):
        bench.update()
    assert (bench.current, bench.machine.running) == (OLD, OLD)
    assert (found_by(bench, OLD), changed(bench)) == (SOURCE, [])


def test_the_new_releases_doctor_sees_it_before_the_switch(
    bench: UpdateBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, the driver that the configuration names would be missing, and refuse them all."""
    add(bench, tower_wheel(tmp_path))
    real = bench.machine.tablectl
    seen: list[tuple[str, str]] = []

    def tablectl(build: str, *words: str, as_service: bool = False) -> ProgramOutput:
        if words[0] != "doctor":
            return real(build, *words, as_service=as_service)
        seen.append((build, bench.current))
        bad = {"id": "config", "verdict": "bad", "what": "table.toml", "why": "no such driver"}
        return ProgramOutput(0, json.dumps([] if found_by(bench, build) else [bad]), "")

    monkeypatch.setattr(bench.machine, "tablectl", tablectl)
    bench.update()
    assert seen == [(OLD, OLD), (NEW, OLD)]
    assert bench.machine.running == NEW


def test_the_releases_own_python_finds_it_by_the_digest_that_was_said(
    bench: UpdateBench, tmp_path: Path
) -> None:
    """By the release's name and by `current`, as units do; and a folder of it starts nothing."""
    folder = bench.layout.release(OLD)
    shutil.rmtree(folder / "env")
    venv.create(folder / "env", symlinks=True)
    complete(folder, bench.layout.disk)
    wheel = tower_wheel(tmp_path, more={"tower_light/any.pth": "import sys; sys.exit(7)\n"})
    said = add(bench, wheel)
    assert changed(bench) == []
    code = (
        f"import sys; sys.path.append({str(ROOT)!r})\n"
        "from drivers.door import digest_of, installed\n"
        f"found = installed()[{SECTION!r}]\n"
        "print(found.dist.version, digest_of(found.dist, found.module))\n"
        "print(found.load(), __import__('tower_light').__file__)\n"
    )
    for way in (folder, bench.layout.current):
        python = way / "env/bin/python"
        told = subprocess.run(
            [python, "-IBc", code], capture_output=True, text=True, check=False
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        version, digest, *rest = told.stdout.split()
        assert f'version = "{version}"\ndigest = "{digest}"' in said
        assert rest[-1] == str(way / "drivers" / TOWER)


@pytest.mark.long
def test_the_pages_driver_built_as_the_page_says_is_taken_by_the_name_that_it_says(
    bench: UpdateBench, tmp_path: Path
) -> None:
    wheel = build_tower(tmp_path, "1.0.0")
    assert f"--add-driver dist/{wheel.name}`" in PAGE.read_text()
    assert '[drivers.tower]\nversion = "1.0.0"\ndigest = "sha256:' in add(bench, wheel)
    assert "TOWER = Driver(" in found_by(bench, OLD)


def test_a_release_that_was_installed_before_gets_its_door(
    bench: UpdateBench, tmp_path: Path
) -> None:
    """By an older updater, say: it is as it was signed with the door and without."""
    _as_installed_before(bench)
    assert changed(bench) == []
    add(bench, tower_wheel(tmp_path))
    assert (found_by(bench, OLD), changed(bench)) == (SOURCE, [])


@pytest.mark.parametrize("way", ["a folder", "outside", "a set that is a link"])
def test_a_set_that_was_not_added_is_noticed_whatever_it_holds(
    bench: UpdateBench, tmp_path: Path, way: str
) -> None:
    """It has an inventory of its own, and would be compared with itself."""
    add(bench, tower_wheel(tmp_path))
    now = bench.layout.drivers_now
    there = now.resolve()
    if way == "a set that is a link":
        there.rename(tmp_path / "elsewhere")
        there.symlink_to(tmp_path / "elsewhere")
    else:
        now.unlink()
        where = there.rename(now if way == "a folder" else tmp_path / "elsewhere")
        if way == "outside":
            now.symlink_to(where)
    assert found_by(bench, OLD) == SOURCE
    assert changed(bench) == ["drivers/current"]


def _point_elsewhere(bench: UpdateBench) -> None:
    (bench.layout.release(OLD) / "drivers").unlink()
    (bench.layout.release(OLD) / "drivers").symlink_to("/tmp")


def _other_code(bench: UpdateBench) -> None:
    """Somebody changes a source, and the inventory with it: the wheel tells."""
    folder = bench.layout.drivers_now.resolve()
    (folder / "packages" / TOWER).write_text("TOWER = None\n")
    complete(folder, bench.layout.disk)


CHANGES: dict[str, tuple[Callable[[UpdateBench, Path], object], str]] = {
    "a source": (
        lambda b, d: (d / "packages" / TOWER).write_text("?"), f"drivers/packages/{TOWER}"
    ),
    "a compiled file": (
        lambda b, d: (d / "packages/tower_light/__init__.pyc").write_text("?"),
        "drivers/packages/tower_light/__init__.pyc",
    ),
    "a file more": (
        lambda b, d: (d / "packages/sitecustomize.py").write_text("?"),
        "drivers/packages/sitecustomize.py",
    ),
    "a file less": (lambda b, d: (d / "packages" / TOWER).unlink(), f"drivers/packages/{TOWER}"),
    "a source and the inventory": (lambda b, d: _other_code(b), f"drivers/packages/{TOWER}"),
    "the wheel": (
        lambda b, d: next(d.glob("wheels/*.whl")).write_bytes(b"?"),
        "drivers/wheels/tower_light-1.0.0-py3-none-any.whl",
    ),
    "the inventory": (
        lambda b, d: (d / "installed.json").write_text("?"), "drivers/installed.json"
    ),
    "the release's link": (lambda b, d: _point_elsewhere(b), "drivers"),
    "what makes Python look there": (
        lambda b, d: next(b.layout.release(OLD).rglob("*.pth")).write_text("import os\n"),
        "env/lib/python3.11/site-packages/tablectl-drivers.pth",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_of_a_driver_is_noticed_and_mended_by_its_wheel(
    bench: UpdateBench, tmp_path: Path, name: str
) -> None:
    wheel = tower_wheel(tmp_path)
    add(bench, wheel)
    change, where = CHANGES[name]
    change(bench, bench.layout.drivers_now.resolve())
    assert changed(bench) == [where]
    add(bench, wheel)
    assert changed(bench) == []


def _as_installed_before(bench: UpdateBench) -> None:
    """Its release is one of an older updater, which knew of no drivers."""
    folder = bench.layout.release(OLD)
    (folder / "drivers").unlink()
    next(folder.rglob("tablectl-drivers.pth")).unlink()
    complete(folder, bench.layout.disk)


def _steps(
    folder: Path, do: Callable[[UpdateBench], object], *, first: str = "1.0.0"
) -> Iterator[UpdateBench]:
    """A bench whose power failed, for each step that this takes; the disk takes steps again.

    `first` is the version that is there before; none: the release was installed before drivers.
    """
    cut = 1
    while True:
        bench = UpdateBench(folder / str(cut))
        if first:
            add(bench, tower_wheel(folder, first))
        else:
            _as_installed_before(bench)
        bench.machine.layout = bench.layout = Installation(bench.root, CutFiles(cut))
        try:
            do(bench)
        except PowerCut:
            bench.machine.cut_off(bench.root)
            bench.layout = bench.machine.layout
            recover(bench.layout, bench.machine, bench.said.append, at_boot=True)
            yield bench
        else:
            return
        cut += 1


def test_a_power_cut_at_any_step_leaves_the_old_drivers_or_the_new(tmp_path: Path) -> None:
    newer = tower_wheel(tmp_path, "2.0.0", source=SOURCE + "# newer\n")
    seen = []
    for bench in _steps(tmp_path, lambda each: add(each, newer)):
        assert changed(bench) == []
        seen.append(len(found_by(bench, OLD)) > len(SOURCE))
        add(bench, newer)
        assert (found_by(bench, OLD), changed(bench)) == (SOURCE + "# newer\n", [])
        assert len([each for each in bench.layout.drivers.iterdir() if each.name.isdigit()]) == 1
    assert len(seen) >= 10
    assert seen == sorted(seen), "first the old ones, then the new"
    assert set(seen) == {False, True}


def test_a_power_cut_as_an_older_release_gets_its_door_leaves_it_as_it_was_signed(
    tmp_path: Path,
) -> None:
    wheel = tower_wheel(tmp_path)
    left = set[str]()
    for bench in _steps(tmp_path, lambda each: add(each, wheel), first=""):
        assert changed(bench) == []
        left |= {each.name for each in bench.layout.release(OLD).rglob("*.part")}
        add(bench, wheel)
        assert (found_by(bench, OLD), changed(bench)) == (SOURCE, [])
    assert left == {"drivers.part", "tablectl-drivers.pth.part"}, "it was cut in the middle of each"


def test_a_power_cut_while_it_is_removed_leaves_it_whole_or_gone(tmp_path: Path) -> None:
    seen = []
    for bench in _steps(tmp_path, lambda each: remove(each, "tower-light")):
        assert changed(bench) == []
        seen.append(found_by(bench, OLD))
    assert seen[0] == SOURCE
    assert seen[-1] == ""


def test_a_disk_that_is_full_leaves_the_drivers_as_they_were(
    bench: UpdateBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(bench, tower_wheel(tmp_path))
    before = bench.files()

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bench.machine, "compile", full)
    with pytest.raises(OSError, match="No space"):
        add(bench, tower_wheel(tmp_path, "2.0.0"))
    assert bench.files() == before


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "runs at each start": ({"more": {"sitecustomize.py": ""}}, "runs at each start"),
    "runs at each start by a path": ({"more": {"a.pth": "import os\n"}}, "runs at each start"),
    "lies in bin": (
        {"more": {"tower_light-1.0.0.data/scripts/ls": ""}}, "belongs outside of its package"
    ),
    "leaves its folder": ({"more": {"../controller/any.py": ""}}, "name that none may have"),
    "a whole path": ({"more": {"/etc/passwd": ""}}, "name that none may have"),
    "a link": ({"link": TOWER}, "is a link"),
    "a file that is not as listed": ({"unlisted": {TOWER: "TOWER = None"}}, f"{TOWER} is not what"),
    "a file that is not listed": ({"unlisted": {"tower_light/more.py": ""}}, "more.py is not what"),
    "programs": (
        {"entry_points": ENTRY_POINTS + "[console_scripts]\ntower = tower_light:TOWER\n"},
        "programs beside its drivers",
    ),
    "what other packages load": (
        {"entry_points": ENTRY_POINTS + "[pydantic]\ntower = tower_light:TOWER\n"},
        "it brings pydantic, which other packages load",
    ),
    "no such module": (
        {"entry_points": "[tablectl.drivers]\ntower = tower_lamp:TOWER\n"},
        "does not hold tower_lamp",
    ),
    "a section that is none": (
        {"entry_points": '[tablectl.drivers]\nto"wer = tower_light:TOWER\n'},
        "a section's is letters",
    ),
    "another name": ({"file": "lamp-1.0.0-py3-none-any.whl"}, "no whole wheel"),
    "no name of a wheel": ({"file": "tower.zip"}, "is no wheel"),
    "another Python": ({"file": "tower_light-1.0.0-cp312-cp312-linux_x86_64.whl"}, "Python 3.11"),
    "a later Python": ({"file": "tower_light-1.0.0-py313-none-any.whl"}, "Python 3.11"),
    "another machine": (
        {"file": "tower_light-1.0.0-cp311-abi3-manylinux_2_17_aarch64.whl"}, "machine is x86_64"
    ),
    "the machine's pins": ({"more": {"lgpio.py": ""}}, "brings lgpio, which this machine has"),
    "a module of Python": ({"more": {"tomllib/any.py": ""}}, "brings tomllib, which this machine"),
    "a module of the release": (
        {"more": {"rules/money.py": ""}}, f"brings rules, which {NEW} has itself: have it renamed"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_wheel_that_does_not_do_is_refused_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    bench = UpdateBench(tmp_path)
    has = release_file(tmp_path / "has.tar", NEW, bench.key, modules=("rules/money.py",))
    bench.update(has)
    before = bench.files()
    how, why = REFUSED[name]
    with pytest.raises(UpdateRefused, match=re.escape(why)):
        add(bench, tower_wheel(tmp_path, **how))
    assert bench.files() == before


@pytest.mark.parametrize("file", [
    "tower_light-1.0.0-py3-none-any.whl", "tower_light-1.0.0-py2.py3-none-any.whl",
    "tower_light-1.0.0-cp38-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    "tower_light-1.0.0-2-cp311-cp311-linux_x86_64.whl", "Tower.light-1.0.0-py311-none-any.whl",
])  # fmt: skip
def test_a_wheel_of_this_machine_is_taken(bench: UpdateBench, tmp_path: Path, file: str) -> None:
    add(bench, tower_wheel(tmp_path, file=file))
    assert found_by(bench, OLD) == SOURCE


def test_a_wheel_with_any_byte_spoilt_is_refused_or_what_it_was(tmp_path: Path) -> None:
    """Whatever it does to the way of packing: the daily comparison has to say which file it is."""
    path = tower_wheel(tmp_path)
    data = path.read_bytes()
    refused = 0
    for at, was in enumerate(data):
        for spoilt in {12, 14} - {was}:  # bz2 and LZMA, of which none of its bytes are
            try:
                wheel = read_wheel(path.name, data[:at] + bytes((spoilt,)) + data[at + 1 :])
            except UpdateRefused:
                refused += 1
            else:
                assert wheel.files[TOWER] == SOURCE.encode()
    assert refused > len(data)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 and no more", bytes(1_000)])
def test_a_file_that_is_no_wheel_is_refused(
    bench: UpdateBench, tmp_path: Path, data: bytes
) -> None:
    path = tower_wheel(tmp_path)
    path.write_bytes(data)
    with pytest.raises(UpdateRefused, match="no whole wheel"):
        add(bench, path)
    path.unlink()
    with pytest.raises(UpdateRefused, match="cannot be read"):
        add(bench, path)


def test_a_wheel_of_any_size_takes_no_room_of_the_record(
    bench: UpdateBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = tower_wheel(tmp_path, more={"tower_light/large.bin": "0" * (65 << 20)})
    with pytest.raises(UpdateRefused, match="more than 64 MB"):
        add(bench, large)
    monkeypatch.setattr(Installation, "free_bytes", lambda _: 1_000_000)
    with pytest.raises(UpdateRefused, match="1 MB free"):
        add(bench, tower_wheel(tmp_path))
    assert not bench.layout.drivers.exists()


def test_what_a_driver_imports_may_lie_beside_it_under_a_name_of_its_own(
    bench: UpdateBench, tmp_path: Path
) -> None:
    add(bench, tower_wheel(tmp_path))
    assert "it brings no driver" in add(bench, other_wheel(tmp_path))
    assert (bench.layout.release(OLD) / "drivers/acme_line/__init__.py").exists()
    assert found_by(bench, OLD) == SOURCE
    remove(bench, "acme-line")
    assert (found_by(bench, OLD), changed(bench)) == (SOURCE, [])
    for other in (
        other_wheel(tmp_path, {"tower_light/more.py": ""}),
        other_wheel(tmp_path, entry_points="[tablectl.drivers]\ntower = acme_line:TOWER\n"),
    ):
        with pytest.raises(UpdateRefused, match="and so does tower_light"):
            add(bench, other)


@pytest.mark.parametrize("module", ["tower_light/lamps.py", "Tower.Light-9.dist-info/METADATA"])
def test_a_release_that_has_a_module_of_a_driver_is_refused_before_anything(
    bench: UpdateBench, tmp_path: Path, module: str
) -> None:
    """Its own would be loaded in the driver's place, which was admitted by other files."""
    add(bench, tower_wheel(tmp_path))
    before = bench.files()
    has = release_file(tmp_path / "has.tar", NEW, bench.key, modules=(module,))
    with pytest.raises(UpdateRefused, match=r"tower.light.*--remove-driver tower-light"):
        bench.update(has)
    assert bench.files() == before


def test_a_module_of_the_machines_own_packages_is_refused_where_a_release_sees_them(
    bench: UpdateBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver's would be found in its place, by the guard and by root too."""
    (tmp_path / "dist-packages/acme_line").mkdir(parents=True)
    (tmp_path / "dist-packages/acme_line/__init__.py").write_text("raise SystemExit('it ran')\n")
    monkeypatch.syspath_prepend(tmp_path / "dist-packages")
    bench.machine.has_lgpio = True
    before = bench.files()
    with pytest.raises(UpdateRefused, match="brings acme_line, which this machine has itself"):
        add(bench, other_wheel(tmp_path))
    assert bench.files() == before
    bench.machine.has_lgpio = False
    assert "it brings no driver" in add(bench, other_wheel(tmp_path))


def test_what_is_mended_by_its_wheel_is_said_to_be_admitted_already(
    bench: UpdateBench, tmp_path: Path
) -> None:
    """Its lines were said as if they were to be written, and a table with it did not run."""
    wheel = tower_wheel(tmp_path)
    add(bench, wheel)
    _admit(bench, {"version": "1.0.0", "digest": read_wheel(wheel.name, wheel.read_bytes()).digest})
    said = add(bench, wheel)
    assert said.endswith("table.toml admits it already")
    assert "[drivers.tower]" not in said


def _admit(bench: UpdateBench, keys: Mapping[str, str]) -> None:
    text = bench.layout.config.read_text() + f"[drivers.{SECTION}]\n"
    text += "".join(f'{name} = "{value}"\n' for name, value in keys.items())
    bench.layout.config.write_text(text)


def test_what_the_configuration_admits_is_not_removed_under_it(
    bench: UpdateBench, tmp_path: Path
) -> None:
    add(bench, tower_wheel(tmp_path))
    _admit(bench, {"version": "1.0.0", "digest": "sha256:00"})
    said = add(bench, tower_wheel(tmp_path, "2.0.0"))
    assert "until that is changed, no table starts" in said
    assert "systemctl restart tablectl-guard tablectl" in said
    with pytest.raises(UpdateRefused, match=r"admits \[drivers.tower\]: remove that"):
        remove(bench, "tower-light")
    with pytest.raises(UpdateRefused, match="no driver of others is here by the name lamps"):
        remove(bench, "lamps")
    bench.layout.config.write_text("[")
    with pytest.raises(UpdateRefused, match="cannot be read"):
        remove(bench, "tower-light")
    before = bench.files()
    with pytest.raises(UpdateRefused, match="cannot be read"):
        add(bench, tower_wheel(tmp_path, "3.0.0"))
    assert bench.files() == before, "what is refused has changed nothing"
    assert found_by(bench, OLD) == SOURCE


def test_where_no_table_is_there_is_none_to_have_a_driver(tmp_path: Path) -> None:
    bench = UpdateBench(tmp_path)
    bench.layout.current.unlink()
    with pytest.raises(UpdateRefused, match="no table is installed here"):
        add(bench, tower_wheel(tmp_path))


@pytest.mark.usefixtures("own_signals")
def test_the_command_adds_lists_and_removes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the files that Python compiles, and for this very machine."""
    bench = UpdateBench(tmp_path)
    folder = bench.layout.release(OLD)
    (folder / "manifest.json.minisig").unlink()
    complete(folder, bench.layout.disk)  # as root built it here: no keys are pinned
    root = ["--root", str(bench.root)]
    assert main(["--add-driver", str(tower_wheel(tmp_path)), *root]) == 0
    said = capsys.readouterr().out
    assert "[drivers.tower]" in said
    assert f"{OLD}: every file is as it was installed" in said
    compiled = f"__init__.{sys.implementation.cache_tag}.pyc"
    assert (bench.layout.release(OLD) / "drivers/tower_light/__pycache__" / compiled).is_file()
    assert main(["--list", *root]) == 0
    assert "driver tower-light 1.0.0 [tower]" in capsys.readouterr().out
    assert main(["--remove-driver", "lamps", *root]) == EXIT_REFUSED
    assert "(here: tower-light)" in capsys.readouterr().err
    assert main(["--remove-driver", "tower-light", *root]) == 0
    assert main(["--list", *root]) == 0
    assert "driver" not in capsys.readouterr().out.replace("removed", "")


def test_it_leaves_with_the_table(bench: UpdateBench, tmp_path: Path) -> None:
    add(bench, tower_wheel(tmp_path))
    uninstall(bench.layout, bench.machine, bench.said.append)
    assert not bench.layout.drivers.exists()
