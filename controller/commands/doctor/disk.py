"""The disk under the record: room, and how long it takes to make a small write durable."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from calibration.measure import Measurement
from controller.assembly.outside_drivers import USER
from controller.commands.doctor.finding import CheckFinding, bad, good, measured, not_yet, note
from controller.commands.doctor.machine import SERVICE, Machine
from controller.commands.drivers.record_folders import lies_alone, makes_no_key, writable_for
from controller.config.configuration import Config
from controller.record.files.signing import default_key_path
from controller.service.recorder import SLOW_COMMIT_S

SYNCS: Final = 40
FREE_AT_LEAST_MB: Final = 200.0
#: A copy that is this far behind its record is no copy of the evening.
COPY_OLD_S: Final = 86_400
_MAKE_ROOM: Final = "sudo journalctl --vacuum-size=100M, or move the record to a larger disk"
_MENDS: Final = {
    errno.ENOSPC: _MAKE_ROOM,
    errno.EROFS: "findmnt says how it is mounted; a disk that failed is made read-only: dmesg",
}
_LOOK: Final = "findmnt, whether its device is mounted; the status page says what failed"


def findings(config: Config, machine: Machine) -> Iterator[CheckFinding]:
    """Room, speed and rights, as far as the record's folder is there already."""
    folder = config.record.folder
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    yield from place(config)
    yield measured("disk.free", free_space(there))
    if folder.is_dir() or os.access(there, os.W_OK) or not _brought(folder, machine):
        yield measured("disk.sync", worst_sync(there))
    else:
        yield not_yet("disk.sync", f"record, {folder}", "The first start makes its folder")
    if folder.is_dir():
        yield _rights(folder)
    yield from _copy(config)


def place(config: Config) -> Iterator[CheckFinding]:
    """Whether the service's unit writes to the record's folder, and not to what lies beside it, or
    is to make the table's key where it may not.
    """
    folder, key = config.record.folder, config.record.key_file
    if key is not None and makes_no_key(key) and not key.exists():
        yield bad(
            "record.place", f"key, {key}",
            f"The table's key is to be made in {key.parent}, where the service may not write",
            "leave key_file out of [record], or name a file in a folder of its own, such as"
            f" /srv/keys/{key.name}, make that folder for the service, and"
            " sudo tablectl drivers --install / of the configuration",
        )  # fmt: skip
        return
    if not lies_alone(folder):
        return
    what, around = f"record, {folder}", f"in {folder.parent}, where the service may not write"
    mend = (
        f"name a folder in that one as folder in [record], such as {folder / 'record'}, and "
        "sudo tablectl drivers --install / of the configuration"
    )
    if (config.record.key_file or default_key_path(folder)).exists():
        why = f"Pictures of cards and names of players are not kept: they would lie {around}"
        yield note("record.place", what, why, mend)
    else:
        yield bad("record.place", what, f"The table's key is to be made {around}", mend)


def _brought(folder: Path, machine: Machine) -> bool:
    """Whether a folder is the service's own, which systemd makes when it first starts it."""
    states = " ".join(machine.unit(SERVICE).get("StateDirectory", [])).split()
    return any(folder.is_relative_to(Path("/var/lib") / each) for each in states)


def worst_sync(folder: Path, user: str = USER) -> Measurement:
    """How long the disk under `folder` takes to make a small write durable, in ms, at the worst.

    `user` is whose the folder should be. Cards come one by one: it is the longest wait that a
    dealer notices, not the usual one.
    """
    name = f"disk, slowest of {SYNCS} durable writes"
    scratch = folder / f".doctor-{os.getpid()}"
    took: list[float] = []
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            for _ in range(SYNCS):
                began = time.perf_counter()
                os.write(descriptor, b"x" * 1024)
                os.fsync(descriptor)
                took.append((time.perf_counter() - began) * 1000)
        finally:
            os.close(descriptor)
            scratch.unlink()
    except OSError as error:
        mend = _MENDS.get(error.errno or 0, f"chown {user}: {folder}")
        return Measurement(name, None, remedy=f"{folder}: {error.strerror}. {mend}")
    return Measurement(
        name, round(max(took), 2), "ms", at_most=SLOW_COMMIT_S * 1000,
        remedy="Use a faster disk: an industrial SD card or an SSD",
    )  # fmt: skip


def free_space(folder: Path) -> Measurement:
    """Free space under `folder`, in MB."""
    name = "disk, free space"
    try:
        found = os.statvfs(folder)
    except OSError as error:
        return Measurement(name, None, remedy=f"{folder}: {error.strerror}. mkdir {folder}")
    return Measurement(
        name, round(found.f_bavail * found.f_frsize / 1e6), "MB", at_least=FREE_AT_LEAST_MB,
        remedy=_MAKE_ROOM,
    )  # fmt: skip


def _rights(folder: Path) -> CheckFinding:
    """Whether whoever runs this may read and write everything of the record."""
    closed = [each for each in folder.rglob("*") if not os.access(each, os.R_OK)]
    closed += [each for each in (folder, folder / "lock") if each.exists() and not _writable(each)]
    what = f"record, {folder}"
    if closed:
        return bad(
            "record.rights", what, f"{closed[0]} belongs to somebody else",
            f"chown -R tablectl: {folder}",
        )  # fmt: skip
    return good("record.rights", what)


def _writable(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


def _copy(config: Config) -> Iterator[CheckFinding]:
    """Where else the record is: a second copy, an archive, and how far behind the newest file is.

    A table that was not dealt on for days has a copy as old as its record: it lacks nothing.
    """
    record = config.record
    elsewhere = [each for each in (record.second_copy, record.archive) if each is not None]
    if not elsewhere:
        yield note(
            "record.copy", "record, second copy", "A lost disk is a lost record",
            "name second_copy in [record], on another device",
        )  # fmt: skip
    written = _newest(record.folder, "*.day*")
    for each in elsewhere:
        id_ = "record.copy" if each == record.second_copy else "record.archive"
        what = f"record, copy in {each}"
        newest = _newest(each, "*")
        # Only closed days are archived: the record's own day is a day ahead of them.
        days = 1 if each == record.second_copy else 2
        at = next(folder for folder in (each, *each.parents) if folder.is_dir())
        if at in (each, each.parent) and not os.access(at, os.W_OK | os.X_OK):
            mend = f"sudo chown tablectl: {at}; {_unit_may_write(at)}"
            yield bad(id_, what, f"Nothing can be written to {at}", mend)
        elif len(list(record.folder.glob("*.day"))) < days:
            yield not_yet(id_, what, "Nothing lies there before a day is dealt")
        elif not newest:
            yield note(id_, what, "Nothing of the record lies there", _LOOK)
        elif (behind_s := written - newest) > days * COPY_OLD_S:
            yield note(id_, what, f"It is {behind_s / 86_400:.0f} days behind the record", _LOOK)
        elif device_of(each) == device_of(record.folder):
            yield note(id_, what, "It is on the same disk as the record, and lost with it", _LOOK)
        else:
            yield good(id_, what)


def _unit_may_write(folder: Path) -> str:
    """What lets the service's unit write there: all but its own folders are read-only for it."""
    if writable_for(folder) is not None:
        return "and sudo tablectl drivers --install / of the configuration, and a restart"
    return "and name a folder below /mnt, /media or /srv: the unit writes to no other"


def device_of(folder: Path) -> int:
    """The number of the file system that a folder is on."""
    return folder.stat().st_dev


def _newest(folder: Path, pattern: str) -> float:
    """When the newest file in a folder was changed, s; 0 where there is none."""
    return max(
        (file.stat().st_mtime for file in folder.rglob(pattern) if file.is_file()), default=0
    )
