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


def record_folder(layout: Installation) -> Path | None:
    """The record's folder as configured; None without one. Raises `UpdateRefused`."""
    try:
        folder = tomllib.loads(layout.config.read_text())["record"]["folder"]
        path = layout.config.parent / folder
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UpdateRefused(f"{layout.config} cannot be read: {error!r}") from None
    if layout.root != Path("/") and path.is_absolute():
        path = layout.root / str(folder).lstrip("/")
    return path if path.is_dir() and any(path.iterdir()) else None


def record_bytes(layout: Installation) -> int:
    """What the record takes on its disk; 0 without one. Raises `UpdateRefused`, `OSError`."""
    folder = record_folder(layout)
    return sum(map(_size_bytes, folder.rglob("*"))) if folder is not None else 0


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
        said = machine.tablectl(new, "verify", str(target), as_service=True)
    finally:
        remove_backup(target)
    if said.status and not _only_judged_elsewhere(said):
        raise UpdateRefused(f"{new} does not read this table's record: {said.last_line}")


def _only_judged_elsewhere(said: ProgramOutput) -> bool:
    return said.status == _OTHER_BUILD and any(
        line.startswith("head ") for line in said.out.splitlines()
    )


def back_up(layout: Installation, machine: Host, build: str, target: Path) -> bool:
    """Write a backup of the record; False without one. Raises `UpdateRefused`, `OSError`."""
    record = record_folder(layout)
    if record is None:
        return False
    machine.let_service_have(target.parent)
    remove_backup(target)
    said = machine.tablectl(build, "backup", str(record), str(target), as_service=True)
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
