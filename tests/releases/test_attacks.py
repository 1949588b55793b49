"""Hostile files, a bad card, a full disk, and the power cut while all is taken off."""

from __future__ import annotations

import errno
import io
import json
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from systemd.releases.build.sign import new_key
from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.install import OUTSIDE, PROGRAM, uninstall
from systemd.releases.update.layout import Installation
from systemd.releases.update.manifest import MANIFEST, SIGNATURE, ManifestError, parse
from systemd.releases.update.package import UpdateRefused, open_package, unpack
from systemd.releases.update.plain_tar import MEMBERS_AT_MOST, members
from systemd.releases.update.standby import recover
from systemd.releases.update.update import WentBack, update
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
from tests.support.forms import is_long_form, quick_first

_KEY = new_key()
_KEYS = (_KEY.public,)
_BLOCK = tarfile.BLOCKSIZE


class _AttackedTable:
    """A table that runs the old release, and the bytes of a new one."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.root = folder / "root"
        self.file = release_file(folder / "new.tar", NEW, _KEY)
        old = release_file(folder / "old.tar", OLD, _KEY)
        self.layout = table_with(self.root, OLD, _KEYS, old)
        self.machine = BenchHost(self.layout)
        self.machine.systemctl("start", UNITS[0])

    def update(self) -> None:
        update(self.layout, self.machine, self.file, _KEYS, lambda _: None)

    def start_again(self) -> str:
        """Start the machine after a cut; the release that runs."""
        self.machine.cut_off(self.root)
        layout = self.layout = self.machine.layout
        self.machine.boot(partial(recover, layout, self.machine, print, at_boot=True))
        assert layout.is_complete(self.machine.running)
        assert layout.pending() is None
        return self.machine.running


@pytest.fixture
def table(tmp_path: Path) -> _AttackedTable:
    return _AttackedTable(tmp_path)


def _taken(file: Path, layout: Installation) -> dict[str, bytes] | None:
    """The files that a release would bring; None where it is refused."""
    try:
        opened = open_package(file, _KEYS)
        folder = unpack(opened, layout)
    except UpdateRefused:
        assert not layout.release(NEW).exists(), "what was refused leaves nothing"
        return None
    return {name: (folder / name).read_bytes() for name in opened.manifest.files}


def _spoil(table: _AttackedTable, variants: list[bytes]) -> None:
    """Each variant is refused, or brings exactly what was signed."""
    whole = _taken(table.file, table.layout)
    refused = 0
    for data in variants:
        table.layout.forget(NEW)
        table.file.write_bytes(data)
        taken = _taken(table.file, table.layout)
        assert taken in (None, whole)
        refused += taken is None
    assert refused > len(variants) // 4


def test_a_file_that_was_cut_off_is_refused(table: _AttackedTable) -> None:
    data = table.file.read_bytes()
    step = 7 if is_long_form() else 1_021
    _spoil(table, [data[:size] for size in range(0, len(data), step)])


def test_a_flipped_bit_is_refused_wherever_it_counts(table: _AttackedTable) -> None:
    data = table.file.read_bytes()
    variants = []
    for at in range(0, len(data), 1 if is_long_form() else 509):
        spoilt = bytearray(data)
        spoilt[at] ^= 1 << (at % 8)
        variants.append(bytes(spoilt))
    _spoil(table, variants)


def test_a_file_that_changes_while_it_is_read_is_refused(table: _AttackedTable) -> None:
    opened = open_package(table.file, _KEYS)
    data = table.file.read_bytes()
    table.file.write_bytes(data[: 5 * _BLOCK + 3])
    with pytest.raises(UpdateRefused):
        unpack(opened, table.layout)
    # Within the last file's bytes.
    end = data.rindex(NEW.encode())
    table.file.write_bytes(data[: end + 3])
    with pytest.raises(UpdateRefused, match="changed while it was read"):
        unpack(opened, table.layout)
    assert not table.layout.release(NEW).exists()


_NOT_PLAIN = (
    tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE,
    tarfile.DIRTYPE, tarfile.CONTTYPE, tarfile.GNUTYPE_SPARSE, tarfile.GNUTYPE_LONGNAME,
    tarfile.XGLTYPE, b"\xff",
)  # fmt: skip


def _put_before(table: _AttackedTable, member: tarfile.TarInfo, data: bytes = b"") -> None:
    """Put a member before all of the release's own: what follows would go through a link."""
    member.size = len(data)
    padded = data + bytes(-len(data) % _BLOCK)
    table.file.write_bytes(member.tobuf(tarfile.PAX_FORMAT) + padded + table.file.read_bytes())


@pytest.mark.parametrize("kind", _NOT_PLAIN)
@pytest.mark.parametrize("name", quick_first(("systemd", "../../../etc/x", "/etc/x"), ("systemd",)))
def test_what_is_no_plain_file_is_refused(table: _AttackedTable, kind: bytes, name: str) -> None:
    outside = table.root.parent / "outside"
    outside.mkdir()
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, str(outside)
    _put_before(table, member)
    assert _taken(table.file, table.layout) is None
    assert not list(outside.iterdir())


@pytest.mark.parametrize("name", ["../../../etc/x", "/etc/x", "systemd/more", "manifest", "a\nb"])
def test_a_file_that_the_manifest_does_not_name_is_not_made(
    table: _AttackedTable, name: str
) -> None:
    _put_before(table, tarfile.TarInfo(name), b"anything")
    taken = _taken(table.file, table.layout)
    assert taken is not None
    made = {str(each.relative_to(table.root)) for each in table.layout.release(NEW).rglob("*")}
    assert len(made) == len(taken) + 4, "its files, their folders, manifest and signature"
    assert not (table.root.parent / "etc").exists()


@pytest.mark.parametrize("name", [MANIFEST, SIGNATURE, f"systemd/units/{UNITS[0]}"])
def test_a_name_that_is_there_twice_is_refused(table: _AttackedTable, name: str) -> None:
    """Which of the two is signed hangs on who reads them."""
    _put_before(table, tarfile.TarInfo(name), b"anything")
    with pytest.raises(UpdateRefused, match="no signed release"):
        open_package(table.file, _KEYS)


def test_a_tar_of_headers_alone_is_not_read_into_memory(table: _AttackedTable) -> None:
    headers = (tarfile.TarInfo(f"{n}").tobuf() for n in range(MEMBERS_AT_MOST + 1))
    table.file.write_bytes(b"".join(headers) + table.file.read_bytes())
    with pytest.raises(UpdateRefused, match="no signed release"):
        open_package(table.file, _KEYS)


@pytest.mark.parametrize(
    "said",
    [
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 60)},
        {"GNU.sparse.map": "0,1152921504606846976", "path": f"systemd/units/{UNITS[0]}"},
        {"size": "0"}, {"linkpath": "/etc"}, {"comment": "x" * 100_000}, {"path": "x" * 5_000},
    ],
)  # fmt: skip
def test_a_header_that_says_more_than_a_name_is_refused(
    table: _AttackedTable, said: dict[str, str]
) -> None:
    member = tarfile.TarInfo("systemd/more")
    member.pax_headers = said
    _put_before(table, member)
    with pytest.raises(UpdateRefused, match="no signed release"):
        open_package(table.file, _KEYS)


def test_a_long_name_is_read_as_python_writes_it(tmp_path: Path) -> None:
    """Wheels have names that are longer than a header's field."""
    files = {f"wheels/{'n' * 150}.whl": b"1" * 700, "short": b"", f"wheels/{'ä' * 90}": b"3"}
    with tarfile.open(tmp_path / "x.tar", "w:", format=tarfile.PAX_FORMAT) as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    with open(tmp_path / "x.tar", "rb") as file:
        found = {each.name: (each.at, each.size) for each in members(file)}
        assert list(found) == list(files)
        for name, (at, size) in found.items():
            file.seek(at)
            assert file.read(size) == files[name]


def test_what_can_be_run_is_told_by_what_is_signed(table: _AttackedTable, tmp_path: Path) -> None:
    """The mode in a tar is nobody's word: a script without it could not be run, and is."""
    files = {"systemd/install": b"#!/bin/sh\n", "systemd/notes": b"text"}
    for mode in (0, 0o7777):
        file = release_file(tmp_path / "x.tar", NEW, _KEY, more=files, mode=mode)
        folder = unpack(open_package(file, _KEYS), table.layout)
        found = {name: (folder / name).stat().st_mode & 0o7777 for name in files}
        assert found == {"systemd/install": 0o755, "systemd/notes": 0o644}


def _sizes_in_base_256(header: bytes, size: int) -> bytes:
    """That header of a member with a size that octal digits cannot say: less than nothing."""
    sized = bytearray(header)
    sized[124:136] = b"\xff" + (size & (1 << 88) - 1).to_bytes(11, "big")
    sized[148:156] = b" " * 8
    sized[148:156] = b"%06o\0 " % sum(sized)
    return bytes(sized)


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_member_of_negative_size_does_not_lead_back(
    table: _AttackedTable, after: int, blocks: int
) -> None:
    data = table.file.read_bytes()
    header = tarfile.TarInfo(f"systemd/units/{UNITS[0]}").tobuf()
    # Behind so many members of the release: from there it points back at one of them.
    with tarfile.open(table.file) as tar:
        at = tar.getmembers()[after].offset
    backwards = _sizes_in_base_256(header, -blocks * _BLOCK)
    table.file.write_bytes(data[:at] + backwards + data[at:])
    with pytest.raises(UpdateRefused, match="no signed release"):
        open_package(table.file, _KEYS)


def test_a_negative_size_in_an_extended_header_does_not_lead_back(table: _AttackedTable) -> None:
    data = table.file.read_bytes()
    member = tarfile.TarInfo("systemd/anything")
    member.pax_headers = {"size": str(-4 * _BLOCK)}
    extended = member.tobuf(tarfile.PAX_FORMAT)
    with tarfile.open(table.file) as tar:
        at = tar.getmembers()[1].offset
    table.file.write_bytes(data[:at] + extended + data[at:])
    with pytest.raises(UpdateRefused, match="no signed release"):
        open_package(table.file, _KEYS)


def test_a_member_that_would_fill_the_disk_is_not_unpacked(table: _AttackedTable) -> None:
    """The room that was looked for is what the signed manifest says, not what the file brings."""
    size = open_package(table.file, _KEYS).manifest.size_bytes
    with tarfile.open(table.file) as tar:
        files = {each.name: _bytes_of(tar, each.name) for each in tar}
    files[f"systemd/units/{UNITS[0]}"] = bytes(size + 1)
    with tarfile.open(table.file, "w:") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    opened = open_package(table.file, _KEYS)
    with pytest.raises(UpdateRefused, match="is too large"):
        unpack(opened, table.layout)
    assert not table.layout.release(NEW).exists()


def test_a_wheel_that_was_swapped_with_its_hash_is_refused(table: _AttackedTable) -> None:
    data = table.file.read_bytes()
    name = f"systemd/units/{UNITS[0]}"
    with tarfile.open(table.file) as tar:
        digest = json.loads(_bytes_of(tar, MANIFEST))["files"][name]
    table.file.write_bytes(data.replace(digest.encode(), b"0" * 64))
    with pytest.raises(UpdateRefused, match="signature"):
        open_package(table.file, _KEYS)


def _bytes_of(tar: tarfile.TarFile, name: str) -> bytes:
    stream = tar.extractfile(name)
    assert stream is not None
    return stream.read()


@pytest.mark.parametrize(
    "change",
    [
        {"files": []}, {"files": {"a": 1}}, {"files": {"/a": "0" * 64}}, {"installed": None},
        {"files": {"a\nb": "0" * 64}}, {"files": {"a\0b": "0" * 64}}, {"files": {"": "0" * 64}},
        {"files": {"./a": "0" * 64}}, {"files": {".": "0" * 64}}, {"files": {"\ud800": "0" * 64}},
        {"files": {MANIFEST: "0" * 64}}, {"files": {"installed.json": "0" * 64}},
        {"size_bytes": -1}, {"version": "9" * 5_000 + ".1"}, {"build": f"{NEW}\n"},
        {"version": "9" * 5_000 + ".1", "build": "9" * 5_000 + ".1+00000000"},
        {"size_bytes": float("inf")}, {"record": {}}, {"build": f"{NEW}/../x"}, {"version": ".."},
    ],
)  # fmt: skip
def test_a_manifest_that_is_none_is_refused_in_words(
    table: _AttackedTable, change: dict[str, Any]
) -> None:
    with tarfile.open(table.file) as tar:
        plain = json.loads(_bytes_of(tar, MANIFEST))
    with pytest.raises(ManifestError):
        parse(json.dumps({**plain, **change}).encode())


class _FullDisk(DurableFiles):
    """A disk without room from step number `full` on, until a whole release is removed."""

    def __init__(self, full: int) -> None:
        self.full = full
        self.steps = 0
        super().__init__(self._on_step)

    def sync_all(self) -> None:
        """Nothing else was written."""

    def remove_tree(self, folder: Path) -> None:
        """Remove it; a release is some hundred megabytes."""
        super().remove_tree(folder)
        self.full = 0

    def _on_step(self, step: str) -> None:
        self.steps += 1
        if 0 < self.full <= self.steps and step.startswith(("write", "link", "make")):
            raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("fault", quick_first(("", "mute"), ("",)))
def test_a_disk_that_is_full_from_any_step_on_leaves_one_of_the_two(
    tmp_path: Path, fault: str
) -> None:
    counted = _AttackedTable(tmp_path / "counted")
    disk = counted.layout.disk = _FullDisk(0)
    counted.update()
    for full in range(1, disk.steps + 1, 1 if is_long_form() else 9):
        table = _AttackedTable(tmp_path / str(full))
        table.layout.disk = _FullDisk(full)
        table.machine.faulty[NEW] = fault
        try:
            table.update()
        except (OSError, WentBack, UpdateRefused):
            assert table.start_again() == OLD
        else:
            assert not fault
            assert table.start_again() == NEW


def _installed(root: Path) -> Callable[[], list[str]]:
    """What is left of the table's software below `root`, by name."""
    kiosk = "etc/systemd/system/user-997.slice.d/10-tablectl-kiosk.conf"
    for name in (*OUTSIDE, PROGRAM, kiosk):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("ours")
    to_stay = {"etc/tablectl/table.toml", "var/lib/tablectl/record/2026-11-22.day"}

    def left() -> list[str]:
        there = {str(each.relative_to(root)) for each in root.rglob("*") if not each.is_dir()}
        assert to_stay <= there, "record and configuration stay"
        return sorted(there - to_stay)

    return left


def test_an_uninstallation_cut_off_anywhere_is_done_again(tmp_path: Path) -> None:
    for cut in range(1, 200, 1 if is_long_form() else 9):
        table = _AttackedTable(tmp_path / str(cut))
        left = _installed(table.root)
        power = table.layout.disk = CutFiles(cut)
        try:
            uninstall(table.layout, table.machine, print)
        except PowerCut:
            if left():
                assert PROGRAM in left(), (
                    f"nothing could take the rest off: cut before {power.steps[-1]}"
                )
            table.machine.cut_off(table.root)
            table.layout = table.machine.layout
            # The program makes its home, for its lock.
            table.layout.home.mkdir(parents=True, exist_ok=True)
            uninstall(table.layout, table.machine, print)
            assert not left()
        else:
            assert not left()
            assert cut > 30
            return
    raise AssertionError("it never ended")
