"""What the new release says of this table before anything changes: its doctor and its verify."""

from __future__ import annotations

import json
import shutil
import stat
import tomllib
from pathlib import Path
from typing import Final

from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host, ProgramOutput
from systemd.releases.update.package import UpdateRefused

#: Exit status of `tablectl verify`: the chain holds, and another build judges some of its rounds.
_OTHER_BUILD: Final = 3
#: What the switch itself writes anew, what is about the update, and the service that it starts.
_OF_THE_SWITCH: Final = ("service.devices", "service.running", "software.")
#: How much of a record a new release is tried on and a backup holds: some 150,000 facts, a minute
#: or two of a Raspberry Pi.
NEWEST_BYTES: Final = 64 << 20
#: What a start replays, and the day before it, which it may have to sign.
_DAYS_AT_LEAST: Final = 2


def record_folder(layout: Installation) -> Path | None:
    """The record's folder as configured; None where nothing is recorded. Raises `UpdateRefused`."""
    try:
        folder = tomllib.loads(layout.config.read_text())["record"]["folder"]
        path = layout.config.parent / folder
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UpdateRefused(f"{layout.config} cannot be read: {error!r}") from None
    if layout.root != Path("/") and path.is_absolute():
        path = layout.root / str(folder).lstrip("/")
    # A calibration leaves the file of its lock before anything is recorded.
    return path if (path / "head").exists() or _day_files(path) else None


def record_bytes(layout: Installation) -> int:
    """What a backup of the record takes on a disk; 0 without one.

    Raises `UpdateRefused`, `OSError`.
    """
    folder = record_folder(layout)
    return sum(map(_day_bytes, _newest_days(folder))) if folder is not None else 0


def _day_files(record: Path) -> list[Path]:
    """The files of its gaming days, the newest first."""
    return sorted(record.glob("????-??-??.day"), reverse=True)


def _newest_days(record: Path) -> list[Path]:
    """The days that a new release is tried on and a backup holds, the newest first.

    All of a record of years takes hours, with the table stopped, and twice its room. Nothing of an
    update touches older days: a restore takes them from the record itself.
    """
    found: list[Path] = []
    room = NEWEST_BYTES
    for day in _day_files(record):
        room -= _day_bytes(day)
        if room < 0 and len(found) >= _DAYS_AT_LEAST:
            break
        found.append(day)
    return found


def _from_day(days: list[Path]) -> tuple[str, ...]:
    """The option of `tablectl` that leaves the days before these out."""
    return ("--from", days[-1].stem) if days else ()


def _day_bytes(day: Path) -> int:
    """What a day takes with the files that belong to it."""
    return sum(map(_size_bytes, day.parent.glob(f"{day.name}*")))


def _size_bytes(path: Path) -> int:
    """What a file takes: of a link nothing, and nothing where the table has just removed it."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def examine(layout: Installation, machine: Host, new: str, old: str) -> None:
    """Let the new release look at configuration and record. Raises `UpdateRefused`, `OSError`."""
    _compare_doctors(layout, machine, new, old)
    target = layout.backups / "examined"
    if not back_up(layout, machine, old or new, target):
        return
    try:
        days = _from_day(_day_files(target))
        said = machine.tablectl(new, "verify", str(target), *days, as_service=True)
    finally:
        remove_backup(target)
    if said.status and not _only_judged_elsewhere(said):
        raise UpdateRefused(f"{new} does not read this table's record: {said.last_line}")


def _only_judged_elsewhere(said: ProgramOutput) -> bool:
    return said.status == _OTHER_BUILD and any(
        line.startswith("head ") for line in said.out.splitlines()
    )


def back_up(layout: Installation, machine: Host, build: str, target: Path) -> bool:
    """Write a backup of the record's newest days; False without one.

    Raises `UpdateRefused`, `OSError`.
    """
    record = record_folder(layout)
    if record is None:
        return False
    machine.let_service_have(target.parent)
    remove_backup(target)
    days = _from_day(_newest_days(record))
    said = machine.tablectl(build, "backup", str(record), str(target), *days, as_service=True)
    if said.status:
        raise UpdateRefused(f"the record cannot be backed up: {said.last_line}")
    return True


def remove_backup(target: Path) -> None:
    """Remove what lies there; of a link, which its folder's user may have made, the link alone.

    Raises `OSError`.
    """
    assert shutil.rmtree.avoids_symlink_attacks, "root removes what another user may change"
    try:
        shutil.rmtree(target)
    except FileNotFoundError:
        return
    except OSError:
        if target.is_dir() and not target.is_symlink():
            raise
        target.unlink()


def _compare_doctors(layout: Installation, machine: Host, new: str, old: str) -> None:
    """Refuse what the new release finds wrong and the old one does not."""
    before = _wrong(layout, machine, old) if old else {}
    found = _wrong(layout, machine, new)
    if fresh := [text for id_, text in found.items() if old and id_ not in before]:
        raise UpdateRefused(f"the doctor of {new} finds: {'; '.join(fresh)}")


def _wrong(layout: Installation, machine: Host, build: str) -> dict[str, str]:
    said = machine.tablectl(build, "doctor", "--json", str(layout.config))
    try:
        return {
            each["id"]: f"{each['what']}: {each['why']}"
            for each in json.loads(said.out)
            if each["verdict"] in ("bad", "not checked")
            and not each["id"].startswith(_OF_THE_SWITCH)
        }
    except (ValueError, LookupError, TypeError, AttributeError):
        raise UpdateRefused(f"the doctor of {build} failed: {said.last_line}") from None
